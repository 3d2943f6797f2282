import type { Context } from '../../context.ts'
import type { Call } from '../../http/route.ts'
import { emailNotVerified, unauthenticated } from '../../jsonapi/errors.ts'
import { emailKey } from '../../lib/email.ts'
import { provePassword } from '../password/prove.ts'
import { rememberNetwork } from './networks.ts'
import { beginSession, type Session } from './session.ts'

/** Whose password it is: an account's, or that of a sign-up, which is none yet and has no id. */
type Found = { id: string | null; password_hash: string | null }

/**
 * Signs a person in: 401 for a wrong address or password, which takes the same time for both; 403 where both are right and
 * the address is not verified, which then is the password of its last sign-up.
 */
export const signIn = async (
  context: Context,
  call: Call,
  { email, password }: { email: string; password: string },
): Promise<Session> => {
  const [user] = await context.db.sql<Found[]>`
    select id, password_hash from (
      select id, password_hash, 1 as place from users
      where email_key collate "C" = ${emailKey(email) ?? null}
      union all
      (
        select null, password_hash, 2 from sign_ups
        where email_key collate "C" = ${emailKey(email) ?? null} and user_id is null
          and kept_until > ${call.now.toISOString()}::timestamptz
        order by signed_up_at desc, id desc limit 1
      )
    ) u order by place limit 1`
  const account = { id: user?.id ?? null, email, passwordHash: user?.password_hash ?? null }
  if (!(await provePassword(context, call, account, password)) || !user) throw wrong()
  if (user.id === null) throw emailNotVerified()
  return begin(context, call, email, { id: user.id, password_hash: user.password_hash })
}

/** The session begins only while address and password are still those that were proven, which others may change meanwhile. */
const begin = (
  context: Context,
  { caller, now }: Call,
  email: string,
  { id, password_hash }: { id: string; password_hash: string | null },
) =>
  context.db.transaction(async (tx) => {
    const same = await tx.sql`
      select id from users
      where id = ${id} and password_hash = ${password_hash} and email_key collate "C" = ${emailKey(email) ?? null}
      for no key update`
    if (same.length === 0) throw wrong()
    await rememberNetwork(context, tx, id, caller.address, now)
    return beginSession(tx, id, context.config, now)
  })

const wrong = () => unauthenticated('The e-mail address or the password is wrong.')
