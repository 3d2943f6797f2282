import { eq, or } from 'drizzle-orm'
import type { Queryable } from '../../db/client.ts'
import { violates } from '../../db/faults.ts'
import { type Row, users } from '../../db/schema/index.ts'
import { conflict } from '../jsonapi/errors.ts'
import { isUuid } from '../jsonapi/fields.ts'
import { isAddress, keyOf } from './address.ts'

export type User = Pick<Row<typeof users>, 'id' | 'email' | 'operator'>

/** Stores a new user with a verified address. 409 if the address is taken. */
export const insertUser = async (
  db: Queryable,
  user: { email: string; passwordHash: string; operator: boolean; name?: string },
  now: Date,
): Promise<User> => {
  const { email, passwordHash, operator, name } = user
  const id = Bun.randomUUIDv7()
  const at = now.toISOString()
  try {
    await db.orm.insert(users).values({
      id,
      email,
      email_key: keyOf(email),
      name,
      password_hash: passwordHash,
      operator,
      verified_at: at,
      created_at: at,
      updated_at: at,
    })
  } catch (error) {
    throw violates(error, 'users_email_taken') ? conflict('An account with this e-mail address already exists.') : error
  }
  return { id, email, operator }
}

/** The user with an e-mail address or an id. */
export const findUser = async (db: Queryable, emailOrId: string): Promise<User | undefined> => {
  const { id, email, operator, email_key } = users
  const isId = isUuid(emailOrId) ? eq(id, emailOrId) : undefined
  const [user] = await db.orm
    .select({ id, email, operator })
    .from(users)
    .where(or(isAddress(email_key, emailOrId), isId))
  return user
}
