import { type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import type { Queryable } from './database.ts'

/**
 * Deletes the rows that match, a few thousand per statement so that others get their turn, until fewer are left. Locked rows
 * wait for the next sweep. `which` is the condition, with an order if an index has one.
 */
export const sweep = async (db: Queryable, table: PgTable, which: SQL, { atOnce = 5000, signal }: Options = {}) => {
  const key = sql.join(keyOf(table), sql`, `)
  for (;;) {
    signal?.throwIfAborted()
    const swept = await db.orm
      .delete(table)
      .where(sql`(${key}) in (select ${key} from ${table} where ${which} limit ${atOnce} for update skip locked)`)
    if (swept.count < atOnce) return
  }
}

type Options = { atOnce?: number; signal?: AbortSignal }

const keyOf = (table: PgTable) => {
  const { columns, primaryKeys } = getTableConfig(table)
  return [...columns.filter(({ primary }) => primary), ...primaryKeys.flatMap((key) => key.columns)]
}
