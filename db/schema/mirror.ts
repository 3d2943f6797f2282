import { boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { databaseTime, time } from './columns.ts'

/** A row here makes the database a mirror of another service: nobody else writes its catalog. */
export const mirror = pgTable('mirror', {
  one: boolean().primaryKey().default(true),
  /** The address of the other service. */
  source: text().notNull(),
  /** Its place in the source's feed; null until it was filled once. */
  cursor: text(),
  /** This catalog is the source's as of then. */
  current_at: time(),
  last_applied_at: time(),
  /** While it is being filled: the files, the step, and the id up to which that step is done. */
  is_filling: boolean().notNull().default(true),
  files: jsonb(),
  step: integer().notNull().default(0),
  step_after: uuid(),
  /** When the files of the last filling were made. */
  filled_from: time(),
  /** The process that follows the feed, and until when no other may. */
  holder: uuid(),
  held_until: databaseTime(),
  /** What keeps it from its source, and since when; null while nothing does. */
  fault: text(),
  fault_since: time(),
})

/**
 * Records and deletions of the source that wait for another record to come. Without a body it is a deletion; without
 * `waits_for` it is tried again.
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
