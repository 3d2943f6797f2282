import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { emailKey } from '../lib/email.ts'

/**
 * The condition that an `email_key` is the key of this address, in the form that its index has. False if the text isn't an
 * address.
 */
export const isAddress = (key: PgColumn, email: string): SQL => sql`${key} collate "C" = ${emailKey(email) ?? null}`

/** The key of a text that was already validated as an address. */
export const keyOf = (email: string): string => {
  const key = emailKey(email)
  if (key === undefined) throw new Error('An address has no key.')
  return key
}
