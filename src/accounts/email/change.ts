import type { Queryable, Transaction } from '../../../db/client.ts'
import { violates } from '../../../db/faults.ts'
import type { Caller } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import { validationFailed } from '../../jsonapi/errors.ts'
import { emailKey } from '../../lib/email.ts'
import { hashSecret, randomText } from '../../lib/secret.ts'
import { lifetimes } from '../../limits.ts'
import { confirmAddress } from '../../mail/messages/account.ts'
import { holdAccount, holdForSession } from '../sessions/session.ts'
import { moveAccount } from './move.ts'
import { tellOldAddress } from './undo.ts'

/** How long the link that confirms a new address works. */

const refused = (field: 'email' | 'token', detail: string) =>
  validationFailed([{ pointer: `/data/attributes/${field}`, detail }])

/** Keeps a new address beside the current one and mails a link to it; a change that was pending ends. */
export const requestEmailChange = (
  { db, config, mail }: Context,
  { userId, credentialId }: Pick<Caller, 'userId' | 'credentialId'>,
  email: string,
  now: Date,
) =>
  db.transaction(async (tx) => {
    const id = userId ?? ''
    await holdForSession(tx, id, credentialId)
    await refuseTaken(tx, id, email)
    const [token, expiresAt] = [randomText(64), new Date(now.getTime() + lifetimes.emailLink.seconds * 1000)]
    await tx.sql`
      insert into email_changes (user_id, email, token_hash, expires_at)
      values (${id}, ${email}, ${hashSecret(token)}, ${expiresAt.toISOString()})
      on conflict (user_id) do update set
        email = excluded.email, token_hash = excluded.token_hash, expires_at = excluded.expires_at`
    const message = confirmAddress(config.brand, { link: `${config.baseUrl}/confirm-email?token=${token}` })
    await mail.queue(tx, email, message, { now })
    return expiresAt
  })

/** 422 where the address is the account's own already, or another's (interface.md), which was verified. */
const refuseTaken = async (db: Queryable, userId: string, email: string) => {
  const [owner] = await db.sql<{ id: string }[]>`
    select id from users where email_key collate "C" = ${emailKey(email) ?? null}`
  if (owner) throw refused('email', owner.id === userId ? 'Is the address of the account already.' : 'Is in use.')
}

/**
 * Makes the pending address the account's own, once, ends links that went to the old one, and sends that one a link which
 * undoes the change; 422 where the token is unknown or its time is over.
 */
export const confirmEmailChange = async (
  context: Context,
  token: string,
  now: Date,
): Promise<{ id: string; email: string }> => {
  try {
    return await context.db.transaction(async (tx) => {
      const change = await takeChange(tx, token, now)
      if (!change) throw refused('token', 'The token is unknown, was used already, or has expired.')
      const { id, email, old } = change
      await moveAccount(tx, id, email, now)
      await tellOldAddress(context, tx, { id, email: old }, now)
      return { id, email }
    })
  } catch (error) {
    throw violates(error, 'users_email_taken') ? refused('token', 'The address is in use by now.') : error
  }
}

/** Redeems the token, with the account held and the address that it had. */
const takeChange = async (tx: Transaction, token: string, now: Date) => {
  const hash = hashSecret(token)
  const [known] = await tx.sql<{ user_id: string }[]>`select user_id from email_changes where token_hash = ${hash}`
  if (!known) return undefined
  await holdAccount(tx, known.user_id)
  const [change] = await tx.sql<{ id: string; email: string; old: string }[]>`
    delete from email_changes c using users u
    where c.token_hash = ${hash} and c.expires_at > ${now.toISOString()}::timestamptz and u.id = c.user_id
    returning u.id, c.email, u.email as old`
  return change
}
