import { boolean, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bytea, time } from './columns.ts'

/** People with a verified address. `signed_up` marks those that take a founding slot. `email_key` comes from `emailKey`. */
export const users = pgTable('users', {
  id: uuid().primaryKey(),
  email: text().notNull(),
  email_key: text().notNull(),
  name: text(),
  password_hash: text(),
  operator: boolean().notNull().default(false),
  verified_at: time(),
  created_at: time().notNull(),
  updated_at: time().notNull(),
  signed_up: boolean().notNull().default(false),
})

/** Invitations to sign up. Only the hash of a code is stored. */
export const invites = pgTable('invites', {
  id: uuid().primaryKey(),
  code_hash: bytea().notNull(),
  label: text(),
  email: text(),
  max_uses: integer().notNull(),
  expires_at: time(),
  revoked_at: time(),
  created_at: time().notNull(),
  updated_at: time().notNull(),
})

/** A sign-up that used an invite: held for a limited time, or claimed permanently. */
export const inviteUses = pgTable('invite_uses', {
  id: uuid().primaryKey(),
  invite_id: uuid()
    .notNull()
    .references(() => invites.id, { onDelete: 'cascade' }),
  held_until: time().notNull(),
  claimed_at: time(),
})

/**
 * Sign-ups. An unverified address belongs to nobody: several sign-ups may wait for it, each with its own password. Verifying
 * one creates the account (`user_id`) and ends the others. An unverified sign-up is deleted after `kept_until`.
 */
export const signUps = pgTable('sign_ups', {
  id: uuid().primaryKey(),
  email: text().notNull(),
  email_key: text().notNull(),
  name: text(),
  password_hash: text(),
  invite_use_id: uuid().references(() => inviteUses.id, { onDelete: 'set null' }),
  user_id: uuid().references(() => users.id, { onDelete: 'cascade' }),
  signed_up_at: time().notNull(),
  kept_until: time().notNull(),
})

/** Links that verify a sign-up. A replaced one still answers for a minute. A used one stays known. */
export const verifications = pgTable('verifications', {
  id: uuid().primaryKey(),
  token_hash: bytea().notNull(),
  issued_at: time().notNull(),
  expires_at: time().notNull(),
  replaced_at: time(),
  burned_at: time(),
  sign_up_id: uuid()
    .notNull()
    .references(() => signUps.id, { onDelete: 'cascade' }),
})

/** Who is waiting for a founding slot: a verified account, or an address that hasn't signed up yet. */
export const waitingList = pgTable('waiting_list', {
  id: uuid().primaryKey(),
  email: text().notNull(),
  email_key: text().notNull(),
  user_id: uuid().references(() => users.id, { onDelete: 'cascade' }),
  listed_at: time().notNull(),
  offered_at: time(),
})

/** Links that set a new password. */
export const passwordResets = pgTable('password_resets', {
  token_hash: bytea().primaryKey(),
  user_id: uuid()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  expires_at: time().notNull(),
})

/** An address change that waits for its link, one per account. */
export const emailChanges = pgTable('email_changes', {
  user_id: uuid()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  email: text().notNull(),
  token_hash: bytea().notNull(),
  expires_at: time().notNull(),
})

/** Links sent to the address that an account had before a change. Each restores that address. */
export const emailUndos = pgTable('email_undos', {
  token_hash: bytea().primaryKey(),
  user_id: uuid()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  email: text().notNull(),
  changed_at: time().notNull(),
  expires_at: time().notNull(),
})

/** Networks that an account signed in from, as keyed hashes. Failed sign-ins from there are counted separately. */
export const signInNetworks = pgTable(
  'sign_in_networks',
  {
    user_id: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    network_hash: bytea().notNull(),
    signed_in_at: time().notNull(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.network_hash] })],
)
