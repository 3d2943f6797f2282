import type { SetState } from '../../../write/record.ts'
import type { SetItem } from '../../read/item.ts'
import { isOfGame, isPartName } from '../../read/names/release-name.ts'
import type { LikeNamed } from './full-names.ts'
import type { Evidence, SameCards } from './same-cards.ts'
import { type FoundSet, isFirstYear, type meantSet } from './sets.ts'

/** What is known of a set that a file names: the set that its name means, and others by all that names it. */
type Clues = { item: SetItem; state: SetState; meant: ReturnType<typeof meantSet>; like: LikeNamed[] }

/** A text for the report, from how the sets with `ids` are called there. */
export type Told = { ids: string[]; say: (called: (id: string) => string) => string }

/**
 * The set of a file: the id, name and year of one that is there, with `isOtherName` if it is called otherwise; several that it could be; a new
 * one; or what has to be compared first. `told` is for the report.
 */
export type Which =
  | { id: string; name: string; year: string | null; isOtherName: boolean; told: Told[] }
  | { candidates: FoundSet[] }
  | { isNew: true; told: Told[] }
  | { asked: { id: string; genre?: string | null }[] }

/** How many sets' cards are compared with those of a new one. */
const mostCompared = 5

/**
 * Decides which set a file means. The cards of both decide where names leave it open: sets that evidently are of other sports or years aren't
 * one, though one of them doesn't say its sport or year; those that say the parent or the first year of a season alone are one if they have
 * cards in common, and so is the one of several that a bare name could mean. What it decides and what it leaves open is told.
 */
export const whichSet = (clues: Clues, evidence: Evidence): Which => {
  const { set, candidates } = clues.meant
  if (candidates.length > 0) return amongCandidates(clues, evidence)
  return set ? unlessOther(clues, set, evidence) : byFullName(clues, evidence)
}

/**
 * The one of several sets with an item's bare name that has all of its cards, or most of them if it says no more than the item. One with parts may
 * be several releases in one, and is left open.
 */
const amongCandidates = ({ item, meant: { candidates, own } }: Clues, evidence: Evidence): Which => {
  if (candidates.length > mostCompared || (isPart(item) && !own)) return { candidates }
  const asked = candidates.filter(({ id }) => !evidence.of(item, id)).map(({ id }) => ({ id }))
  if (asked.length > 0) return { asked }
  const agreements = ({ id }: FoundSet) => {
    const { agree, differ, missing, hasParts } = evidence.of(item, id) as SameCards
    const isIt = id === own?.id ? agree > differ : differ + missing === 0 && !hasParts
    return isIt ? agree : 0
  }
  const most = Math.max(...candidates.map(agreements))
  const best = candidates.filter((one) => most > 0 && agreements(one) === most)
  const only = best.length === 1 ? best[0] : best.find(({ id }) => id === own?.id)
  if (!only || (isPart(item) && only.id !== own?.id)) return { candidates }
  const told: Told = {
    ids: [only.id],
    say: (called) => `${item.name}, as ${candidates.length} sets are called, is ${called(only.id)}: it has these cards`,
  }
  return { ...placeOf(only), isOtherName: false, told: only.id === own?.id ? [] : [told] }
}

/** Whether an item's name is that of a part which any release may have. A game's Base Set is none. */
const isPart = ({ name, genre }: SetItem) => isPartName(name) && !isOfGame(genre)

/** The set with an item's name, unless it evidently is of another sport or year, where one of both doesn't say it. */
const unlessOther = ({ item, state }: Clues, set: FoundSet, evidence: Evidence): Which => {
  const found = { ...placeOf(set), isOtherName: false }
  const isRoot = item.parentKey === null
  const isOfOpenSport = isRoot && (set.genre_id === null) !== (state.genre_id === null)
  const isOfOpenYear = isRoot && item.year === null && set.year_id !== null
  if (!isOfOpenSport && !isOfOpenYear) return { ...found, told: [] }
  const cards = evidence.of(item, set.id)
  if (!cards) return { asked: [isOfOpenSport ? { id: set.id, genre: set.genre } : { id: set.id }] }
  const tell = (say: Told['say']): Told[] => [{ ids: [set.id], say }]
  if (areOthers(cards, isOfOpenSport ? fewestOthers : fewestOfOtherYear))
    return {
      isNew: true,
      told: tell((called) => {
        const others = `, but other people or teams${orMerge(set.id)}`
        return `${item.name}, a new set, has the name of ${called(set.id)}${others}`
      }),
    }
  if (isOfOpenSport)
    return {
      ...found,
      told: tell((called) =>
        set.genre_id
          ? `${item.name}, without a sport, is ${called(set.id)}`
          : `${item.name} of ${item.genre} is ${called(set.id)}, which had no sport`,
      ),
    }
  const told = tell((called) => `${item.name}, without a year, is ${called(set.id)}: no card is in both`)
  return { ...found, told: cards.agree > 0 ? [] : told }
}

/** The set that an item names by another name, or a new one. */
const byFullName = ({ item, meant: { alike }, like }: Clues, evidence: Evidence): Which => {
  const [only, ...more] = like.filter(({ is }) => is === 'same')
  if (only && more.length === 0) return { ...placeOf(only), isOtherName: true, told: [] }
  const open = like.filter(({ is }) => is === 'likely' || is === 'maybe').slice(0, mostCompared)
  const asked = open.filter(({ id }) => !evidence.of(item, id)).map(({ id }) => ({ id }))
  if (!only && asked.length > 0) return { asked }
  const [sameCards, ...others] = only ? [] : open.filter((one) => areOne(one, evidence.of(item, one.id)))
  if (sameCards && others.length === 0) {
    const { id, year } = sameCards
    const isOfSeason = isFirstYear(item.year, year) || isFirstYear(year, item.year)
    const say: Told['say'] = (called) =>
      `${item.name}${isOfSeason ? ` of ${item.year}` : ''} is ${called(id)}: they have cards in common`
    return { ...placeOf(sameCards), isOtherName: true, told: [{ ids: [id], say }] }
  }
  const maybe = [...like.filter(({ is }) => is !== 'other'), ...alike].slice(0, mostCompared).map(({ id }) => id)
  const namesakes = like.flatMap(({ is, id }) => (is === 'other' ? id : [])).slice(0, mostCompared)
  const told: Told[] = []
  if (maybe.length > 0)
    told.push({
      ids: maybe,
      say: (called) => `${item.name}, a new set, may be ${maybe.map(called).join(' or ')}${orMerge(maybe[0] ?? '')}`,
    })
  if (namesakes.length > 0)
    told.push({
      ids: namesakes,
      say: (called) =>
        `${item.name}, a new set, has the name of ${namesakes.map(called).join(' and ')}, of another sport or maker`,
    })
  return { isNew: true, told }
}

/** How to make a new set and another one. The new one has no id in a dry run, which says the same. */
const orMerge = (into: string) => `. If they are one: cardstock merge sets ${into} NEW, where NEW is the new set's id`

const placeOf = ({ id, name, year }: FoundSet | LikeNamed) => ({ id, name, year })

/** How many numbers must have other people so that two sets of one name are two. */
const fewestOthers = 3
/** The same if one of both doesn't say its year. */
const fewestOfOtherYear = 2

const areOthers = ({ agree, differ, areOtherSports }: SameCards, fewest: number) =>
  agree === 0 && (areOtherSports || differ >= fewest)

const areOne = ({ is }: LikeNamed, cards: SameCards | undefined) =>
  cards !== undefined && cards.agree >= (is === 'likely' ? 1 : 2) && cards.agree > cards.differ
