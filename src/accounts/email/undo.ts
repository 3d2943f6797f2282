import type { Transaction } from '../../../db/client.ts'
import { violates } from '../../../db/faults.ts'
import type { Context } from '../../context.ts'
import { validationFailed } from '../../jsonapi/errors.ts'
import { hashSecret, randomText } from '../../lib/secret.ts'
import { lifetimes } from '../../limits.ts'
import { addressChanged } from '../../mail/messages/account.ts'
import { endSessions, holdAccount } from '../sessions/session.ts'
import { moveAccount } from './move.ts'

/** How long the link works that undoes a change of address (decisions.md §12). */

/** Tells the address that an account had until now of the change, with a link that undoes it. */
export const tellOldAddress = async (
  { config, mail }: Context,
  tx: Transaction,
  { id, email }: { id: string; email: string },
  now: Date,
) => {
  const [token, expiresAt] = [randomText(64), new Date(now.getTime() + lifetimes.undoLink.seconds * 1000)]
  await tx.sql`
    insert into email_undos (token_hash, user_id, email, changed_at, expires_at)
    values (${hashSecret(token)}, ${id}, ${email}, ${now.toISOString()}, ${expiresAt.toISOString()})`
  const message = addressChanged(config.brand, { link: `${config.baseUrl}/undo-email?token=${token}` })
  await mail.queue(tx, email, message, { now })
}

/**
 * Gives an account the address back that it had before a change, whatever changes came after that one: their links end with
 * it, and so do all sessions, a pending change, and links to reset the password. 422 where the token is unknown, was used or
 * is too old, and where the address is another account's by now: its owner proved that the mailbox is theirs.
 */
export const undoEmailChange = async (
  { db }: Context,
  token: string,
  now: Date,
): Promise<{ id: string; email: string }> => {
  try {
    return await db.transaction(async (tx) => {
      const undo = await takeUndo(tx, hashSecret(token), now)
      if (!undo) throw refused('The token is unknown, was used already, or has expired.')
      const { id, email } = undo
      await tx.sql`delete from email_changes where user_id = ${id}`
      await moveAccount(tx, id, email, now)
      await endSessions(tx, id, now)
      return { id, email }
    })
  } catch (error) {
    throw violates(error, 'users_email_taken')
      ? refused('Another account has this address by now: the change cannot be undone.')
      : error
  }
}

/** Redeems a token with those of all later changes, and holds the account. */
const takeUndo = async (tx: Transaction, hash: Buffer, now: Date) => {
  const find = () => tx.sql<{ id: string; email: string }[]>`
    select user_id as id, email from email_undos
    where token_hash = ${hash} and expires_at > ${now.toISOString()}::timestamptz`
  const [known] = await find()
  if (!known) return undefined
  await holdAccount(tx, known.id)
  const [undo] = await find()
  await tx.sql`
    delete from email_undos
    where user_id = ${known.id} and changed_at >= (select changed_at from email_undos where token_hash = ${hash})`
  return undo
}

const refused = (detail: string) => validationFailed([{ pointer: '/data/attributes/token', detail }])
