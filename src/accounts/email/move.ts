import type { Transaction } from '../../../db/client.ts'
import { tellAddress } from '../../billing/address.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { emailKey } from '../../lib/email.ts'

/**
 * Gives an account another address, and ends what was sent to the one that it had: links to reset the password. Breaks
 * `users_email_taken` where somebody else has the address.
 */
export const moveAccount = async (tx: Transaction, id: string, email: string, now: Date) => {
  const key = emailKey(email) ?? null
  await tx.sql`
    update users set email = ${email}, email_key = ${key}, updated_at = ${now.toISOString()} where id = ${id}`
  await tx.sql`delete from password_resets where user_id = ${id}`
  await keepPlace(tx, id, email, key)
  await enqueue(tx, tellAddress, { userId: id }, { now })
}

/** Whoever waits for a slot waits on under the new address, in the old place. */
const keepPlace = async (tx: Transaction, userId: string, email: string, key: string | null) => {
  await tx.sql`
    delete from waiting_list where email_key collate "C" = ${key} and user_id is distinct from ${userId}::uuid`
  await tx.sql`update waiting_list set email = ${email}, email_key = ${key} where user_id = ${userId}`
}
