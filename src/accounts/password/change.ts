import type { Queryable } from '../../../db/client.ts'
import { hashPassword } from '../../access/passwords.ts'
import type { Context } from '../../context.ts'
import type { Call } from '../../http/route.ts'
import { unauthenticated } from '../../jsonapi/errors.ts'
import { endSessions, holdForSession } from '../sessions/session.ts'
import type { Account } from './prove.ts'
import { requirePassword } from './reauthenticate.ts'

/** Changes a password for who knows the current one; every session of the account ends but the one that asked. */
export const changePassword = async (
  context: Context,
  call: Call,
  { current, wanted }: { current: string; wanted: string },
): Promise<string> => {
  const { caller, now, request } = call
  const [user] = await context.db.sql<(Account & { id: string })[]>`
    select id, email, password_hash as "passwordHash" from users where id = ${caller.userId}::uuid`
  if (!user) throw unauthenticated('The account is no more.')
  await requirePassword(context, call, user, current)
  const hash = await hashPassword(wanted, request.signal)
  await context.db.transaction(async (tx) => {
    await holdForSession(tx, user.id, caller.credentialId)
    const changed = await setPassword(tx, user.id, hash, now, user.passwordHash)
    if (!changed) throw unauthenticated('The password was changed meanwhile.')
    await endSessions(tx, user.id, now, caller.credentialId)
  })
  return user.id
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
