import type { SetState } from '../../../write/record.ts'
import type { SetItem } from '../../read/item.ts'
import type { LikeNamed } from './full-names.ts'
import type { Evidence, SameCards } from './same-cards.ts'
import { type FoundSet, isFirstYear, type meantSet } from './sets.ts'

/** What is known of a set that a file names: the set that its name means, and others by all that names it. */
type Clues = { item: SetItem; state: SetState; meant: ReturnType<typeof meantSet>; like: LikeNamed[] }

/**
 * The set of a file: the id, name and year of one that is there, with `isOtherName` if it is called otherwise; several that it could be; a new
 * one; or what has to be compared first. `told` is for the report.
 */
export type Which =
  | { id: string; name: string; year: string | null; isOtherName: boolean; told: string[] }
  | { candidates: FoundSet[] }
  | { isNew: true; told: string[] }
  | { asked: { id: string; genre?: string | null }[] }

/** How many sets' cards are compared with those of a new one. */
const mostCompared = 5

/**
 * Decides which set a file means. The cards of both decide where names leave it open: sets that evidently are of other sports aren't one,
 * though one of them doesn't say its sport; those that say the parent or the first year of a season alone are one if they have cards in
 * common. What it decides and what it leaves open is told.
 */
export const whichSet = ({ item, state, meant, like }: Clues, evidence: Evidence): Which => {
  const { set, candidates, alike } = meant
  if (candidates.length > 0) return { candidates }
  const isOpen = set && item.parentKey === null && (set.genre_id === null) !== (state.genre_id === null)
  if (set && !isOpen) return { ...placeOf(set), isOtherName: false, told: [] }
  if (set) {
    const cards = evidence.of(item, set.id)
    if (!cards) return { asked: [{ id: set.id, genre: set.genre }] }
    const told = set.genre_id
      ? `${item.name}, without a sport, is ${set.id} of ${set.genre}`
      : `${item.name} of ${item.genre} is ${set.id}, which had no sport`
    return areOthers(cards)
      ? { isNew: true, told: [`${item.name}, a new set, has the name of ${set.id}, but other people or teams`] }
      : { ...placeOf(set), isOtherName: false, told: [told] }
  }
  const [only, ...more] = like.filter(({ is }) => is === 'same')
  if (only && more.length === 0) return { ...placeOf(only), isOtherName: true, told: [] }
  const open = like.filter(({ is }) => is === 'likely' || is === 'maybe').slice(0, mostCompared)
  const asked = open.filter(({ id }) => !evidence.of(item, id)).map(({ id }) => ({ id }))
  if (!only && asked.length > 0) return { asked }
  const [sameCards, ...others] = only ? [] : open.filter((one) => areOne(one, evidence.of(item, one.id)))
  if (sameCards && others.length === 0) {
    const { id, year } = sameCards
    const isOfSeason = isFirstYear(item.year, year) || isFirstYear(year, item.year)
    const told = `${item.name}${isOfSeason ? ` of ${item.year}` : ''} is ${id}${isOfSeason ? ` of ${year}` : ''}: they have cards in common`
    return { ...placeOf(sameCards), isOtherName: true, told: [told] }
  }
  const maybe = [...like.filter(({ is }) => is !== 'other'), ...alike].slice(0, mostCompared).map(({ id }) => id)
  const namesakes = like.filter(({ is }) => is === 'other').slice(0, mostCompared)
  return {
    isNew: true,
    told: [
      ...(maybe.length > 0 ? [`${item.name}, a new set, may be ${maybe.join(' or ')}`] : []),
      ...(namesakes.length > 0
        ? [
            `${item.name}, a new set, has the name of ${namesakes.map(({ id }) => id).join(' and ')}, of another sport or maker`,
          ]
        : []),
    ],
  }
}

const placeOf = ({ id, name, year }: FoundSet | LikeNamed) => ({ id, name, year })

/** How many numbers must have other people so that two sets of one name are two. */
const fewestOthers = 3

const areOthers = ({ agree, differ, areOtherSports }: SameCards) =>
  agree === 0 && (areOtherSports || differ >= fewestOthers)

const areOne = ({ is }: LikeNamed, cards: SameCards | undefined) =>
  cards !== undefined && cards.agree >= (is === 'likely' ? 1 : 2) && cards.agree > cards.differ
