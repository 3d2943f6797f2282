import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { time } from './columns.ts'

/**
 * Migrations, finished or started. `steps` of a migration's statements are done. The runner creates this table before all
 * others.
 */
export const migrations = pgTable('migrations', {
  name: text().primaryKey(),
  steps: integer().notNull(),
  finished_at: time(),
})

/** A single row: the process that migrates, and until when. */
export const migrationLease = pgTable('migration_lease', {
  id: integer().primaryKey(),
  holder: uuid(),
  locked_until: time().notNull(),
})
