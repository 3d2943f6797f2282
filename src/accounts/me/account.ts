import { and, asc, eq } from 'drizzle-orm'
import type { Queryable } from '../../../db/client.ts'
import { credentials, usageDays, users, waitingList } from '../../../db/schema/index.ts'
import { logEnded } from '../../access/credential-log.ts'
import { isLive } from '../../access/credentials.ts'
import type { Act } from '../../audit/write.ts'
import { endBilling } from '../../billing/end.ts'
import type { Context } from '../../context.ts'
import { isAddress } from '../address.ts'
import { attributeRefused } from '../refusals.ts'

/** Changes or removes the name of an account. */
export const renameAccount = async (db: Queryable, id: string, name: string | null, now: Date) => {
  await db.orm.update(users).set({ name, updated_at: now.toISOString() }).where(eq(users.id, id))
}

/**
 * Deletes an account and everything it owns, permanently. Its subscription is canceled first (if that fails, 502, and the
 * account stays), then its credentials and sessions are revoked, which the audit log records. 422 if the confirming address
 * isn't the account's.
 */
export const deleteAccount = async (context: Context, id: string, confirmEmail: string, act: Act): Promise<void> => {
  await requireOwn(context.db, id, confirmEmail)
  await endBilling(context, id)
  await context.db.transaction(async (tx) => {
    const [user] = await tx.orm.select({ key: users.email_key }).from(users).where(eq(users.id, id)).for('update')
    const live = await tx.orm
      .select({ id: credentials.id, kind: credentials.kind })
      .from(credentials)
      .where(and(eq(credentials.user_id, id), isLive))
      .orderBy(asc(credentials.id))
      .for('update')
    await logEnded(tx, act, live)
    if (user) await tx.orm.delete(waitingList).where(isAddress(waitingList.email_key, user.key))
    await tx.orm.delete(users).where(eq(users.id, id))
    await tx.orm.delete(usageDays).where(eq(usageDays.user_id, id))
  })
}

const requireOwn = async (db: Queryable, id: string, email: string) => {
  const isOwn = and(eq(users.id, id), isAddress(users.email_key, email))
  const own = await db.orm.select({ id: users.id }).from(users).where(isOwn)
  if (own.length > 0) return
  throw attributeRefused('confirm_email', 'Must be the account’s e-mail address.')
}
