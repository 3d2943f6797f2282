import { Type } from '@sinclair/typebox'
import { and, count, eq, gt, lte } from 'drizzle-orm'
import type { Transaction } from '../../../db/client.ts'
import { passwordResets, users } from '../../../db/schema/index.ts'
import { hashPassword } from '../../access/passwords.ts'
import type { Context } from '../../context.ts'
import type { Call } from '../../http/route.ts'
import { defineJob, GiveUp } from '../../jobs/define.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { secondsAfter } from '../../lib/clock.ts'
import { sealer } from '../../lib/seal.ts'
import { hashSecret, randomText } from '../../lib/secret.ts'
import { lifetimes } from '../../limits.ts'
import { resetPassword } from '../../mail/messages/account.ts'
import { isAddress } from '../address.ts'
import { tokenRefused } from '../refusals.ts'
import { endSessions, holdAccount } from '../sessions/session.ts'
import { setPassword } from './set.ts'

/** How many of an account's links may be valid at once, so that nobody is flooded with mail. */
const mostAtOnce = 5

const { token_hash, user_id, expires_at } = passwordResets

const seal = ({ secret }: Context) => sealer(secret, 'forgotten passwords in the queue')

/** Requests a link for a forgotten password. A job looks up the account, so that every address takes the same time. */
export const forgetPassword = async (context: Context, email: string, now: Date): Promise<void> => {
  await enqueue(context.db, sendReset, { sealed: seal(context).seal(email) }, { now })
}

/** Sends the link, if an account has the address. */
export const sendReset = defineJob({
  name: 'send_password_reset',
  payload: Type.Object({ sealed: Type.String() }),
  priority: 10,
  forgets: true,
  run: async (context: Context, { sealed }, { id, now }) => {
    const email = seal(context).unseal(sealed)
    if (email === undefined) throw new GiveUp('This request was queued under another APP_SECRET.')
    const { config, mail } = context
    await context.db.transaction(async (tx) => {
      const [user] = await tx.orm
        .select({ id: users.id, email: users.email_key })
        .from(users)
        .where(isAddress(users.email_key, email))
        .for('no key update')
      if (!user || (await countLive(tx, user.id, now)) >= mostAtOnce) return
      const token = randomText(64)
      const expiresAt = secondsAfter(now, lifetimes.resetLink.seconds)
      const reset = { token_hash: hashSecret(token), user_id: user.id, expires_at: expiresAt.toISOString() }
      await tx.orm.insert(passwordResets).values(reset)
      const message = resetPassword(config.brand, { link: `${config.baseUrl}/reset-password#token=${token}` })
      await mail.queue(tx, user.email, message, { now, key: `password reset ${id}` })
    })
  },
})

const countLive = async (tx: Transaction, userId: string, now: Date) => {
  await tx.orm.delete(passwordResets).where(and(eq(user_id, userId), lte(expires_at, now.toISOString())))
  const [row] = await tx.orm.select({ live: count() }).from(passwordResets).where(eq(user_id, userId))
  return row?.live ?? 0
}

/** Redeems the token of such a link, once. Changes the password and ends every session of the account. */
export const redeemReset = async (
  { db }: Context,
  { request, now }: Call,
  token: string,
  password: string,
): Promise<string> => {
  const isRedeemable = and(eq(token_hash, hashSecret(token)), gt(expires_at, now.toISOString()))
  const [known] = await db.orm.select({ user_id }).from(passwordResets).where(isRedeemable)
  if (!known) throw tokenRefused()
  const hash = await hashPassword(password, request.signal)
  return db.transaction(async (tx) => {
    await holdAccount(tx, known.user_id)
    const redeemed = await tx.orm.delete(passwordResets).where(isRedeemable)
    if (redeemed.count === 0) throw tokenRefused()
    await setPassword(tx, known.user_id, hash, now)
    await endSessions(tx, known.user_id, now)
    return known.user_id
  })
}
