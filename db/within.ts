import { builderOver } from './builder.ts'
import { again, type Database, type Transaction, type Whole } from './database.ts'
import { intercepted } from './serve.ts'

/**
 * Runs work on a database whose statements and transactions are all parts of one transaction, so that they commit together. A
 * transaction that fails is undone alone; a statement outside of any that fails ends all of it. Nothing may use the database
 * after the work.
 */
export const asOne = <T>(db: Database, work: (one: Database, tx: Transaction) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    const state = { isOver: false }
    try {
      return await work(within(db, tx, state), tx)
    } finally {
      state.isOver = true
    }
  })

const within = (
  { kind, listen, isAnswering, pool, close }: Database,
  tx: Whole,
  state: { isOver: boolean },
): Database => {
  let last: Promise<unknown> = Promise.resolve()
  const sql = intercepted(tx.sql, (statement, send) =>
    state.isOver ? statement.reject(new Error('The transaction of this database is over.')) : send(statement),
  )
  const one: Database = {
    ...{ kind, listen, isAnswering, pool, close },
    ...{ sql, orm: builderOver(sql), notify: tx.notify, origin: tx.origin },
    transaction: (work) => {
      const done = last.then(() => again(() => tx.part(work)))
      last = done.catch(() => {})
      return done
    },
    servedTo: () => one,
    forJob: () => one,
    get heavy() {
      return one
    },
    get shared() {
      return one
    },
    get catalog() {
      return one
    },
    get gate() {
      return one
    },
    get pulse() {
      return one
    },
  }
  return one
}
