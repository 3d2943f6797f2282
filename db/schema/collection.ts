import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { time } from './columns.ts'

/** What accounts have or want, each card once. `card_id` may have been merged or deleted since. */
export const collectionCards = pgTable('collection_cards', {
  id: uuid().primaryKey(),
  user_id: uuid()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  card_id: uuid().notNull(),
  status: text({ enum: ['have', 'want'] }).notNull(),
  quantity: integer().notNull(),
  note: text(),
  created_at: time().notNull(),
  updated_at: time().notNull(),
})
