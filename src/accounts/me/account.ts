import { and, asc, eq } from 'drizzle-orm'
import type { Queryable } from '../../../db/client.ts'
import { billingAccounts, credentials, usageDays, users, waitingList } from '../../../db/schema/index.ts'
import type { Caller } from '../../access/caller.ts'
import { logEnded } from '../../access/credential-log.ts'
import { isLive } from '../../access/credentials.ts'
import type { Act } from '../../audit/write.ts'
import { endBilling } from '../../billing/end.ts'
import type { Context } from '../../context.ts'
import { unauthenticated } from '../../jsonapi/errors.ts'
import { emailKey } from '../../lib/email.ts'
import { isAddress } from '../address.ts'
import { attributeRefused } from '../refusals.ts'
import { holdForSession } from '../sessions/session.ts'

/** Changes or removes the name of an account. */
export const renameAccount = async (db: Queryable, id: string, name: string | null, now: Date) => {
  await db.orm.update(users).set({ name, updated_at: now.toISOString() }).where(eq(users.id, id))
}

/**
 * Deletes an account and everything it owns, permanently. Its subscription is canceled first (if that fails, 502, and the
 * account stays), then its credentials and sessions are revoked, which the audit log records. 422 if the confirming address
 * isn't the account's, 401 if the session ends meanwhile.
 */
export const deleteAccount = async (context: Context, caller: Owner, confirmEmail: string, act: Act): Promise<void> => {
  const id = caller.userId ?? ''
  await requireOwn(context.db, id, confirmEmail)
  let isErased = false
  while (!isErased) isErased = await erase(context, caller, { customer: await endBilling(context, id) }, act)
}

type Owner = Pick<Caller, 'userId' | 'credentialId'>

/** Erases an account whose customer at Stripe was ended. False if a checkout has just given it another one. */
const erase = ({ db }: Context, caller: Owner, ended: { customer?: string }, act: Act) =>
  db.transaction(async (tx) => {
    const id = caller.userId ?? ''
    const [user] = await tx.orm.select({ key: users.email_key }).from(users).where(eq(users.id, id)).for('update')
    if (!user) return true
    await holdForSession(tx, id, caller.credentialId)
    const { user_id, stripe_customer_id: customer } = billingAccounts
    const [account] = await tx.orm.select({ customer }).from(billingAccounts).where(eq(user_id, id)).for('update')
    if (account?.customer && account.customer !== ended.customer) return false
    const live = await tx.orm
      .select({ id: credentials.id, kind: credentials.kind })
      .from(credentials)
      .where(and(eq(credentials.user_id, id), isLive))
      .orderBy(asc(credentials.id))
      .for('update')
    await logEnded(tx, act, live)
    await tx.orm.delete(waitingList).where(isAddress(waitingList.email_key, user.key))
    await tx.orm.delete(users).where(eq(users.id, id))
    await tx.orm.delete(usageDays).where(eq(usageDays.user_id, id))
    return true
  })

const requireOwn = async (db: Queryable, id: string, email: string) => {
  const [user] = await db.orm.select({ key: users.email_key }).from(users).where(eq(users.id, id))
  if (!user) throw unauthenticated('The account is deleted.')
  if (user.key !== emailKey(email)) throw attributeRefused('confirm_email', 'Must be the account’s e-mail address.')
}
