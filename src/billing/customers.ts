import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { violates } from '../../db/faults.ts'
import { billingAccounts, type Row, subscriptions, users } from '../../db/schema/index.ts'
import type { Context } from '../context.ts'
import { unauthenticated } from '../jsonapi/errors.ts'
import { hashSecret } from '../lib/secret.ts'
import { PaymentsFailure, type PaymentsPort } from '../payments/payments.ts'
import { orLogged } from './failures.ts'
import { liveStatuses } from './statuses.ts'

const { user_id, stripe_customer_id, customer_key } = billingAccounts

type Account = Pick<Row<typeof billingAccounts>, 'stripe_customer_id' | 'customer_key'> & { email: string }

const attempts = 10
const pauseMilliseconds = 250

/**
 * An account's customer at Stripe, created if there is none. Concurrent requests share the idempotency key, so they get the
 * same customer. A key that got a failure isn't used again, because Stripe would repeat its answer. 401 if the account is gone.
 */
const requireCustomer = async (
  context: Context,
  payments: PaymentsPort,
  userId: string,
  now: Date,
): Promise<string> => {
  for (let attempt = 1; ; attempt++) {
    const account = await openAccount(context, userId, now)
    if (account.stripe_customer_id) return account.stripe_customer_id
    try {
      return await makeCustomer(context, payments, userId, account)
    } catch (error) {
      if (!(error instanceof PaymentsFailure) || error.outcome === 'unknown') throw error
      if (error.outcome === 'refused') await renewKey(context, userId, account.customer_key)
      if (error.outcome === 'refused' || attempt === attempts) throw error
      await Bun.sleep(pauseMilliseconds)
    }
  }
}

const makeCustomer = async (context: Context, payments: PaymentsPort, userId: string, account: Account) => {
  const { customer_key, email } = account
  const key = `customer-${customer_key}-${hashSecret(email).toString('hex').slice(0, 16)}`
  const made = await payments.createCustomer({ key, userId, email })
  const kept = await keepCustomer(context, userId, made)
  if (kept) return kept
  // The account was deleted meanwhile. Nobody may pay for it.
  await orLogged(context, () => payments.removeCustomer(made))
  throw accountGone()
}

/** Runs a call with an account's customer. A customer that was deleted at Stripe is created again, once. */
export const withCustomer = async <T>(
  context: Context,
  payments: PaymentsPort,
  userId: string,
  now: Date,
  work: (customerId: string) => Promise<T>,
): Promise<T> => {
  const customerId = await requireCustomer(context, payments, userId, now)
  try {
    return await work(customerId)
  } catch (error) {
    if (!(error instanceof PaymentsFailure) || error.missing !== 'customer') throw error
    await forgetCustomer(context, userId, customerId)
    return work(await requireCustomer(context, payments, userId, now))
  }
}

/** Forgets a customer, unless another request has already replaced it. */
const forgetCustomer = async ({ db }: Context, userId: string, customerId: string) =>
  void (await db.orm
    .update(billingAccounts)
    .set({ stripe_customer_id: null, customer_key: crypto.randomUUID() })
    .where(and(eq(user_id, userId), eq(stripe_customer_id, customerId))))

/** The customer of an account, if it has one. */
export const findCustomer = async ({ db }: Context, userId: string): Promise<string | undefined> => {
  const [account] = await db.orm.select({ id: stripe_customer_id }).from(billingAccounts).where(eq(user_id, userId))
  return account?.id ?? undefined
}

/** Whether an account has a subscription at Stripe that rules out a second one, as far as events have reported. */
export const isPaying = async ({ db }: Context, userId: string): Promise<boolean> => {
  const { user_id, status, stripe_subscription_id } = subscriptions
  const isLive = and(isNotNull(stripe_subscription_id), inArray(status, [...liveStatuses]))
  const found = await db.orm
    .select({ user_id })
    .from(subscriptions)
    .where(and(eq(user_id, userId), isLive))
  return found.length > 0
}

const openAccount = async ({ db }: Context, userId: string, now: Date): Promise<Account> => {
  try {
    await db.orm
      .insert(billingAccounts)
      .values({ user_id: userId, customer_key: crypto.randomUUID(), created_at: now.toISOString() })
      .onConflictDoNothing({ target: user_id })
  } catch (error) {
    throw violates(error, 'billing_accounts_user_id_fkey') ? accountGone() : error
  }
  const [account] = await db.orm
    .select({ stripe_customer_id, customer_key, email: users.email_key })
    .from(billingAccounts)
    .innerJoin(users, eq(users.id, user_id))
    .where(eq(user_id, userId))
  if (!account) throw accountGone()
  return account
}

const accountGone = () => unauthenticated('The account is deleted.')

/** If two are created, the first one stays. Undefined if the account is gone. */
const keepCustomer = async ({ db }: Context, userId: string, customerId: string): Promise<string | undefined> => {
  const [kept] = await db.orm
    .update(billingAccounts)
    .set({ stripe_customer_id: sql`coalesce(${stripe_customer_id}, ${customerId})` })
    .where(eq(user_id, userId))
    .returning({ id: stripe_customer_id })
  return kept?.id ?? undefined
}

const renewKey = async ({ db }: Context, userId: string, key: string) =>
  void (await db.orm
    .update(billingAccounts)
    .set({ customer_key: crypto.randomUUID() })
    .where(and(eq(user_id, userId), eq(customer_key, key), isNull(stripe_customer_id))))
