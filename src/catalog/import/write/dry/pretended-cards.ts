import { sizes } from '../../../../limits.ts'
import { personName } from '../../../model/person-name.ts'
import type { CardRecord, CardState, StoredEntry } from '../../../write/record.ts'
import type { CardItem } from '../../read/item.ts'
import { basePlaceOf, keyOfIdentifier, type WantedCard } from '../find/cards.ts'

/**
 * The cards of a dry run as they would be by now. Rows of later files may be the same cards, and rows of parallels name them as
 * parents. It remembers the first `most` of them: `put` returns true for the first card that it forgets.
 */
export const beginPretendedCards = (most = sizes.dryRunCards.most) => {
  const cards = new Map<string, CardRecord>()
  const places = new Map<string, Set<string>>()
  const identified = new Map<string, string>()
  const players = new Map<string, string>()
  const newCards = new Map<string, number>()
  let forgets = false
  return {
    get: (id: string) => cards.get(id),
    put: (id: string, before: CardRecord | undefined, after: CardState, item: CardItem, name: string): boolean => {
      if (!before) newCards.set(after.set_id, (newCards.get(after.set_id) ?? 0) + 1)
      if (!cards.has(id) && cards.size >= most) {
        const isFirst = !forgets
        forgets = true
        return isFirst
      }
      const place = basePlaceOf(after)
      const entries = after.entries as StoredEntry[]
      cards.set(id, { revision: '0', ...before, ...after, id, entries, name: before?.name ?? name })
      places.set(place, (places.get(place) ?? new Set()).add(id))
      if (entries.length === item.entries.length)
        for (const [at, { player }] of item.entries.entries()) {
          const id = entries[at]?.playerId
          if (player && id) players.getOrInsert(id, personName(player))
        }
      for (const one of item.identifiers ?? []) identified.set(keyOfIdentifier(after.set_id, one), id)
      return false
    },
    /** How many cards the import would have made in a set so far. */
    newIn: (setId: string) => newCards.get(setId) ?? 0,
    /** The name of a player on its cards, as the first row has it. */
    playerNamed: (id: string) => players.get(id),
    /** The cards among some ids that it remembers. */
    among: (ids: string[]) => ids.flatMap((id) => cards.get(id) ?? []),
    /** The cards of sets that have a number. */
    inSets: (sets: ReadonlySet<string>) =>
      [...cards.values()].filter(({ set_id, number, deleted }) => sets.has(set_id) && number !== null && !deleted),
    /** The cards of sets that have a number and no parent. */
    orphansIn: (sets: ReadonlySet<string>) =>
      [...cards.values()].flatMap(({ id, set_id, number, parent_id, deleted }) =>
        sets.has(set_id) && number !== null && parent_id === null && !deleted ? id : [],
      ),
    /** The cards that have, or had, a set and number, however it is written. */
    at: (place: string) => [...(places.get(place) ?? [])].flatMap((id) => cards.get(id) ?? []),
    /** The stored cards of the rows' numbers, however they are written, and those that it remembers, in order. */
    numbered: (rows: WantedCard[], stored: string[]) => {
      const asked = new Set(rows.map(({ state }) => basePlaceOf(state)))
      const ids = [...asked].flatMap((place) => [...(places.get(place) ?? [])])
      return [...new Set([...stored, ...ids])].toSorted()
    },
    /** The cards with the rows' identifiers, as `findIdentified` finds stored ones. */
    identified: (rows: WantedCard[]) =>
      rows.flatMap(({ item, state }) =>
        (item.identifiers ?? []).flatMap((one): [string, string][] => {
          const key = keyOfIdentifier(state.set_id, one)
          const id = identified.get(key)
          return id ? [[key, id]] : []
        }),
      ),
  }
}
export type PretendedCards = ReturnType<typeof beginPretendedCards>
