import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { time } from './columns.ts'

/** Records of one type that a curator called different for good: a group of duplicates of no others is not shown. */
export const duplicateDismissals = pgTable('duplicate_dismissals', {
  id: uuid().primaryKey(),
  object_type: text({ enum: ['players', 'teams', 'brands', 'manufacturers', 'sets'] }).notNull(),
  ids: uuid().array().notNull(),
  agent_id: text(),
  created_at: time().notNull(),
})
