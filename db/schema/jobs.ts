import { integer, json, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { databaseTime, origin, time } from './columns.ts'

/**
 * Work that is done after the answer to a request. Mails are jobs, too. A unique `key` makes it one job however often it is
 * enqueued. A running job has a holder, whose lease `locked_until` uses the database's clock. A failed one has no attempts
 * left, or its process died twice (`deaths`) while it ran.
 */
export const jobs = pgTable('jobs', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  payload: json().notNull(),
  key: text(),
  status: text({ enum: ['queued', 'running', 'completed', 'failed'] })
    .notNull()
    .default('queued'),
  priority: smallint().notNull().default(0),
  run_at: time().notNull(),
  attempts: integer().notNull().default(0),
  max_attempts: integer().notNull(),
  deaths: smallint().notNull().default(0),
  holder: uuid(),
  locked_until: databaseTime(),
  progress: json(),
  last_error: text(),
  result: json(),
  created_at: time().notNull(),
  finished_at: time(),
  origin: origin(),
})
