import type { Database, Transaction } from './database.ts'

/** Work was not done by its deadline. The code is PostgreSQL's own for a statement that was stopped. */
class DeadlinePassed extends Error {
  readonly code = '57014'

  constructor(milliseconds: number) {
    super(`The database did not answer within ${milliseconds} ms.`)
  }
}

/**
 * A transaction that answers by a deadline or throws DeadlinePassed. PostgreSQL stops a statement at it. The embedded
 * database cannot: there the caller is let go, the statement ends in its own time, and nothing of it is kept.
 */
export const withDeadline = async <T>(
  db: Database,
  milliseconds: number,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> => {
  let passed = false
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    passed = true
    late.reject(new DeadlinePassed(milliseconds))
  }, milliseconds)
  const unlessPassed = () => {
    if (passed) throw new DeadlinePassed(milliseconds)
  }
  const done = db.transaction(async (tx) => {
    unlessPassed()
    if (db.kind === 'postgres') await tx.sql`select set_config('statement_timeout', ${String(milliseconds)}, true)`
    const result = await work(tx)
    unlessPassed()
    return result
  })
  done.catch(() => {})
  try {
    return await Promise.race([done, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
