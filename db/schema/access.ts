import { sql } from 'drizzle-orm'
import { boolean, date, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { bigint, bytea, time } from './columns.ts'

/**
 * Keys, tokens, OAuth clients and sessions. Only hashes of secrets are stored. `plan_…` is the plan's allowance, `agreed_…` one
 * by agreement, which takes precedence. `next_…` replaces it at `next_from`, and null there ends the agreement. Access tokens
 * carry the client's `generation`, and tokens of earlier generations are refused.
 */
export const credentials = pgTable('credentials', {
  id: uuid().primaryKey(),
  kind: text({ enum: ['subscriber_key', 'personal_token', 'oauth_client', 'session'] }).notNull(),
  user_id: uuid()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  name: text(),
  secret_hash: bytea().notNull(),
  last_four: text().notNull(),
  scopes: text().array().notNull().default(sql`'{}'::text[]`),
  internal_approved: boolean().notNull().default(false),
  internal_pool: boolean().notNull().default(false),
  plan_limit: integer(),
  plan_window_seconds: integer(),
  agreed_limit: integer(),
  agreed_window_seconds: integer(),
  next_limit: integer(),
  next_window_seconds: integer(),
  next_from: time(),
  expires_at: time(),
  revoked_at: time(),
  created_at: time().notNull(),
  generation: integer().notNull().default(0),
})

/** Access tokens that were revoked individually, kept until they would have expired. The tokens themselves aren't stored. */
export const revokedTokens = pgTable('revoked_tokens', {
  token_id: text().primaryKey(),
  expires_at: time().notNull(),
})

/** Fixed rate windows, one row each, rewritten at every request. */
export const rateWindows = pgTable('rate_windows', {
  key: text().primaryKey(),
  opened_at: time().notNull(),
  closes_at: time().notNull(),
  count: bigint().notNull(),
})

/** Requests by credential and day (UTC). Rows outlive the credential and the account. */
export const usageDays = pgTable(
  'usage_days',
  {
    credential_id: uuid().notNull(),
    day: date().notNull(),
    user_id: uuid().notNull(),
    requests: bigint().notNull(),
    last_request_at: time().notNull(),
  },
  (t) => [primaryKey({ columns: [t.credential_id, t.day] })],
)

/**
 * The answers of requests with an `Idempotency-Key`, sealed, written in the transaction of their write. `asked` is the hash of the
 * request. Both are null while nothing was done under a key: its row is what a request holds as long as it is at work.
 */
export const keptAnswers = pgTable(
  'kept_answers',
  {
    credential_id: uuid().notNull(),
    key: text().notNull(),
    asked: bytea(),
    answer: bytea(),
    created_at: time().notNull(),
  },
  (t) => [primaryKey({ columns: [t.credential_id, t.key] })],
)

/**
 * Named values that the service remembers: its secret if APP_SECRET isn't set, whether the demo was loaded, renames in
 * progress. The row `founding_slots` is the lock for giving out slots.
 */
export const settings = pgTable('settings', {
  name: text().primaryKey(),
  value: text().notNull(),
})
