import { and, eq } from 'drizzle-orm'
import type { Transaction } from '../../../db/client.ts'
import { emailChanges, passwordResets, users } from '../../../db/schema/index.ts'
import { hashPassword } from '../../access/passwords.ts'
import type { Context } from '../../context.ts'
import type { Call } from '../../http/route.ts'
import { unauthenticated } from '../../jsonapi/errors.ts'
import { endSessions, holdForSession } from '../sessions/session.ts'
import { getAccount, requirePassword } from './prove.ts'

/** Changes a password for someone who knows the current one. Ends every session of the account except the calling one. */
export const changePassword = async (
  context: Context,
  call: Call,
  { current, wanted }: { current: string; wanted: string },
): Promise<string> => {
  const { caller, now, request } = call
  const user = await getAccount(context, caller.userId ?? '')
  await requirePassword(context, call, user, current)
  const hash = await hashPassword(wanted, request.signal)
  await context.db.transaction(async (tx) => {
    await holdForSession(tx, user.id, caller.credentialId)
    const changed = await setPassword(tx, user.id, hash, now, user.password_hash)
    if (!changed) throw unauthenticated('The password was changed in the meantime. Sign in again.')
    await endSessions(tx, user.id, now, caller.credentialId)
  })
  return user.id
}

/**
 * Stores a new password, unless the old one has changed since it was checked. Returns whether it was stored. Reset links stop
 * working, and so does a pending address change, which may have been requested by someone who had the old password.
 */
export const setPassword = async (tx: Transaction, id: string, hash: string, now: Date, known?: string | null) => {
  const isSame = known ? eq(users.password_hash, known) : undefined
  const stored = await tx.orm
    .update(users)
    .set({ password_hash: hash, updated_at: now.toISOString() })
    .where(and(eq(users.id, id), isSame))
  await tx.orm.delete(passwordResets).where(eq(passwordResets.user_id, id))
  await tx.orm.delete(emailChanges).where(eq(emailChanges.user_id, id))
  return stored.count > 0
}
