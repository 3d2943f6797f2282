import { arrayOf } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import { beginCareer, type Career, type Known } from '../lookup-cache.ts'
import { idsOf } from '../plan/laid-over.ts'
import { nameOf, noteOf } from '../plan/row.ts'
import { addNote } from '../report.ts'
import type { Part } from '../run/chunk-context.ts'
import type { PlacedSets, Standing } from '../session.ts'
import { readCandidates } from './candidates.ts'
import type { WantedCard } from './cards.ts'

/** A card that is further than this from all others of its player may be a namesake's. */
const yearsBetween = 30

/**
 * Notes rows that give a card to somebody whose other cards, also those of this import, are all decades away, or of other sports: the name
 * may be another person's. Whoever the row names by an id or by years of a life is meant.
 */
export const noteStrangers = async (db: Database, wanted: WantedCard[], placed: PlacedSets, part: Part) => {
  const { known, report } = part
  const open = wanted.filter((one) => !isUsual(one, placed.get(one.item.setKey), known.careers))
  if (open.length === 0) return
  await readCareers(db, open, placed, known.careers)
  for (const { item, state } of open) {
    const { genreId = null, year = null } = placed.get(item.setKey) ?? {}
    for (const id of idsOf(state.entries, 'playerId')) {
      const career = known.careers.get(id)
      if (!career || isIn(career, { genreId, year })) continue
      const { genres, years } = career
      const isFar = year !== null && years.size > 0 && !isNear(years, year)
      const isOfOther = genreId !== null && genres.size > 0 && !genres.has(genreId)
      const say = (text: string) => addNote(report, noteOf(item, 'ambiguous-player', `${nameOf(item)}: ${text}`))
      if (isFar) say(`of ${year}, and ${id} is on cards of ${spanOf(years)}`)
      else if (isOfOther) say(`${id} is on cards of another sport`)
      extend(career, { genreId, year })
    }
  }
}

/** Whether all players on a row's card are known for cards like it, or nothing is asked about them. */
const isUsual = ({ item, state }: WantedCard, set: Standing | undefined, careers: Known['careers']): boolean => {
  if (!set || item.deleted) return true
  for (const { playerId } of state.entries) {
    const career = playerId ? careers.get(playerId) : undefined
    if (playerId && !(career && isIn(career, set)))
      return item.entries.some((entry) => entry.playerId || entry.disambiguation)
  }
  return true
}

/** Whether a player has cards of a set's year and of its sport, by what is known of the player's career. */
const isIn = ({ genres, years }: Career, { genreId, year }: Standing) =>
  year !== null && years.has(year) && (genreId === null || genres.has(genreId))

const extend = ({ genres, years }: Career, { genreId, year }: Standing) => {
  if (year !== null) years.add(year)
  if (genreId !== null) genres.add(genreId)
}

/** A player on a row's card, and the card's set. */
type Appearance = { playerId: string; setId: string; set: Standing }

/**
 * Reads what rows need of the careers of their players. Whoever is on a card of the row's set is no stranger there, which the index
 * says, so only the others' cards are read.
 */
const readCareers = async (db: Database, rows: WantedCard[], placed: PlacedSets, careers: Known['careers']) => {
  const asked = new Map<string, Appearance>()
  for (const { item, state } of rows) {
    const set = placed.get(item.setKey) as Standing
    for (const playerId of idsOf(state.entries, 'playerId')) {
      const career = careers.get(playerId)
      if (career && (career.isWhole || isIn(career, set))) continue
      asked.set(`${playerId} ${set.genreId} ${set.year}`, { playerId, setId: state.set_id, set })
    }
  }
  const strangers = await findStrangers(db, [...asked.values()])
  for (const { playerId, set } of asked.values())
    if (!strangers.has(playerId))
      extend(
        careers.getOrInsertComputed(playerId, () => beginCareer(false)),
        set,
      )
  if (strangers.size === 0) return
  for (const [id, { genres, years }] of await readCandidates(db, 'players', [...strangers])) {
    const career = careers.getOrInsertComputed(id, () => beginCareer(true))
    career.isWhole = true
    for (const genreId of genres) career.genres.add(genreId)
    for (const year of years) career.years.add(year)
  }
}

/** The players who are on no card of one of the sets in which rows have them. */
const findStrangers = async ({ sql }: Pick<Database, 'sql'>, some: Appearance[]): Promise<Set<string>> => {
  if (some.length === 0) return new Set()
  const rows = await sql<{ id: string }[]>`
    select w.player_id as id
    from unnest(${arrayOf(some.map(({ playerId }) => playerId))}::uuid[], ${arrayOf(some.map(({ setId }) => setId))}::uuid[])
      as w (player_id, set_id)
    left join sets s on s.id = w.set_id and s.audience >= 1
    left join lateral (
      select true as is_there from oncard o where o.player_id = w.player_id and o.set_no = s.no and o.lists_player limit 1
    ) o on true
    where o.is_there is null`
  return new Set(rows.map(({ id }) => id))
}

/** Whether one of some years is no further from another than all of a career may be. */
const isNear = (years: Set<number>, year: number) => {
  for (const one of years) if (Math.abs(one - year) <= yearsBetween) return true
  return false
}

const spanOf = (years: Set<number>) => [...new Set([Math.min(...years), Math.max(...years)])].join(' to ')
