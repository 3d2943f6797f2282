import type { Context } from '../../context.ts'
import { emailNotVerified, unauthenticated } from '../../jsonapi/errors.ts'
import { emailKey } from '../../lib/email.ts'
import { isRightPassword } from '../../lib/password.ts'
import { beginSession, type Session } from './session.ts'

type User = { id: string | null; password_hash: string | null; is_verified: boolean }

/**
 * Signs a person in: 401 for a wrong address or password, which takes the same time for both; 403 where both are right and
 * the address is not verified, which then is the password of its last sign-up.
 */
export const signIn = async (
  { db, config }: Context,
  { email, password }: { email: string; password: string },
  now: Date,
): Promise<Session> => {
  const [user] = await db.sql<User[]>`
    select id, password_hash, is_verified from (
      select id, password_hash, verified_at is not null as is_verified, 1 as place from users
      where email_key collate "C" = ${emailKey(email) ?? null}
      union all
      (
        select null, password_hash, false, 2 from sign_ups
        where email_key collate "C" = ${emailKey(email) ?? null} and user_id is null
          and kept_until > ${now.toISOString()}::timestamptz
        order by signed_up_at desc, id desc limit 1
      )
    ) u order by place limit 1`
  if (!(await isRightPassword(password, user?.password_hash)) || !user)
    throw unauthenticated('The e-mail address or the password is wrong.')
  if (!user.is_verified || user.id === null) throw emailNotVerified()
  return beginSession(db, user.id, config, now)
}
