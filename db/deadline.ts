import type { Database, Transaction } from './database.ts'
import { DeadlinePassed } from './late.ts'

/**
 * A transaction that answers by a deadline or throws DeadlinePassed. Its time begins when it is asked for, or where it
 * `waitsInTurn`, when it has a connection: how long it may wait is said elsewhere then (turns.ts). PostgreSQL stops a statement
 * at it. The embedded database cannot: there the caller is let go, the statement ends in its own time, and nothing of it is kept.
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
