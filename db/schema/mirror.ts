import { boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { databaseTime, time } from './columns.ts'

/** A row here makes the database a mirror of another service, so nobody else writes its catalog. */
export const mirror = pgTable('mirror', {
  one: boolean().primaryKey().default(true),
  /** The URL of the other service. */
  source: text().notNull(),
  /** The position in the source's feed. Null until the catalog was filled once. */
  cursor: text(),
  /** When this catalog was last the same as the source's. */
  current_at: time(),
  last_applied_at: time(),
  /** While it is being filled: the files, the step, and the last id that the step has done. */
  is_filling: boolean().notNull().default(true),
  files: jsonb(),
  step: integer().notNull().default(0),
  step_after: uuid(),
  /** When the files of the last fill were made. */
  filled_from: time(),
  /** The process that follows the feed, and until when no other may. */
  holder: uuid(),
  held_until: databaseTime(),
  /** What keeps it from reading its source, and since when. Null if nothing does. */
  fault: text(),
  fault_since: time(),
})

/**
 * Records and deletions from the source that wait for another record to arrive. Without a body, it is a deletion. Without
 * `waits_for`, it is tried again.
 */
export const mirrorWaiting = pgTable(
  'mirror_waiting',
  {
    type: text().notNull(),
    id: uuid().notNull(),
    waits_for: uuid(),
    body: text(),
  },
  (t) => [primaryKey({ columns: [t.type, t.id] })],
)
