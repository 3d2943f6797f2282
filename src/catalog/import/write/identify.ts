import { arrayOf, arrayOfTexts } from '../../../../db/arrays.ts'
import type { Database } from '../../../../db/client.ts'
import { numberKey } from '../../model/card-number.ts'
import { readCards } from '../../write/card/read.ts'
import type { CardRecord, CardState } from '../../write/record.ts'
import { derivedId } from '../read/identity.ts'
import type { CardItem } from '../read/item.ts'
import type { PlacedSets } from './sets.ts'

/** A row with the card that it describes. */
export type WantedCard = { item: CardItem; state: CardState }

/**
 * The id of each row: its own, or that of the card that equals it; equal rows of a file take equal cards in turn. A new row
 * gets an id derived from its identity, so that a killed import finds its cards again. Null for a row whose id an earlier
 * row has.
 */
export const identify = async (db: Database, wanted: WantedCard[]): Promise<(string | null)[]> => {
  const open = wanted.filter(({ item }) => !item.id)
  const equals = await findEqual(db, open)
  const derived = new Map(open.map((one) => [one, derivedIds(one)]))
  const present = await readCards(
    db,
    [...derived.values()].flatMap((ids) => ids.at(-1) ?? []),
  )
  const seen = new Set<string>()
  return wanted.map((one) => {
    const id = one.item.id ?? pickId(one.state, derived.get(one) ?? [], equals, present)
    if (seen.has(id)) return null
    seen.add(id)
    return id
  })
}

/** The derived ids of the equal rows up to this one. */
const derivedIds = ({ item, state }: WantedCard) => {
  const identity = identityOf(state)
  return Array.from({ length: item.occurrence + 1 }, (_, index) => derivedId('card', identity, index))
}

/** The card once made for this row; otherwise the next equal card that was not made for a row; otherwise a new one. */
const pickId = (
  state: CardState,
  derived: string[],
  equals: Map<string, string[]>,
  present: Map<string, CardRecord>,
) => {
  const identity = identityOf(state)
  const own = derived.at(-1) as string
  const stored = present.get(own)
  if (stored && identityOf(stored) === identity) return own
  const equal = equals.get(identity) ?? []
  const made = new Set([...derived, ...equal.map((_, index) => derivedId('card', identity, derived.length + index))])
  const others = equal.filter((id) => !made.has(id))
  const earlier = derived.slice(0, -1).filter((id) => !equal.includes(id)).length
  return others[earlier] ?? (stored ? crypto.randomUUID() : own)
}

const identityOf = (
  state: Pick<CardState, 'set_id' | 'number' | 'entries' | 'title' | 'attributeIds' | 'serial_number'>,
) =>
  JSON.stringify([
    state.set_id,
    state.number,
    state.entries.map((entry) => entry.id),
    state.title,
    state.attributeIds.toSorted(),
    state.serial_number,
  ])

/** The live cards of the rows' sets with the rows' numbers, by identity, in the order of their ids. */
const findEqual = async (db: Database, wanted: WantedCard[]) => {
  const equals = new Map<string, string[]>()
  if (wanted.length === 0) return equals
  const rows = await db.sql<{ id: string }[]>`
    select c.id from (
      select distinct set_id, number_key
      from unnest(${arrayOf(wanted.map(({ state }) => state.set_id))}::uuid[],
        ${arrayOfTexts(wanted.map(({ state }) => numberKey(state.number)))}::text[]) as w (set_id, number_key)
    ) w
    join cards c on c.set_id = w.set_id and c.number_key collate "C" = w.number_key collate "C" and c.deleted_at is null
    order by c.id`
  const cards = await readCards(
    db,
    rows.map((row) => row.id),
  )
  for (const { id } of rows) {
    const card = cards.get(id)
    if (card) equals.set(identityOf(card), [...(equals.get(identityOf(card)) ?? []), id])
  }
  return equals
}

/** The parent of a row: an id, null for none, undefined where the row says nothing; `missing` where no card has the id. */
export type Parent = string | null | undefined | 'missing'

/** The parent card of each row; rows of the chunk may be parents, too. */
export const findParents = async (
  db: Database,
  items: CardItem[],
  ids: (string | null)[],
  sets: PlacedSets,
): Promise<Parent[]> => {
  const byId = items.flatMap(({ parent }) => (parent && 'id' in parent ? [parent.id] : []))
  const there = new Set([...(await findCards(db, byId)), ...ids])
  const numbered = await findNumbered(db, items, sets)
  return items.map(({ parent }) => {
    if (!parent) return parent
    if ('id' in parent) return there.has(parent.id) ? parent.id : 'missing'
    return numbered.get(placeOf(sets, parent)) ?? null
  })
}

const findCards = async ({ sql }: Database, ids: string[]) => {
  if (ids.length === 0) return []
  const rows = await sql<{ id: string }[]>`select id from cards where id = any(${arrayOf(ids)}::uuid[])`
  return rows.map((row) => row.id)
}

type Numbered = { setKey: string; number: string }

const placeOf = (sets: PlacedSets, { setKey, number }: Numbered) => `${sets.get(setKey)?.id ?? ''} ${numberKey(number)}`

/** The first live card of each set and number that rows name as their parents. */
const findNumbered = async ({ sql }: Database, items: CardItem[], sets: PlacedSets) => {
  const wanted = items.flatMap(({ parent }) =>
    parent && 'setKey' in parent ? [{ setId: sets.get(parent.setKey)?.id ?? null, key: numberKey(parent.number) }] : [],
  )
  if (wanted.length === 0) return new Map<string, string>()
  const rows = await sql<{ id: string; set_id: string; number_key: string }[]>`
    select distinct on (c.set_id, c.number_key) c.id, c.set_id, c.number_key
    from unnest(${arrayOf(wanted.map((one) => one.setId))}::uuid[],
      ${arrayOfTexts(wanted.map((one) => one.key))}::text[]) as w (set_id, number_key)
    join cards c on c.set_id = w.set_id and c.number_key collate "C" = w.number_key collate "C" and c.deleted_at is null
    order by c.set_id, c.number_key, c.id`
  return new Map(rows.map((row) => [`${row.set_id} ${row.number_key}`, row.id]))
}
