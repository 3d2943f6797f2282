import type { Transaction } from '../../../db/client.ts'
import { tellAddress } from '../../billing/address.ts'
import { enqueue } from '../../jobs/enqueue.ts'

/**
 * Gives an account another address, and ends what was sent to the one that it had: links to reset the password. Breaks
 * `users_email_taken` where somebody else has the address.
 */
export const moveAccount = async (tx: Transaction, id: string, email: string, now: Date) => {
  await dropUnverified(tx, id, email)
  await tx.sql`update users set email = ${email}, updated_at = ${now.toISOString()} where id = ${id}`
  await tx.sql`delete from password_resets where user_id = ${id}`
  await keepPlace(tx, id, email)
  await enqueue(tx, tellAddress, { userId: id }, { now })
}

/** An account that nobody verified has no claim to its address, and keeps it from nobody. */
const dropUnverified = async (tx: Transaction, id: string, email: string) => {
  await tx.sql`
    delete from users where email_key collate "C" = lower(${email}) and verified_at is null and id <> ${id}`
}

/** Whoever waits for a slot waits on under the new address, in the old place. */
const keepPlace = async (tx: Transaction, userId: string, email: string) => {
  await tx.sql`
    delete from waiting_list where email_key collate "C" = lower(${email}) and user_id is distinct from ${userId}::uuid`
  await tx.sql`update waiting_list set email = ${email} where user_id = ${userId}`
}
