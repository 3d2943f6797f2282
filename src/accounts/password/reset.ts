import { Type } from '@sinclair/typebox'
import type { Queryable } from '../../../db/client.ts'
import { hashPassword } from '../../access/passwords.ts'
import type { Context } from '../../context.ts'
import type { Call } from '../../http/route.ts'
import { defineJob, GiveUp } from '../../jobs/define.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { validationFailed } from '../../jsonapi/errors.ts'
import { emailKey } from '../../lib/email.ts'
import { sealer } from '../../lib/seal.ts'
import { hashSecret, randomText } from '../../lib/secret.ts'
import { lifetimes } from '../../limits.ts'
import { resetPassword } from '../../mail/messages/account.ts'
import { endSessions, holdAccount } from '../sessions/session.ts'
import { setPassword } from './change.ts'

/** How long the link of a reset works; so many of an account may work at once, so that nobody is flooded with mails. */
const mostAtOnce = 5

const seal = ({ secret }: Context) => sealer(secret, 'forgotten passwords in the queue')

/**
 * Has a link sent to who forgot a password. Whether the address has an account is looked up by a job, so that this takes
 * the same time for all addresses.
 */
export const forgetPassword = async (context: Context, email: string, now: Date): Promise<void> => {
  await enqueue(context.db, sendReset, { sealed: seal(context).seal(email) }, { now })
}

/** Sends the link, where an account has the address. */
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
      const [user] = await tx.sql<{ id: string; email: string }[]>`
        select id, email_key as email from users
        where email_key collate "C" = ${emailKey(email) ?? null} for no key update`
      if (!user || (await countLive(tx, user.id, now)) >= mostAtOnce) return
      const token = randomText(64)
      const expiresAt = new Date(now.getTime() + lifetimes.resetLink.seconds * 1000)
      await tx.sql`
        insert into password_resets (token_hash, user_id, expires_at)
        values (${hashSecret(token)}, ${user.id}, ${expiresAt.toISOString()})`
      const message = resetPassword(config.brand, { link: `${config.baseUrl}/reset-password?token=${token}` })
      await mail.queue(tx, user.email, message, { now, key: `password reset ${id}` })
    })
  },
})

const countLive = async (db: Queryable, userId: string, now: Date) => {
  await db.sql`delete from password_resets where user_id = ${userId} and expires_at <= ${now.toISOString()}::timestamptz`
  const [row] = await db.sql<{ live: number }[]>`
    select count(*)::int as live from password_resets where user_id = ${userId}`
  return row?.live ?? 0
}

/** Redeems the token of such a link once: the password is changed, and every session of the account ends. */
export const redeemReset = async (
  { db }: Context,
  { request, now }: Call,
  token: string,
  password: string,
): Promise<string> => {
  const [known] = await db.sql<{ user_id: string }[]>`
    select user_id from password_resets
    where token_hash = ${hashSecret(token)} and expires_at > ${now.toISOString()}::timestamptz`
  if (!known) throw tokenRefused()
  const hash = await hashPassword(password, request.signal)
  return db.transaction(async (tx) => {
    await holdAccount(tx, known.user_id)
    const redeemed = await tx.sql`
      delete from password_resets
      where token_hash = ${hashSecret(token)} and expires_at > ${now.toISOString()}::timestamptz`
    if (redeemed.count === 0) throw tokenRefused()
    await setPassword(tx, known.user_id, hash, now)
    await endSessions(tx, known.user_id, now)
    return known.user_id
  })
}

const tokenRefused = () =>
  validationFailed([
    { pointer: '/data/attributes/token', detail: 'The token is unknown, was used already, or has expired.' },
  ])
