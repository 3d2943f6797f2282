import type { Database, Queryable } from '../../../db/client.ts'
import { validationFailed } from '../../jsonapi/errors.ts'

/** Gives an account another name, or none. */
export const renameAccount = async (db: Queryable, id: string, name: string | null, now: Date) => {
  await db.sql`update users set name = ${name}, updated_at = ${now.toISOString()} where id = ${id}`
}

/**
 * Deletes an account for good, with all that is its own: credentials and sessions end with it. 422 where the address that
 * confirms it is not the account's.
 */
export const deleteAccount = (db: Database, id: string, confirmEmail: string): Promise<void> =>
  db.transaction(async (tx) => {
    const deleted = await tx.sql`
      delete from users where id = ${id} and email_key collate "C" = lower(${confirmEmail}) returning email_key`
    if (deleted.count === 0)
      throw validationFailed([
        { pointer: '/data/attributes/confirm_email', detail: 'Must be the e-mail address of the account.' },
      ])
    await tx.sql`delete from usage_days where user_id = ${id}`
    await tx.sql`delete from waiting_list where email_key collate "C" = ${String(deleted[0]?.email_key)}`
  })
