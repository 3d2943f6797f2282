import { customType, json, type PgTable, smallint, timestamp } from 'drizzle-orm/pg-core'
import type { Origin } from '../../src/lib/origin.ts'

/** A time by the service's clock, to the millisecond, as PostgreSQL writes it: `2026-11-22 19:01:28.123+00`. */
export const time = () => timestamp({ precision: 3, withTimezone: true, mode: 'string' })

/** A time by the database's own clock, to tell whether a process is alive, or which of two writers came first. */
export const databaseTime = () => timestamp({ withTimezone: true, mode: 'string' })

/** A whole number that may exceed JavaScript's safe range, read as text. */
export const bigint = customType<{ data: string }>({ dataType: () => 'bigint' })

export const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

/** The request that caused a row, for logs and traces. */
export const origin = () => json().$type<Origin>()

/** Who may see a row: 0 nobody (deleted), 1 readers of drafts, 2 everyone. */
export const audience = () => smallint().notNull()

/** What every catalog record has. `version` counts its changes and makes its ETag. */
export const record = {
  version: bigint().notNull().default('1'),
  created_at: time().notNull(),
  updated_at: time().notNull(),
  deleted_at: time(),
}

/** A whole row of a table, as a statement or the builder reads it. `Pick` the columns that a statement selects. */
export type Row<Table extends PgTable> = Table['$inferSelect']

/** A row to insert, without generated columns. Columns with a default may be left out. */
export type NewRow<Table extends PgTable> = Table['$inferInsert']
