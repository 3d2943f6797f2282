import { PgDialect } from 'drizzle-orm/pg-core'
import { drizzle, PostgresJsDatabase, PostgresJsSession } from 'drizzle-orm/postgres-js'
import type postgres from 'postgres'
import { hasCode } from './faults.ts'

/** Raw SQL. Timestamps, dates, counts and bigints come as text; arguments are sent apart from the statement. */
export type Sql = postgres.ISql

/** The query builder over the same client. */
export type Orm = PostgresJsDatabase

/** What a function needs that only asks and tells: a database or a transaction. */
export type Queryable = {
  readonly sql: Sql
  readonly orm: Orm
  /**
   * Wakes whoever listens, in every process on this database; in a transaction once that has committed. It may be lost:
   * a slow poll has to stand behind it.
   */
  readonly notify: (channel: string, payload?: string) => Promise<void>
}

/** Work that stands or falls together. Inside one use nothing but this: on the embedded database the rest waits for it. */
export type Transaction = Queryable & { readonly kind: Database['kind'] }

/** How many connections a pool may have, how many are at work, and how many statements wait for one. */
export type Pool = { max: number; busy: number; waiting: number }

/** One door to a database, wherever it runs. */
export type Database = Queryable & {
  readonly kind: 'embedded' | 'postgres'
  /** READ COMMITTED; begun again from the start after a deadlock or a serialization failure, so `work` may run twice. */
  transaction: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>
  /** Answers with the function that stops listening. */
  listen: (channel: string, heard: (payload: string) => void) => Promise<() => Promise<void>>
  pool: () => Pool
  close: () => Promise<void>
}

/** How a kind of database carries notifications and how it ends. */
type Ways = Pick<Database, 'kind' | 'notify' | 'listen' | 'close'>

/** Makes the door over a client of postgres.js; sets the client's parsers as Drizzle needs them. */
export const makeDatabase = (client: postgres.Sql, ways: Ways): Database => ({
  ...ways,
  sql: client,
  orm: drizzle(client),
  // The client's own figures (patches/).
  pool: () => (client as unknown as { pool: () => Pool }).pool(),
  transaction: (work) => again(() => once(client, ways, work)),
})

/** Locks are taken in one order, so that few transactions meet otherwise; one that was overtaken by others so often fails. */
const attempts = 4

const again = async <T>(begin: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await begin()
    } catch (error) {
      if (attempt === attempts || !hasCode(error, '40001', '40P01')) throw error
      await Bun.sleep(Math.random() * 10 * attempt)
    }
}

const once = async <T>(client: postgres.Sql, { kind, notify }: Ways, work: (tx: Transaction) => Promise<T>) => {
  let result: T | undefined
  const said = new Map<string, [channel: string, payload?: string]>()
  await client.begin('isolation level read committed', async (sql) => {
    const say: Queryable['notify'] = async (...words) => void said.set(words.join(' '), words)
    result = await work(inside(sql, kind, say))
  })
  for (const words of said.values()) notify(...words).catch(() => {})
  return result as T
}

const inside = (sql: postgres.TransactionSql, kind: Database['kind'], notify: Queryable['notify']): Transaction => {
  let orm: Orm | undefined
  return {
    kind,
    sql,
    notify,
    get orm() {
      orm ??= builder(sql)
      return orm
    },
  }
}

const dialect = new PgDialect()

const builder = (sql: postgres.TransactionSql): Orm =>
  new PostgresJsDatabase(dialect, new PostgresJsSession(sql as unknown as postgres.Sql, dialect, undefined), undefined)
