import { arrayOf, arrayOfTexts } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import { numberKey } from '../../../model/card-number.ts'
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

/** Finds cards in the rows' sets by the rows' numbers, including deleted ones, ordered by id. */
export const findNumbered = async ({ sql }: Database, wanted: WantedCard[]) => {
  const rows = await sql<{ id: string }[]>`
    with w as materialized (
      select distinct set_id, number_key
      from unnest(${arrayOf(wanted.map(({ state }) => state.set_id))}::uuid[],
        ${arrayOfTexts(wanted.map(({ state }) => numberKey(state.number)))}::text[]) as w (set_id, number_key)
    )
    select c.id from w
    join cards c on c.set_id = w.set_id and c.number_key collate "C" = w.number_key collate "C" and c.deleted_at is null
    union all
    select c.id from w
    join cards c on c.set_id = w.set_id and c.number_key collate "C" = w.number_key collate "C" and c.deleted_at is not null
    order by id`
  return rows.map((row) => row.id)
}
