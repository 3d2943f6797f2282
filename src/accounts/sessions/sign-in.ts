import { and, eq } from 'drizzle-orm'
import { type Row, users } from '../../../db/schema/index.ts'
import type { Context } from '../../context.ts'
import type { Call } from '../../http/route.ts'
import { emailNotVerified, unauthenticated } from '../../jsonapi/errors.ts'
import { emailKey } from '../../lib/email.ts'
import { isAddress } from '../address.ts'
import { type Account, provePassword } from '../password/prove.ts'
import { rememberNetwork } from './networks.ts'
import { beginSession, type Session } from './session.ts'

/** Whose password it is: an account's, or a sign-up's, which has no id. */
type Found = Pick<Account, 'id' | 'password_hash'>

/**
 * Signs a user in. 401 for a wrong address or password, in the same time for both. 403 if both are right but the address isn't
 * verified; the password is then that of its latest sign-up.
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
  const account = { id: user?.id ?? null, email, password_hash: user?.password_hash ?? null }
  if (!(await provePassword(context, call, account, password)) || !user) throw wrong()
  if (user.id === null) throw emailNotVerified()
  return begin(context, call, { ...user, email, id: user.id })
}

type Proven = Account & Pick<Row<typeof users>, 'id'>

/** Starts the session only if the address and password are still the ones that were proven. */
const begin = (context: Context, { caller, now }: Call, { id, email, password_hash }: Proven) =>
  context.db.transaction(async (tx) => {
    const [same] = await tx.orm
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, id), eq(users.password_hash, password_hash ?? ''), isAddress(users.email_key, email)))
      .for('no key update')
    if (!same) throw wrong()
    await rememberNetwork(context, tx, id, caller.address, now)
    return beginSession(tx, id, context.config, now)
  })

const wrong = () => unauthenticated('The e-mail address or the password is wrong.')
