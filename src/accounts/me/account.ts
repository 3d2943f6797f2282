import type { Queryable } from '../../../db/client.ts'
import { logEnded } from '../../access/credential-log.ts'
import type { CredentialKind } from '../../access/credentials.ts'
import type { Act } from '../../audit/write.ts'
import { endBilling } from '../../billing/end.ts'
import type { Context } from '../../context.ts'
import { validationFailed } from '../../jsonapi/errors.ts'
import { emailKey } from '../../lib/email.ts'

/** Gives an account another name, or none. */
export const renameAccount = async (db: Queryable, id: string, name: string | null, now: Date) => {
  await db.sql`update users set name = ${name}, updated_at = ${now.toISOString()} where id = ${id}`
}

/**
 * Deletes an account for good, with all that is its own: what it pays for ends first (502 where that fails, and the account
 * stays), then credentials and sessions with it, which the audit log tells. 422 where the address that confirms it is not the account's.
 */
export const deleteAccount = async (context: Context, id: string, confirmEmail: string, act: Act): Promise<void> => {
  await requireOwn(context.db, id, confirmEmail)
  await endBilling(context, id)
  await context.db.transaction(async (tx) => {
    await tx.sql`select id from users where id = ${id} for update`
    const live = await tx.sql<{ id: string; kind: CredentialKind }[]>`
      select id, kind from credentials where user_id = ${id} and revoked_at is null order by id for update`
    await logEnded(tx, act, live)
    await tx.sql`
      delete from waiting_list
      where email_key collate "C" = (select email_key collate "C" from users where id = ${id})`
    await tx.sql`delete from users where id = ${id}`
    await tx.sql`delete from usage_days where user_id = ${id}`
  })
}

const requireOwn = async (db: Queryable, id: string, email: string) => {
  const own = await db.sql`select id from users where id = ${id} and email_key collate "C" = ${emailKey(email) ?? null}`
  if (own.length > 0) return
  throw validationFailed([
    { pointer: '/data/attributes/confirm_email', detail: 'Must be the e-mail address of the account.' },
  ])
}
