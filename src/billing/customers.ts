import type { Context } from '../context.ts'
import { hashSecret } from '../lib/secret.ts'
import { PaymentsFailure, type PaymentsPort } from '../payments/payments.ts'
import { liveStatuses } from './statuses.ts'

type Account = { stripe_customer_id: string | null; customer_key: string; email: string }

const [attempts, pauseMilliseconds] = [10, 250]

/**
 * The customer at Stripe that stands for an account, made where there is none. Requests at once share the key of the call,
 * so that they get the same one; a key that was answered with a failure is not used again, since Stripe would repeat itself.
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
  return keepCustomer(context, userId, await payments.createCustomer({ key, userId, email }))
}

/** Does something with the customer of an account. One that was removed at Stripe is made anew, once. */
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

/** Forgets a customer, unless somebody was faster and there is another. */
const forgetCustomer = async ({ db }: Context, userId: string, customerId: string) =>
  void (await db.sql`
    update billing_accounts set stripe_customer_id = null, customer_key = ${crypto.randomUUID()}
    where user_id = ${userId} and stripe_customer_id = ${customerId}`)

/** The customer of an account, if it ever had one. */
export const findCustomer = async ({ db }: Context, userId: string): Promise<string | undefined> => {
  const [account] = await db.sql<{ id: string | null }[]>`
    select stripe_customer_id as id from billing_accounts where user_id = ${userId}`
  return account?.id ?? undefined
}

/** Whether an account has a subscription at Stripe that speaks against a second one, as far as events have told. */
export const isPaying = async ({ db }: Context, userId: string): Promise<boolean> => {
  const found = await db.sql`
    select 1 from subscriptions
    where user_id = ${userId} and stripe_subscription_id is not null and status = any(${[...liveStatuses]}::text[])`
  return found.length > 0
}

const openAccount = async ({ db }: Context, userId: string, now: Date): Promise<Account> => {
  await db.sql`
    insert into billing_accounts (user_id, customer_key, created_at)
    values (${userId}, ${crypto.randomUUID()}, ${now.toISOString()}) on conflict (user_id) do nothing`
  const [account] = await db.sql<Account[]>`
    select a.stripe_customer_id, a.customer_key, u.email_key as email
    from billing_accounts a join users u on u.id = a.user_id where a.user_id = ${userId}`
  if (!account) throw new Error('A billing account that was opened is not there.')
  return account
}

/** The first that was made stays. */
const keepCustomer = async ({ db }: Context, userId: string, customerId: string): Promise<string> => {
  const [kept] = await db.sql<{ id: string }[]>`
    update billing_accounts set stripe_customer_id = coalesce(stripe_customer_id, ${customerId})
    where user_id = ${userId} returning stripe_customer_id as id`
  return kept?.id ?? customerId
}

const renewKey = async ({ db }: Context, userId: string, key: string) =>
  void (await db.sql`
    update billing_accounts set customer_key = ${crypto.randomUUID()}
    where user_id = ${userId} and customer_key = ${key} and stripe_customer_id is null`)
