import type { Transaction } from '../../../db/client.ts'
import type { Context } from '../../context.ts'
import { tokenUnknown } from '../../jsonapi/errors.ts'
import { holdUseAgain } from '../invites/uses.ts'
import { findToken, lockPending, type Token } from './pending.ts'
import { issueVerification } from './verification.ts'

/**
 * Sends the link again under a new token, with 24 hours of its own; the old one dies at once. Where the address has an account
 * there is no mail and the same answer. 422 `token_unknown` where no sign-up belongs to the token, and `invite_exhausted` or
 * `invite_invalid` where the sign-up came with an invite that has no use left to hold.
 */
export const resendVerification = (context: Context, token: string, now: Date): Promise<void> =>
  context.db.transaction(async (tx) => {
    const known = await findToken(tx, token, now)
    if (!known) throw tokenUnknown()
    await lockPending(tx, known.email_key)
    const found = await findToken(tx, token, now)
    if (!found || found.is_dead) throw tokenUnknown()
    if (!found.is_replaced && !found.is_taken) await replace(context, tx, found, now)
  })

const replace = async (context: Context, tx: Transaction, found: Token, now: Date) => {
  if (found.invite_use_id) await holdUseAgain(tx, found.invite_use_id, now)
  await tx.sql`update verifications set replaced_at = ${now.toISOString()} where id = ${found.id}`
  const signUp = { id: found.sign_up_id, email_key: found.email_key }
  await issueVerification(context, tx, signUp, { id: Bun.randomUUIDv7(), since: now }, now)
}
