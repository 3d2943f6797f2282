import type { Database } from '../../../db/client.ts'
import { numberKey } from '../model/card-number.ts'

/** The sorted ids of the visible cards for each pair of set and number, up to `most` each. One statement reads all pairs. */
export const cardsByNumber = async (
  { sql }: Database,
  asked: { setId: string; number: string }[],
  level: number,
  most: number,
): Promise<string[][]> => {
  const found: string[][] = asked.map(() => [])
  if (asked.length === 0) return found
  const rows = await sql<{ place: number; id: string }[]>`
    select a.place, c.id
    from unnest(
      ${asked.map((_, place) => place)}::int[], ${asked.map(({ setId }) => setId)}::uuid[],
      ${asked.map(({ number }) => numberKey(number))}::text[], ${asked.map(({ number }) => number)}::text[]
    ) as a (place, set_id, number_key, number)
    join sets s on s.id = a.set_id and ${sql.unsafe(`s.audience >= ${level}`)}
    cross join lateral (
      select t.id from cards t
      where t.set_id = a.set_id and t.number_key collate "C" = a.number_key and t.number = a.number and t.deleted_at is null
      order by t.id limit ${sql.unsafe(String(most))}
    ) c
    order by a.place, c.id`
  for (const { place, id } of rows) found[place]?.push(id)
  return found
}
