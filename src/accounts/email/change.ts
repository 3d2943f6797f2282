import type { Database, Queryable } from '../../../db/client.ts'
import { violates } from '../../../db/faults.ts'
import { tellAddress } from '../../billing/address.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { validationFailed } from '../../jsonapi/errors.ts'
import { emailKey } from '../../lib/email.ts'
import { hashSecret, randomText } from '../../lib/secret.ts'
import { confirmAddress } from '../../mail/messages/account.ts'

/** How long the link that confirms a new address works. */
const confirmHours = 24

const refused = (field: 'email' | 'token', detail: string) =>
  validationFailed([{ pointer: `/data/attributes/${field}`, detail }])

/** Keeps a new address beside the current one and mails a link to it; a change that was pending ends. */
export const requestEmailChange = ({ db, config, mail }: Context, userId: string, email: string, now: Date) =>
  db.transaction(async (tx) => {
    await refuseTaken(tx, userId, email)
    const [token, expiresAt] = [randomText(64), new Date(now.getTime() + confirmHours * 3_600_000)]
    await tx.sql`
      insert into email_changes (user_id, email, token_hash, expires_at)
      values (${userId}, ${email}, ${hashSecret(token)}, ${expiresAt.toISOString()})
      on conflict (user_id) do update set
        email = excluded.email, token_hash = excluded.token_hash, expires_at = excluded.expires_at`
    const message = confirmAddress(config.brand, { link: `${config.baseUrl}/confirm-email?token=${token}` })
    await mail.queue(tx, email, message, { now })
    return expiresAt
  })

/** 422 where the address is the account's own already, or another's (interface.md). */
const refuseTaken = async (db: Queryable, userId: string, email: string) => {
  const [owner] = await db.sql<
    { id: string }[]
  >`select id from users where email_key collate "C" = ${emailKey(email) ?? null}`
  if (owner) throw refused('email', owner.id === userId ? 'Is the address of the account already.' : 'Is in use.')
}

/** Makes the pending address the account's own, once, and ends links that went to the old one; 422 where the token is unknown or its time is over. */
export const confirmEmailChange = async (
  db: Database,
  token: string,
  now: Date,
): Promise<{ id: string; email: string }> => {
  try {
    return await db.transaction(async (tx) => {
      const [change] = await tx.sql<{ user_id: string; email: string }[]>`
        delete from email_changes
        where token_hash = ${hashSecret(token)} and expires_at > ${now.toISOString()}::timestamptz
        returning user_id, email`
      if (!change) throw refused('token', 'The token is unknown, was used already, or has expired.')
      const { user_id: id, email } = change
      await tx.sql`update users set email = ${email}, email_key = ${emailKey(email) ?? null}, updated_at = ${now.toISOString()} where id = ${id}`
      await tx.sql`delete from password_resets where user_id = ${id}`
      await keepPlace(tx, id, email)
      await enqueue(tx, tellAddress, { userId: id }, { now })
      return { id, email }
    })
  } catch (error) {
    throw violates(error, 'users_email_taken') ? refused('token', 'The address is in use by now.') : error
  }
}

/** Whoever waits for a slot waits on under the new address, in the old place. */
const keepPlace = async (tx: Queryable, userId: string, email: string) => {
  await tx.sql`
    delete from waiting_list where email_key collate "C" = ${emailKey(email) ?? null} and user_id is distinct from ${userId}::uuid`
  await tx.sql`update waiting_list set email = ${email}, email_key = ${emailKey(email) ?? null} where user_id = ${userId}`
}
