import { Type } from '@sinclair/typebox'
import { and, count, eq, gt, notExists, sql } from 'drizzle-orm'
import type { Transaction } from '../../../db/client.ts'
import { type Row, signUps, verifications } from '../../../db/schema/index.ts'
import type { Context } from '../../context.ts'
import { defineJob } from '../../jobs/define.ts'
import { tokenUnknown } from '../../jsonapi/errors.ts'
import { secondsAfter } from '../../lib/clock.ts'
import { hashSecret, randomText } from '../../lib/secret.ts'
import { lifetimes } from '../../limits.ts'
import { verifyAddress } from '../../mail/messages/account.ts'
import { holdUseAgain } from '../invites/uses.ts'
import { findToken, isTaken, lockPending, type Token, waitsFor } from './pending.ts'

/** How long a token is (interface.md, Verification token). */
const tokenLength = 64

/** How many such mails an address gets in an hour at most, no matter who asks. */
const mostMailsAnHour = 5

/**
 * Sends the link that verifies a sign-up. If the address has an account, or got enough of these mails, the sign-up is deleted.
 * The use of its invite stays held: releasing it would reveal what became of the sign-up.
 */
export const sendVerification = defineJob({
  name: 'send_verification',
  payload: Type.Object({ signUpId: Type.String() }),
  priority: 10,
  forgets: true,
  run: (context: Context, { signUpId }, { id, now }) =>
    context.db.transaction(async (tx) => {
      const { id: signUp, email_key, signed_up_at } = signUps
      const [asked] = await tx.orm
        .select({ id: signUp, email_key, signed_up_at })
        .from(signUps)
        .where(eq(signUp, signUpId))
      if (!asked) return
      await lockPending(tx, asked.email_key)
      const isRefused = (await isTaken(tx, asked.email_key)) || (await hasEnough(tx, asked.email_key, now))
      if (isRefused) await dropUnsent(tx, signUpId)
      else await issueVerification(context, tx, asked, { id, since: new Date(asked.signed_up_at) }, now)
    }),
})

const hasEnough = async (tx: Transaction, key: string, now: Date) => {
  const { sign_up_id, issued_at } = verifications
  const [row] = await tx.orm
    .select({ mails: count() })
    .from(verifications)
    .innerJoin(signUps, eq(signUps.id, sign_up_id))
    .where(and(waitsFor(key), gt(issued_at, secondsAfter(now, -3600).toISOString())))
  return (row?.mails ?? 0) >= mostMailsAnHour
}

const dropUnsent = async (tx: Transaction, signUpId: string) => {
  const { id, sign_up_id } = verifications
  const sent = tx.orm.select({ id }).from(verifications).where(eq(sign_up_id, signUps.id))
  await tx.orm.delete(signUps).where(and(eq(signUps.id, signUpId), notExists(sent)))
}

type SignUp = Pick<Row<typeof signUps>, 'id' | 'email_key'>

/** Issues a verification token, once per id, and queues the mail with it. It is valid from `since`. */
const issueVerification = async (
  { config, mail }: Context,
  tx: Transaction,
  signUp: SignUp,
  { id, since }: { id: string; since: Date },
  now: Date,
) => {
  const token = randomText(tokenLength)
  const expires_at = secondsAfter(since, lifetimes.signUpLink.seconds).toISOString()
  const issued = await tx.orm
    .insert(verifications)
    .values({
      id,
      sign_up_id: signUp.id,
      token_hash: hashSecret(token),
      issued_at: now.toISOString(),
      expires_at,
    })
    .onConflictDoNothing({ target: verifications.id })
  if (issued.count === 0) return
  const { kept_until } = signUps
  await tx.orm
    .update(signUps)
    .set({ kept_until: sql`greatest(${kept_until}, ${expires_at}::timestamptz)` })
    .where(eq(signUps.id, signUp.id))
  const message = verifyAddress(config.brand, { link: `${config.baseUrl}/verify#token=${token}` })
  await mail.queue(tx, signUp.email_key, message, { now, key: `verification ${id}` })
}

/**
 * Sends the link again with a new token, valid for another 24 hours. The old token stops working at once. If the address has an
 * account, the answer is the same and no mail is sent. 422 `token_unknown` if no sign-up has the token, and `invite_exhausted`
 * or `invite_invalid` if the sign-up's invite has no use left to hold.
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
  await tx.orm.update(verifications).set({ replaced_at: now.toISOString() }).where(eq(verifications.id, found.id))
  const signUp = { id: found.sign_up_id, email_key: found.email_key }
  await issueVerification(context, tx, signUp, { id: Bun.randomUUIDv7(), since: now }, now)
}
