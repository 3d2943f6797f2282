import { signUps } from '../../../db/schema/index.ts'
import { hashPassword } from '../../access/passwords.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { secondsAfter } from '../../lib/clock.ts'
import { lifetimes } from '../../limits.ts'
import { keyOf } from '../address.ts'
import { checkInvite, holdUse } from '../invites/uses.ts'
import { addToWaitingList, isPoolFull } from '../slots/slots.ts'
import { sendVerification } from './verification.ts'

type SignUp = { email: string; password: string; name?: string | null; invite_code?: string | null }

const codeSource = { pointer: '/data/attributes/invite_code' }

/**
 * Stores a sign-up and starts to verify its address. While the founding pool is full, it puts the address on the waiting list
 * instead. The steps and the time are the same whether or not the address has an account.
 */
export const signUp = async (
  context: Context,
  asked: SignUp,
  now: Date,
  signal?: AbortSignal,
): Promise<{ isWaitlisted: boolean }> => {
  const { db, config } = context
  if (await isPoolFull(db, config.foundingSlots)) {
    if (asked.invite_code) await checkInvite(db, asked.invite_code, now, { email: asked.email, source: codeSource })
    await addToWaitingList(db, { email: asked.email }, now)
    return { isWaitlisted: true }
  }
  const passwordHash = await hashPassword(asked.password, signal)
  await keep(context, asked, passwordHash, now)
  return { isWaitlisted: false }
}

/** A job checks whether the address has an account, so that the response takes the same time either way. */
const keep = ({ db }: Context, asked: SignUp, passwordHash: string, now: Date) =>
  db.transaction(async (tx) => {
    const { email, name = null, invite_code: code } = asked
    const id = Bun.randomUUIDv7()
    await tx.orm.insert(signUps).values({
      id,
      email,
      email_key: keyOf(email),
      name,
      password_hash: passwordHash,
      invite_use_id: code ? await holdUse(tx, code, email, now, codeSource) : null,
      signed_up_at: now.toISOString(),
      kept_until: secondsAfter(now, lifetimes.unverified.seconds).toISOString(),
    })
    await enqueue(tx, sendVerification, { signUpId: id }, { now })
  })
