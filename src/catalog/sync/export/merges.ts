import type { Queryable } from '../../../../db/client.ts'
import { beyond, pagesById } from '../by-id.ts'
import type { Line } from './records.ts'

const rowsInOne = 2000

/** The ids of merged records and where each finally leads, in pages in the order of the ids. */
export async function* exportMerges({ sql }: Queryable): AsyncGenerator<Line[]> {
  const read = (after: string | undefined) => {
    const [where, args] = beyond('id', after)
    return sql.unsafe<{ id: string; object_type: string; merged_into: string }[]>(
      `select id, object_type, merged_into(id) as merged_into from redirects where ${where} order by id limit ${rowsInOne}`,
      args,
    )
  }
  for await (const rows of pagesById(read)) yield rows.map((row) => ({ type: 'merges', ...row }))
}
