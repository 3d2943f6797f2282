import { arrayOf, arrayOfTexts } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import { numberKey } from '../../../model/card-number.ts'
import type { CardItem } from '../../read/item.ts'
import type { PlacedSets, Session } from '../session.ts'

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
    const place = placeOf(sets, parent)
    return numbered.get(place) ?? pretendedCards?.at(place)[0] ?? null
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
