import type { Queryable } from '../../../../db/client.ts'
import type { Line } from './records.ts'

const rowsInOne = 2000

/** Where the ids of merged records lead in the end, in pages in the order of these ids. */
export async function* exportMerges({ sql }: Queryable): AsyncGenerator<Line[]> {
  for (let last = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await sql<{ id: string; object_type: string; merged_into: string }[]>`
      select id, object_type, merged_into(id) as merged_into from redirects
      where id > ${last} order by id limit ${rowsInOne}`
    const end = rows.at(-1)
    if (!end) return
    yield rows.map((row) => ({ type: 'merges', ...row }))
    last = end.id
  }
}
