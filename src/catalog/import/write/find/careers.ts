import type { Database } from '../../../../../db/client.ts'
import { idsOf } from '../plan/laid-over.ts'
import { nameOf, noteOf } from '../plan/row.ts'
import { addNote } from '../report.ts'
import type { Part } from '../run/chunk-context.ts'
import type { PlacedSets } from '../session.ts'
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
  const named = wanted.filter(
    ({ item }) => !item.deleted && !item.entries.some((entry) => entry.playerId || entry.disambiguation),
  )
  const people = new Set(named.flatMap(({ state }) => idsOf(state.entries, 'playerId')))
  const unread = [...people].filter((id) => !known.careers.has(id))
  if (unread.length > 0)
    for (const [id, { genres, years }] of await readCandidates(db, 'players', unread))
      known.careers.set(id, { genres, years: new Set(years) })
  for (const { item, state } of named) {
    const { genreId = null, year = null } = placed.get(item.setKey) ?? {}
    for (const id of idsOf(state.entries, 'playerId')) {
      const career = known.careers.get(id)
      if (!career) continue
      const { genres, years } = career
      if (year !== null && years.has(year) && (genreId === null || genres.has(genreId))) continue
      const gap = year === null ? 0 : Math.min(...[...years].map((one) => Math.abs(one - year)))
      const isFar = years.size > 0 && gap > yearsBetween
      const isOfOther = genreId !== null && genres.size > 0 && !genres.has(genreId)
      const say = (text: string) => addNote(report, noteOf(item, 'ambiguous-player', `${nameOf(item)}: ${text}`))
      if (isFar) say(`of ${year}, and ${id} is on cards of ${spanOf(years)}`)
      else if (isOfOther) say(`${id} is on cards of another sport`)
      if (year !== null) years.add(year)
      if (genreId !== null) genres.add(genreId)
    }
  }
}

const spanOf = (years: Set<number>) => [...new Set([Math.min(...years), Math.max(...years)])].join(' to ')
