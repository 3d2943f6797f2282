import type { Queryable } from '../../../../db/client.ts'
import { pagesById } from '../by-id.ts'
import type { Line } from './records.ts'

const rowsInOne = 2000

/** Where the ids of merged records lead in the end, in pages in the order of these ids. */
export async function* exportMerges({ sql }: Queryable): AsyncGenerator<Line[]> {
  const read = (after: string) => sql<{ id: string; object_type: string; merged_into: string }[]>`
    select id, object_type, merged_into(id) as merged_into from redirects
    where id > ${after} order by id limit ${rowsInOne}`
  for await (const rows of pagesById(read)) yield rows.map((row) => ({ type: 'merges', ...row }))
}
