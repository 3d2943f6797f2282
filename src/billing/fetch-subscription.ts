import type { Context } from '../context.ts'
import type { PaymentsPort } from '../payments/payments.ts'
import type { EventCustomer } from './event-customer.ts'
import { paidPlans } from './plans.ts'
import { type Standing, standingsOf } from './statuses.ts'

/**
 * What a look at Stripe found: the subscriptions that count, the one that decides first. `look` is its number, which grows with
 * each look at an account.
 */
export type Seen = { userId: string; look: string; standings: Standing[] }

/**
 * Asks Stripe which subscription counts for a customer's account. First it asks for the one that the event names. Unless that is
 * active on the highest plan, it asks for all that haven't ended. Undefined for a customer that isn't ours. The look
 * takes its number before it asks.
 */
export const fetchSubscription = async (
  context: Context,
  payments: PaymentsPort,
  { customerId, subscriptionId }: EventCustomer,
): Promise<Seen | undefined> => {
  const account = await beginLook(context, customerId)
  if (!account) return undefined
  const named = subscriptionId ? await payments.findSubscription(subscriptionId) : undefined
  const own = named?.customerId === customerId ? [named] : []
  const [best] = standingsOf(context.config, own)
  if (best?.status === 'active' && best.plan === paidPlans.at(-1)) return { ...account, standings: [best] }
  const others = (await payments.listSubscriptions(customerId)).filter(({ id }) => id !== named?.id)
  return { ...account, standings: standingsOf(context.config, [...own, ...others]) }
}

const beginLook = async ({ db }: Context, customerId: string) => {
  const [account] = await db.sql<{ userId: string; look: string }[]>`
    update billing_accounts a set looks = a.looks + 1 where a.stripe_customer_id = ${customerId}
    returning a.user_id as "userId", a.looks as look`
  return account
}
