import type { Queryable } from '../../../db/client.ts'
import { emailKey } from '../../lib/email.ts'

/** Whoever waits: an address, and the account that it belongs to where there is a verified one. */
type Waiting = { email: string; userId?: string }

/**
 * Puts somebody on the waiting list. Who is there already keeps the place; an address that was offered a slot and came too
 * late waits again where it did.
 */
export const addToWaitingList = async (db: Queryable, { email, userId }: Waiting, now: Date) => {
  await db.sql`
    insert into waiting_list (id, email, email_key, user_id, listed_at)
    values (${Bun.randomUUIDv7()}, ${email}, ${emailKey(email) ?? null}, ${userId ?? null}, ${now.toISOString()})
    on conflict (email_key collate "C") do update set offered_at = null,
      user_id = coalesce(excluded.user_id, waiting_list.user_id)`
}

/** Takes an address off the list, since it got what it waited for. */
export const leaveWaitingList = async (db: Queryable, email: string) => {
  await db.sql`delete from waiting_list where email_key collate "C" = ${emailKey(email) ?? null}`
}
