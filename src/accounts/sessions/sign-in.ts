import type { Context } from '../../context.ts'
import { emailNotVerified, unauthenticated } from '../../jsonapi/errors.ts'
import { emailKey } from '../../lib/email.ts'
import { isRightPassword } from '../../lib/password.ts'
import { beginSession, type Session } from './session.ts'

type User = { id: string; password_hash: string | null; is_verified: boolean }

/**
 * Signs a person in: 401 for a wrong address or password, which takes the same time for both; 403 where both are right and
 * the address is not verified.
 */
export const signIn = async (
  { db, config }: Context,
  { email, password }: { email: string; password: string },
  now: Date,
): Promise<Session> => {
  const [user] = await db.sql<User[]>`
    select id, password_hash, verified_at is not null as is_verified from users
    where email_key collate "C" = ${emailKey(email) ?? null}`
  if (!(await isRightPassword(password, user?.password_hash)) || !user)
    throw unauthenticated('The e-mail address or the password is wrong.')
  if (!user.is_verified) throw emailNotVerified()
  return beginSession(db, user.id, config, now)
}
