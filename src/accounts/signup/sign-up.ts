import type { Context } from '../../context.ts'
import { emailKey } from '../../lib/email.ts'
import { hashPassword } from '../../lib/password.ts'
import { checkInvite, holdUse } from '../invites/uses.ts'
import { isPoolFull } from '../slots/slots.ts'
import { addToWaitingList } from '../slots/waiting-list.ts'
import { askForVerification, tokenHours } from './verification.ts'

export type SignUp = { email: string; password: string; name?: string | null; invite_code?: string | null }

const codeSource = { pointer: '/data/attributes/invite_code' }

/**
 * Keeps a sign-up and has its address verified; while the founding pool is full, puts the address on the waiting list. The
 * same is done, and takes the same time, whether or not the address has an account.
 */
export const signUp = async (context: Context, asked: SignUp, now: Date): Promise<{ isWaitlisted: boolean }> => {
  const { db, config } = context
  if (await isPoolFull(db, config.foundingSlots)) {
    if (asked.invite_code) await checkInvite(db, asked.invite_code, now, { email: asked.email, source: codeSource })
    await addToWaitingList(db, { email: asked.email }, now)
    return { isWaitlisted: true }
  }
  const passwordHash = await hashPassword(asked.password)
  await keep(context, asked, passwordHash, now)
  return { isWaitlisted: false }
}

const keep = (context: Context, asked: SignUp, passwordHash: string, now: Date) =>
  context.db.transaction(async (tx) => {
    const { email, name = null, invite_code: code } = asked
    const inviteUseId = code ? await holdUse(tx, code, email, now, codeSource) : null
    const at = now.toISOString()
    await tx.sql`
      insert into users (id, email, email_key, name, password_hash, signed_up, created_at, updated_at)
      values (${Bun.randomUUIDv7()}, ${email}, ${emailKey(email) ?? null}, ${name}, ${passwordHash}, true, ${at}, ${at})
      on conflict (email_key collate "C") do update set
        name = excluded.name, password_hash = excluded.password_hash, updated_at = excluded.updated_at
      where users.verified_at is null`
    const expiresAt = new Date(now.getTime() + tokenHours * 3_600_000).toISOString()
    await askForVerification(context, tx, { email, passwordHash, name, inviteUseId, expiresAt }, now)
  })
