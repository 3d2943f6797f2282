import type { Database } from '../../../../db/client.ts'
import type { Arguments } from '../../list/statement.ts'

/** Reads several selects, each of one JSON value, with one statement. A round trip costs more than most of them. */
export const readTogether = async <T>(db: Database, selects: Record<string, string>, args: Arguments): Promise<T> => {
  const columns = Object.entries(selects).map(([name, select]) => `(${select}) as "${name}"`)
  const [row] = await db.sql.unsafe<[T & object]>(`select ${columns.join(', ')}`, args.values as never[], {
    prepare: true,
  })
  return row
}
