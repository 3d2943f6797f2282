import type { Database } from '../../db/client.ts'

/** How many deadlocks PostgreSQL has counted in a database: each connection of the pool says what it has not told yet. */
export const countDeadlocks = async (db: Database): Promise<number> => {
  const { max } = db.pool()
  let there = 0
  const all = Promise.withResolvers<void>()
  await Promise.all(
    Array.from({ length: max }, () =>
      db.transaction(async (tx) => {
        await tx.sql`select pg_stat_force_next_flush()`
        if (++there === max) all.resolve()
        await all.promise
      }),
    ),
  )
  const [row] = await db.sql<{ deadlocks: string }[]>`
    select deadlocks from pg_stat_database where datname = current_database()`
  return Number(row?.deadlocks)
}
