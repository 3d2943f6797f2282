import type { Context } from '../../context.ts'
import type { Call } from '../../http/route.ts'
import { reauthenticationRequired, unauthenticated, validationFailed } from '../../jsonapi/errors.ts'
import { lifetimes } from '../../limits.ts'
import { type Account, provePassword } from './prove.ts'

/** So young is a session that stands for the password itself (decisions.md §12). */

/** 403 unless the session is younger than 15 minutes or the current password came with the request; 422 where that is wrong. */
export const requireRecentProof = async (context: Context, call: Call, current: string | undefined) => {
  const { caller, now } = call
  const since = new Date(now.getTime() - lifetimes.freshSession.seconds * 1000).toISOString()
  const [session] = await context.db.sql<(Account & { is_young: boolean })[]>`
    select u.id, u.email, u.password_hash as "passwordHash", c.created_at > ${since}::timestamptz as is_young
    from credentials c join users u on u.id = c.user_id
    where c.id = ${caller.credentialId}::uuid`
  if (!session) throw unauthenticated('The session has ended.')
  if (session.is_young) return
  if (current === undefined) throw reauthenticationRequired()
  await requirePassword(context, call, session, current)
}

/** 422 where a password is not the account's; counted as a failed sign-in. */
export const requirePassword = async (context: Context, call: Call, account: Account, current: string) => {
  if (await provePassword(context, call, account, current)) return
  throw validationFailed([{ pointer: '/data/attributes/current_password', detail: 'Is not the current password.' }])
}
