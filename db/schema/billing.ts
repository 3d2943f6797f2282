import { boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { bigint, time } from './columns.ts'

/** What an account has paid for, as Stripe last reported. `reminded_days` is the last reminder sent before a trial ends. */
export const subscriptions = pgTable('subscriptions', {
  user_id: uuid()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  plan: text({ enum: ['trial', 'starter', 'pro'] }),
  status: text({ enum: ['trialing', 'active', 'past_due', 'canceled', 'paused'] }).notNull(),
  trial_ends_at: time(),
  current_period_end: time(),
  cancel_at_period_end: boolean().notNull().default(false),
  cancel_at: time(),
  stripe_subscription_id: text(),
  created_at: time().notNull(),
  updated_at: time().notNull(),
  reminded_days: integer(),
})

/**
 * An account's Stripe customer. `customer_key` is the idempotency key of the call that creates it. Each look at Stripe takes a
 * number before it begins (`looks`), and is written only if that is higher than the last one applied (`applied_look`). So the
 * order of events doesn't matter.
 */
export const billingAccounts = pgTable('billing_accounts', {
  user_id: uuid()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  stripe_customer_id: text(),
  customer_key: uuid().notNull(),
  looks: bigint().notNull().default('0'),
  applied_look: bigint().notNull().default('0'),
  created_at: time().notNull(),
})

/** Stripe events that were handled. */
export const stripeEvents = pgTable('stripe_events', {
  id: text().primaryKey(),
  type: text().notNull(),
  handled_at: time().notNull(),
})
