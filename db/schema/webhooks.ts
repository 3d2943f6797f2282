import { boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { bigint, databaseTime, origin, time } from './columns.ts'

/**
 * Where accounts want to be told of changes. Secrets are sealed. `changes_from` is the number of the first change that
 * `catalog.changed` hasn't told, `events_from` and `events_taken` the place in the feed up to which the other events were told.
 * Nothing is sent before `due_at`, and one process at a time sends (`holder`, until `locked_until`).
 */
export const webhooks = pgTable('webhooks', {
  id: uuid().primaryKey(),
  user_id: uuid()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  target_url: text().notNull(),
  events: text().array().notNull(),
  description: text(),
  secret: text().notNull(),
  secret_before: text(),
  secret_before_until: time(),
  paused_at: time(),
  failing_since: time(),
  changes_from: bigint().notNull(),
  events_from: bigint().notNull(),
  events_taken: integer().notNull().default(0),
  changes_told_at: time(),
  due_at: time(),
  tried_at: time(),
  holder: uuid(),
  locked_until: databaseTime(),
  created_at: time().notNull(),
  updated_at: time().notNull(),
})

/**
 * What was told or is to be told. Of those `in_order`, at most one is pending, and the next one waits for it. Somebody who asks
 * for a delivery (`asked_at`) gets one attempt outside of that order.
 */
export const webhookDeliveries = pgTable('webhook_deliveries', {
  id: uuid().primaryKey(),
  webhook_id: uuid()
    .notNull()
    .references(() => webhooks.id, { onDelete: 'cascade' }),
  event: text().notNull(),
  body: text().notNull(),
  status: text({ enum: ['pending', 'delivered', 'failed'] })
    .notNull()
    .default('pending'),
  in_order: boolean().notNull(),
  asked_at: time(),
  attempts: integer().notNull().default(0),
  response_status: integer(),
  response_body: text(),
  error: text(),
  milliseconds: integer(),
  created_at: time().notNull(),
  tried_at: time(),
  delivered_at: time(),
  origin: origin(),
})
