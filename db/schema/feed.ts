import { sql } from 'drizzle-orm'
import { boolean, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { bigint, databaseTime, origin, time } from './columns.ts'

/**
 * What happened, written in the same transaction: `ids` of one type that moved between the same two audiences. A sequencer
 * numbers it after the commit (`no`), so that no number appears after a later one. `noted_at` is taken under the writer's
 * locks, so that two changes of one record keep their order.
 */
export const changes = pgTable('changes', {
  id: uuid().primaryKey(),
  no: bigint(),
  type: text().notNull(),
  ids: uuid().array().notNull(),
  audience_before: smallint().notNull(),
  audience_after: smallint().notNull(),
  changed_at: time().notNull(),
  noted_at: databaseTime().notNull().default(sql`clock_timestamp()`),
  origin: origin(),
})

/** A single row: the last number in the feed. */
export const feed = pgTable('feed', {
  one: boolean().primaryKey().default(true),
  last: bigint().notNull(),
})

/** The catalog as files. Those of one generation were written together. The feed continues after them at `feed_no`. */
export const bulkFiles = pgTable('bulk_files', {
  id: uuid().primaryKey(),
  generation: uuid().notNull(),
  resource: text().notNull(),
  count: bigint().notNull(),
  bytes: bigint().notNull(),
  sha256: text().notNull(),
  feed_no: bigint().notNull(),
  generated_at: time().notNull(),
})
