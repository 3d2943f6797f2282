import { hashPassword } from '../../access/passwords.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { emailKey } from '../../lib/email.ts'
import { lifetimes } from '../../limits.ts'
import { checkInvite, holdUse } from '../invites/uses.ts'
import { isPoolFull } from '../slots/slots.ts'
import { addToWaitingList } from '../slots/waiting-list.ts'
import { sendVerification } from './verification.ts'

export type SignUp = { email: string; password: string; name?: string | null; invite_code?: string | null }

const codeSource = { pointer: '/data/attributes/invite_code' }

/** So long a sign-up waits to be verified (decisions.md §12). */

/**
 * Keeps a sign-up and has its address verified; while the founding pool is full, puts the address on the waiting list. The
 * same is done, and takes the same time, whether or not the address has an account.
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

/** What becomes of it depends on whether the address has an account, so that a job does it: the answer takes the same time. */
const keep = ({ db }: Context, asked: SignUp, passwordHash: string, now: Date) =>
  db.transaction(async (tx) => {
    const { email, name = null, invite_code: code } = asked
    const inviteUseId = code ? await holdUse(tx, code, email, now, codeSource) : null
    const signUpId = Bun.randomUUIDv7()
    const keptUntil = new Date(now.getTime() + lifetimes.unverified.seconds * 1000).toISOString()
    await tx.sql`
      insert into sign_ups (id, email, email_key, name, password_hash, invite_use_id, signed_up_at, kept_until)
      values (${signUpId}, ${email}, ${emailKey(email) ?? null}, ${name}, ${passwordHash}, ${inviteUseId},
        ${now.toISOString()}, ${keptUntil})`
    await enqueue(tx, sendVerification, { signUpId }, { now })
  })
