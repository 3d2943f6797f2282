import type { Database, Transaction } from './database.ts'
import { DeadlinePassed } from './late.ts'

/**
 * A transaction that finishes by a deadline or throws DeadlinePassed. Its time begins with the call, or if it `waitsInTurn`,
 * once it has a connection; how long it may wait is then limited elsewhere (turns.ts). PostgreSQL stops a statement at the
 * deadline. The embedded database can't: the caller is released, the statement runs to its end and is rolled back.
 */
export const withDeadline = async <T>(
  db: Database,
  milliseconds: number,
  work: (tx: Transaction) => Promise<T>,
  { waitsInTurn = false } = {},
): Promise<T> => {
  let passed = false
  const late = Promise.withResolvers<never>()
  let timer: Timer | undefined
  const begin = () => {
    timer ??= setTimeout(() => {
      passed = true
      late.reject(new DeadlinePassed(milliseconds))
    }, milliseconds)
  }
  if (!waitsInTurn) begin()
  const unlessPassed = () => {
    if (passed) throw new DeadlinePassed(milliseconds)
  }
  const done = db.transaction(async (tx) => {
    begin()
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
