import { is, type SQL, sql } from 'drizzle-orm'
import { type PgColumn, PgDialect, PgTimestampString, type PreparedQueryConfig } from 'drizzle-orm/pg-core'
import { PostgresJsDatabase, PostgresJsSession } from 'drizzle-orm/postgres-js'
import type postgres from 'postgres'

/** Drizzle's query builder without its transactions, because `Database.transaction` handles turns, deadlines and deadlocks. */
export type Orm = Omit<PostgresJsDatabase, 'transaction' | '$client' | 'query' | '_query'>

/** The builder over one of our clients. Its statements take turns and have deadlines like those written in SQL. */
export const builderOver = (sql: postgres.ISql): Orm =>
  new PostgresJsDatabase(dialect, new Session(sql as postgres.Sql, dialect, undefined), undefined)

const dialect = new PgDialect()

type Bare = Record<string, never>

/**
 * Prepares every statement, as the driver does for SQL, with one round trip instead of two. Errors stay as the database raised
 * them: Drizzle would wrap them in a message that contains the statement's values, which logs and jobs must not keep.
 */
class Session extends PostgresJsSession<postgres.Sql, Bare, Bare> {
  override prepareQuery<T extends PreparedQueryConfig>(
    ...words: Parameters<PostgresJsSession<postgres.Sql, Bare, Bare>['prepareQuery']>
  ) {
    words[2] ??= 'prepared'
    const statement = super.prepareQuery<T>(...words)
    return Object.assign(statement, { queryWithCache: unwrapped }) as typeof statement
  }
}

const unwrapped = (_text: string, _values: unknown, ask: () => Promise<unknown>) => ask()

const nowhere = builderOver({} as postgres.Sql)

type Built = { prepare: (name: string) => { execute: (values?: Record<string, unknown>) => Promise<unknown> } }
type Rows<B extends Built> = Awaited<ReturnType<ReturnType<B['prepare']>['execute']>>

/**
 * A statement that is built once and run with the values of its placeholders. For hot ones, because building takes longer than
 * asking.
 */
export const statement = <B extends Built>(build: (orm: Orm) => B) => {
  let built: ReturnType<Built['prepare']> | undefined
  return ({ sql }: { sql: postgres.ISql }, values: Record<string, unknown>): Promise<Rows<B>> => {
    built ??= build(nowhere).prepare('prepared')
    const here = Object.create(built, { client: { value: sql } }) as typeof built
    return here.execute(values) as Promise<Rows<B>>
  }
}

/** Columns to select, with times as answers show them: RFC 3339 in UTC, to the millisecond. */
export const shown = <Columns extends Record<string, PgColumn | SQL>>(columns: Columns): Columns =>
  Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [
      name,
      is(column, PgTimestampString) ? timeOf(sql`${column}`) : column,
    ]),
  ) as Columns

/** The same for one expression that is a time. */
export const timeOf = (time: SQL): SQL<string> => time.mapWith((text: string) => new Date(text).toISOString())

/**
 * Whether a column has one of these values, in one statement for any number of them. `inArray` would need one for each number.
 */
export const anyOf = (column: PgColumn, values: readonly unknown[]): SQL =>
  sql`${column} = any(${sql.param([...values])})`
