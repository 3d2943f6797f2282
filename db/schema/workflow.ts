import { boolean, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { audience, time } from './columns.ts'
import { sets } from './sets.ts'

/**
 * A set's way to publication, which exists as long as the set has todos. Its row is the lock for changes of todos. Audience,
 * year and genre are copies of the set's.
 */
export const workflows = pgTable('workflows', {
  set_id: uuid()
    .primaryKey()
    .references(() => sets.id, { onDelete: 'cascade' }),
  id: uuid().notNull(),
  audience: audience(),
  year_id: uuid(),
  genre_id: uuid(),
  created_at: time().notNull(),
  updated_at: time().notNull(),
})

/**
 * The steps of a workflow, each once. `actionable` says that no earlier step is open, `live` that the set isn't deleted. Year
 * and genre are the set's, all zeros if it has none.
 */
export const setTodos = pgTable('set_todos', {
  id: uuid().primaryKey(),
  set_id: uuid()
    .notNull()
    .references(() => workflows.set_id, { onDelete: 'cascade' }),
  step: text({
    enum: ['discover_sources', 'fetch', 'parse', 'populate', 'validate', 'cleanup', 'publish', 'audit'],
  }).notNull(),
  status: text({ enum: ['pending', 'in_progress', 'completed', 'skipped', 'review'] }).notNull(),
  sort_order: integer().notNull(),
  started_at: time(),
  completed_at: time(),
  completed_by: text(),
  notes: text(),
  issues_found: boolean(),
  actionable: boolean().notNull(),
  live: boolean().notNull(),
  year_id: uuid().notNull(),
  genre_id: uuid().notNull(),
  created_at: time().notNull(),
  updated_at: time().notNull(),
})

/**
 * How many live, actionable todos each step, status, year and genre has, for the totals of lists and the positions of their
 * first rows.
 */
export const todoCounts = pgTable(
  'todo_counts',
  {
    step: text().notNull(),
    status: text().notNull(),
    year_id: uuid().notNull(),
    genre_id: uuid().notNull(),
    todos: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.step, t.status, t.year_id, t.genre_id] })],
)
