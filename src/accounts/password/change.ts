import type { Queryable } from '../../../db/client.ts'
import type { Context } from '../../context.ts'
import { unauthenticated, validationFailed } from '../../jsonapi/errors.ts'
import { hashPassword, isRightPassword } from '../../lib/password.ts'
import { endSessions } from '../sessions/session.ts'

type Change = { userId: string; sessionId: string | null; current: string; wanted: string }

/** Changes a password for who knows the current one; every session of the account ends but the one that asked. */
export const changePassword = async ({ db }: Context, { userId, sessionId, current, wanted }: Change, now: Date) => {
  const [user] = await db.sql<{ password_hash: string | null }[]>`select password_hash from users where id = ${userId}`
  if (!(await isRightPassword(current, user?.password_hash)))
    throw validationFailed([{ pointer: '/data/attributes/current_password', detail: 'Is not the current password.' }])
  const hash = await hashPassword(wanted)
  await db.transaction(async (tx) => {
    const changed = await setPassword(tx, userId, hash, now, user?.password_hash)
    if (!changed) throw unauthenticated('The password was changed meanwhile.')
    await endSessions(tx, userId, now, sessionId)
  })
}

/**
 * Stores a password, unless it is no longer the one that was known. Links to reset it end, and so does a change of address
 * that whoever had the old one may have asked for. Answers whether it was stored.
 */
export const setPassword = async (db: Queryable, userId: string, hash: string, now: Date, known?: string | null) => {
  const stored = await db.sql`
    update users set password_hash = ${hash}, updated_at = ${now.toISOString()}
    where id = ${userId} and (${known ?? null}::text is null or password_hash = ${known ?? null}::text)`
  await db.sql`delete from password_resets where user_id = ${userId}`
  await db.sql`delete from email_changes where user_id = ${userId}`
  return stored.count > 0
}
