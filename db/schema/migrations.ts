import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { time } from './columns.ts'

/** Migrations, finished or begun: `steps` statements of one are done. The runner makes this table before all others. */
export const migrations = pgTable('migrations', {
  name: text().primaryKey(),
  steps: integer().notNull(),
  finished_at: time(),
})

/** One row: the process that migrates, and until when. */
export const migrationLease = pgTable('migration_lease', {
  id: integer().primaryKey(),
  holder: uuid(),
  locked_until: time().notNull(),
})
