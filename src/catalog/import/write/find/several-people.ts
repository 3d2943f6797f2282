import type { CardRecord, CardState, StoredEntry } from '../../../write/record.ts'
import { alikeKey } from '../../read/names/alike.ts'
import { idsOf } from '../plan/laid-over.ts'
import { placeOf, type WantedCard } from './cards.ts'

type Card = Pick<CardState, 'title' | 'serial_number'> & { entries: StoredEntry[] }

/** Numbers with more cards aren't compared: they tell nothing. */
const cardsAtMost = 20

/**
 * Finds new cards whose number, title and serial number another row of their file has with other players: all may be on one card. Of the rows of a
 * number it is one. `claimedOf` are a row's cards that are stored or pretended.
 */
export const findSeveralPeople = (
  fresh: WantedCard[],
  claimedOf: (one: WantedCard) => CardRecord[],
): Set<WantedCard> => {
  const numbered = fresh.filter(({ item }) => item.number !== null && !/^nno$/i.test(item.number))
  const groups = Map.groupBy(numbered, ({ item, state }) => `${item.fileNo} ${placeOf(state)}`)
  return new Set(
    [...groups.values()].flatMap((rows) => {
      if (rows.length > cardsAtMost) return []
      const states = rows.map(({ state }) => state)
      return rows.find((one, at) => [...states.slice(0, at), ...claimedOf(one)].some(isOfOthers(one.state))) ?? []
    }),
  )
}

const isOfOthers = (one: Card) => (other: Card) => {
  const [players, others] = [idsOf(one.entries, 'playerId'), idsOf(other.entries, 'playerId')]
  return (
    players.length > 0 &&
    others.length > 0 &&
    !players.some((id) => others.includes(id)) &&
    one.serial_number === other.serial_number &&
    alikeKey(one.title ?? '') === alikeKey(other.title ?? '')
  )
}
