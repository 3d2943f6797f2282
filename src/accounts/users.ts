import type { Queryable } from '../../db/client.ts'
import { violates } from '../../db/faults.ts'
import { conflict } from '../jsonapi/errors.ts'
import { isUuid } from '../jsonapi/fields.ts'
import { emailKey } from '../lib/email.ts'

export type User = { id: string; email: string; operator: boolean }

/** Stores a new user, whose address counts as verified; 409 where it is taken. */
export const insertUser = async (
  db: Queryable,
  user: { email: string; passwordHash: string; operator: boolean; name?: string },
  now: Date,
): Promise<User> => {
  const { email, passwordHash, operator, name } = user
  const [id, at] = [Bun.randomUUIDv7(), now.toISOString()]
  try {
    await db.sql`
      insert into users (id, email, email_key, name, password_hash, operator, verified_at, created_at, updated_at)
      values (${id}, ${email}, ${emailKey(email) ?? null}, ${name ?? null}, ${passwordHash}, ${operator},
        ${at}, ${at}, ${at})`
  } catch (error) {
    throw violates(error, 'users_email_taken') ? conflict('There is an account with this e-mail address.') : error
  }
  return { id, email, operator }
}

/** The user with an e-mail address or an id. */
export const findUser = async (db: Queryable, emailOrId: string): Promise<User | undefined> => {
  const [user] = await db.sql<User[]>`
    select id, email, operator from users
    where email_key collate "C" = ${emailKey(emailOrId) ?? null} or id = ${isUuid(emailOrId) ? emailOrId : null}::uuid`
  return user
}
