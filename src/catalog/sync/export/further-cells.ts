import { arrayOf } from '../../../../db/arrays.ts'
import type { Queryable } from '../../../../db/client.ts'
import { shownParent } from '../../model/resources/card-criteria.ts'

/** The sources that name cards of some sets, in alphabetical order. */
export const sourcesIn = async ({ sql }: Queryable, setIds: string[], level: number): Promise<string[]> => {
  const rows = await sql<{ source: string }[]>`
    select distinct i.source from cards c join identifiers i on i.object_id = c.id
    where c.set_id = any(${arrayOf(setIds)}::uuid[]) and c.deleted_at is null and i.object_type = 'cards'
      and i.audience >= ${level}::int`
  return rows.map(({ source }) => source).toSorted()
}

/** What a table has of cards beside their names and codes, by id: parent, image, notes, and a column `id:SOURCE` for each source. */
export const furtherCells = async (
  { sql }: Queryable,
  ids: string[],
  level: number,
): Promise<Map<string, Partial<Record<string, string>>>> => {
  const cards = await sql.unsafe<Record<'id' | 'parent_id' | 'image_uuid' | 'notes', string | null>[]>(
    `select t.id, ${shownParent(level)} as parent_id, t.image_uuid, t.notes from cards t where t.id = any($1::uuid[])`,
    [arrayOf(ids)],
    { prepare: true },
  )
  // A bar in a cell parts values, so that no cell can have one of these.
  const identifiers = await sql<{ card: string; source: string; values: string[] }[]>`
    select i.object_id as card, i.source, array_agg(i.value order by i.created_at, i.id) as values from identifiers i
    where i.object_id = any(${arrayOf(ids)}::uuid[]) and i.object_type = 'cards' and i.audience >= ${level}::int
      and position('|' in i.value) = 0
    group by i.object_id, i.source`
  const byCard = Map.groupBy(identifiers, ({ card }) => card)
  return new Map(
    cards.map(({ id, ...cells }) => [
      String(id),
      Object.fromEntries([
        ...Object.entries(cells).map(([name, text]) => [name, text ?? '']),
        ...(byCard.get(String(id)) ?? []).map(({ source, values }) => [`id:${source}`, values.join('|')]),
      ]),
    ]),
  )
}
