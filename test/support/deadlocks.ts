import type { Database } from '../../db/client.ts'

/**
 * How many deadlocks PostgreSQL has counted in a database. First every connection reports those that it hasn't reported yet.
 */
export const countDeadlocks = async (db: Database): Promise<number> => {
  const { max } = db.pool()
  // Requests have `max` connections. The service itself has half as many of its own.
  await Promise.all([tellOn(db.shared, max), tellOn(db, Math.ceil(max / 2))])
  const [row] = await db.sql<{ deadlocks: string }[]>`
    select deadlocks from pg_stat_database where datname = current_database()`
  return Number(row?.deadlocks)
}

/** Opens this many connections at once, so that each of them reports. */
const tellOn = async ({ transaction }: Pick<Database, 'transaction'>, connections: number) => {
  let there = 0
  const all = Promise.withResolvers<void>()
  await Promise.all(
    Array.from({ length: connections }, () =>
      transaction(async (tx) => {
        await tx.sql`select pg_stat_force_next_flush()`
        if (++there === connections) all.resolve()
        await all.promise
      }),
    ),
  )
}
