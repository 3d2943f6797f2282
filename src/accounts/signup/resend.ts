import type { Transaction } from '../../../db/client.ts'
import type { Context } from '../../context.ts'
import { tokenUnknown } from '../../jsonapi/errors.ts'
import { hashSecret } from '../../lib/secret.ts'
import { holdUseAgain } from '../invites/uses.ts'
import { issueVerification, tokenHours } from './verification.ts'

/** For so long a token that was replaced answers as it did, without a second mail (interface.md, Verification token). */
const replaySeconds = 60

/**
 * Sends the link again under a new token, with 24 hours of its own; the old one dies at once. An account that is verified
 * gets no mail and the same answer. 422 `token_unknown` where no account belongs to the token, and `invite_exhausted` or
 * `invite_invalid` where the sign-up came with an invite that has no use left to hold.
 */
export const resendVerification = (context: Context, token: string, now: Date): Promise<void> =>
  context.db.transaction(async (tx) => {
    const found = await findToken(tx, token, now)
    if (!found || found.is_dead) throw tokenUnknown()
    if (!found.is_replaced && !found.is_verified) await replace(context, tx, found, now)
  })

type Found = {
  id: string
  user_id: string
  email: string
  name: string | null
  password_hash: string | null
  invite_use_id: string | null
  is_verified: boolean
  is_replaced: boolean
  is_dead: boolean
}

const findToken = async (tx: Transaction, token: string, now: Date): Promise<Found | undefined> => {
  const [found] = await tx.sql<Found[]>`
    select v.id, v.user_id, u.email, v.name, v.password_hash, v.invite_use_id, u.verified_at is not null as is_verified,
      v.replaced_at is not null as is_replaced,
      coalesce(v.replaced_at <= ${now.toISOString()}::timestamptz - make_interval(secs => ${replaySeconds}::int), false)
        as is_dead
    from verifications v join users u on u.id = v.user_id
    where v.token_hash = ${hashSecret(token)}
    for update`
  return found
}

const replace = async (context: Context, tx: Transaction, found: Found, now: Date) => {
  const { name, password_hash: passwordHash, invite_use_id: inviteUseId } = found
  if (inviteUseId) await holdUseAgain(tx, inviteUseId, now)
  await tx.sql`update verifications set replaced_at = ${now.toISOString()}, password_hash = null where id = ${found.id}`
  const expiresAt = new Date(now.getTime() + tokenHours * 3_600_000)
  const user = { id: found.user_id, email: found.email }
  await issueVerification(
    context,
    tx,
    user,
    { id: Bun.randomUUIDv7(), passwordHash, name, inviteUseId, expiresAt },
    now,
  )
}
