import { asOne } from '../../db/within.ts'
import { makeApp } from '../../src/app.ts'
import { makeContext } from '../../src/context.ts'
import type { TestApp } from './app.ts'

/** Answers a GET, and says how many rows of a table the database read for it, whatever came of them. */
export const readCounting = ({ context, db, headers, baseUrl }: TestApp, table: string, path: string) =>
  asOne(db, async (one, { sql }) => {
    const app = makeApp(makeContext({ ...context, db: one, secret: 'a secret that only tests know of' }))
    const rowsRead = async () => {
      const [row] = await sql<[{ count: number }]>`
        select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as count from pg_stat_xact_user_tables where relname = ${table}`
      return row.count
    }
    const before = await rowsRead()
    const response = await app.handle(new Request(`${baseUrl}${path}`, { headers: headers.reader }))
    const document = (await response.json()) as { data: { id: string }[] }
    return { status: response.status, ids: document.data.map(({ id }) => id), rows: (await rowsRead()) - before }
  })
