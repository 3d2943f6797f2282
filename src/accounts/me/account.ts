import { and, asc, eq } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../../db/client.ts'
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
import { getAccount, holdOperators, log, refuseLastOperator } from '../people/person.ts'
import { attributeRefused } from '../refusals.ts'
import { holdForSession } from '../sessions/session.ts'

/** Changes or removes the name of an account. */
export const renameAccount = async (db: Queryable, id: string, name: string | null, now: Date) => {
  await db.orm.update(users).set({ name, updated_at: now.toISOString() }).where(eq(users.id, id))
}

/**
 * Deletes an account and everything it owns, permanently. Its subscription is canceled first (if that fails, 502, and the
 * account stays), then its credentials and sessions are revoked, which the audit log records. 422 if the confirming address
 * isn't the account's, 401 if the session ends meanwhile, 409 for the last operator.
 */
export const deleteAccount = async (context: Context, caller: Owner, confirmEmail: string, act: Act): Promise<void> => {
  const id = caller.userId ?? ''
  await requireOwn(context.db, id, confirmEmail)
  await eraseEnded(context, id, act, (tx) => holdForSession(tx, id, caller.credentialId))
}

/** Deletes somebody's account for an operator, in the same way, and logs it. 404 if there is none, 409 for the last operator. */
export const closeAccount = async (context: Context, id: string, act: Act): Promise<void> => {
  await getAccount(context.db, id)
  await eraseEnded(context, id, act, (tx) => log(tx, act, 'user.closed', id))
}

const eraseEnded = async (context: Context, id: string, act: Act, also: (tx: Transaction) => Promise<void>) => {
  // Before anything is canceled at Stripe.
  await refuseLastOperator(context.db, id)
  let isErased = false
  while (!isErased) isErased = await erase(context, id, { customer: await endBilling(context, id) }, act, also)
}

type Owner = Pick<Caller, 'userId' | 'credentialId'>

/** Erases an account whose customer at Stripe was ended. False if a checkout has just given it another one. */
const erase = (
  { db }: Context,
  id: string,
  ended: { customer?: string },
  act: Act,
  also: (tx: Transaction) => Promise<void>,
) =>
  db.transaction(async (tx) => {
    await holdOperators(tx)
    const [user] = await tx.orm.select({ key: users.email_key }).from(users).where(eq(users.id, id)).for('update')
    if (!user) return true
    await refuseLastOperator(tx, id)
    await also(tx)
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
