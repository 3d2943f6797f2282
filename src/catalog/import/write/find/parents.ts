import { arrayOf } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import { mayBeOneNumber, numberKey, partsOfNumber } from '../../../model/card-number.ts'
import type { CardRecord } from '../../../write/record.ts'
import type { CardItem } from '../../read/item.ts'
import type { PlacedSets, Session } from '../session.ts'
import { basePlaceOf, findSpelled, placeOf } from './cards.ts'

/** A row's parent card: an id, null for none, undefined if the row doesn't say, or `missing` if no card has the id. */
type Parent = string | null | undefined | 'missing'

/** Finds the parent card of each row. Rows of the same chunk may be parents, too. */
export const findParents = async (
  db: Database,
  items: CardItem[],
  ids: (string | null)[],
  sets: PlacedSets,
  { isDry, seen, pretendedCards }: Session,
): Promise<Parent[]> => {
  if (!items.some(({ parent }) => parent)) return items.map(({ parent }) => (parent ? null : parent))
  const byId = items.flatMap(({ parent }) => (parent && 'id' in parent ? [parent.id] : []))
  const there = new Set([...(await findCards(db, byId)), ...ids])
  const numbered = await findNumbered(db, items, sets)
  return items.map(({ parent }) => {
    if (!parent) return parent
    if ('id' in parent) return there.has(parent.id) || (isDry && seen.isMet(parent.id)) ? parent.id : 'missing'
    const wanted = placeIn(sets, parent)
    const place = basePlaceOf(wanted)
    const [stored, pretended] = [numbered.get(place) ?? [], pretendedCards?.at(place) ?? []]
    return chooseNumbered(wanted, [...new Map([...stored, ...pretended].map((card) => [card.id, card])).values()])
  })
}

const findCards = async ({ sql }: Database, ids: string[]) => {
  if (ids.length === 0) return []
  const rows = await sql<{ id: string }[]>`select id from cards where id = any(${arrayOf(ids)}::uuid[])`
  return rows.map((row) => row.id)
}

type Numbered = Pick<CardRecord, 'id' | 'set_id' | 'number'>
type Place = Pick<Numbered, 'set_id' | 'number'>

const placeIn = (sets: PlacedSets, { setKey, number }: { setKey: string; number: string }): Place => ({
  set_id: sets.get(setKey)?.id ?? '',
  number,
})

/** The live cards of each set and number that rows name as their parents, however it is written. */
const findNumbered = async (db: Database, items: CardItem[], sets: PlacedSets) => {
  const wanted = items.flatMap(({ parent }) => (parent && 'setKey' in parent ? [placeIn(sets, parent)] : []))
  return Map.groupBy(
    await findSpelled(
      db,
      wanted.filter(({ set_id }) => set_id !== ''),
    ),
    basePlaceOf,
  )
}

/** The first card whose number is written alike, or else the only one with that number. */
const chooseNumbered = (wanted: Place, cards: Numbered[]) => {
  const alike = cards.find((card) => placeOf(card) === placeOf(wanted))
  if (alike) return alike.id
  const parts = partsOfNumber(numberKey(wanted.number))
  const [only, ...others] = cards.filter(
    (card) => card.set_id === wanted.set_id && mayBeOneNumber(partsOfNumber(numberKey(card.number)), parts),
  )
  return only && others.length === 0 ? only.id : null
}
