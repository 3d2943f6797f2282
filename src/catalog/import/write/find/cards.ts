import { arrayOf, arrayOfTexts } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import { numberKey, partsOfNumber, spellingsOfNumber } from '../../../model/card-number.ts'
import type { CardState, StoredEntry } from '../../../write/record.ts'
import type { CardItem, Identifier } from '../../read/item.ts'

/** A row with the card that it describes, the players and teams on it, and the ids of the codes that it denies. */
export type WantedCard = {
  item: CardItem
  state: CardState & { entries: StoredEntry[] }
  people: string[]
  denied: string[]
}

/** A card's set and number, as a key. */
export const placeOf = (card: Pick<CardState, 'set_id' | 'number'> | undefined) =>
  `${card?.set_id} ${numberKey(card?.number ?? null)}`

/** An identifier in a set. */
export const keyOfIdentifier = (setId: string, { source, value }: Identifier) => JSON.stringify([setId, source, value])

/** Finds live cards in the rows' sets by the rows' identifiers. */
export const findIdentified = async ({ sql }: Database, wanted: WantedCard[]): Promise<Map<string, string>> => {
  const given = wanted.flatMap(({ item, state }) =>
    (item.identifiers ?? []).map((one) => ({ ...one, set_id: state.set_id })),
  )
  if (given.length === 0) return new Map()
  const rows = await sql<(Identifier & { id: string; set_id: string })[]>`
    select c.id, c.set_id, i.source, i.value
    from jsonb_to_recordset(${JSON.stringify(given)}::text::jsonb) as n (set_id uuid, source text, value text)
    join identifiers i on i.value = n.value and i.source = n.source and i.object_type = 'cards' and i.deleted_at is null
    join cards c on c.id = i.object_id and c.set_id = n.set_id and c.deleted_at is null`
  return new Map(rows.map((row) => [keyOfIdentifier(row.set_id, row), row.id]))
}

/** The set and number of cards that may be one whose number is written in two ways, as a key. */
export const basePlaceOf = (card: Pick<CardState, 'set_id' | 'number'> | undefined) =>
  `${card?.set_id} ${partsOfNumber(numberKey(card?.number ?? null)).base}`

type Numbered = Pick<CardState, 'set_id' | 'number' | 'title'> & { id: string }

/** Finds the live cards of sets by numbers, also as they are written in another way (`basePlaceOf`), ordered by id. */
export const findSpelled = async ({ sql }: Pick<Database, 'sql'>, asked: Pick<CardState, 'set_id' | 'number'>[]) => {
  const places = new Map(asked.map((one) => [basePlaceOf(one), one]))
  const keys = [...places.values()].flatMap(({ set_id, number }) =>
    spellingsOfNumber(partsOfNumber(numberKey(number))).map((key) => ({ set_id, key })),
  )
  if (keys.length === 0) return []
  // A total stands behind a slash, which comes before the digits. No plan but one look into the index for each key is fast.
  const rows = await sql<Numbered[]>`
    select c.id, c.set_id, c.number, c.title
    from unnest(${arrayOf(keys.map((one) => one.set_id))}::uuid[], ${arrayOfTexts(keys.map((one) => one.key))}::text[])
      as w (set_id, key)
    cross join lateral (
      select id, set_id, number, title from cards
      where set_id = w.set_id and number_key collate "C" >= w.key collate "C" and number_key collate "C" < (w.key || '0') collate "C"
        and deleted_at is null
      offset 0
    ) c
    order by c.id`
  return rows.filter((row) => places.has(basePlaceOf(row)))
}

/**
 * Finds cards in the rows' sets by the rows' numbers, including deleted ones, ordered by id. If no live card has a row's number, also
 * those that have it written in another way.
 */
export const findNumbered = async (db: Database, wanted: WantedCard[]) => {
  const states = wanted.map(({ state }) => state)
  const rows = await db.sql<(Omit<Numbered, 'title'> & { is_live: boolean })[]>`
    with w as materialized (
      select distinct set_id, number_key
      from unnest(${arrayOf(states.map(({ set_id }) => set_id))}::uuid[],
        ${arrayOfTexts(states.map(({ number }) => numberKey(number)))}::text[]) as w (set_id, number_key)
    )
    select c.id, c.set_id, c.number, true as is_live from w
    join cards c on c.set_id = w.set_id and c.number_key collate "C" = w.number_key collate "C" and c.deleted_at is null
    union all
    select c.id, c.set_id, c.number, false from w
    join cards c on c.set_id = w.set_id and c.number_key collate "C" = w.number_key collate "C" and c.deleted_at is not null`
  const there = new Set(rows.flatMap((row) => (row.is_live ? placeOf(row) : [])))
  const spelled = await findSpelled(
    db,
    states.filter((state) => state.number !== null && !there.has(placeOf(state))),
  )
  return [...new Set([...rows, ...spelled].map(({ id }) => id))].toSorted()
}
