import type { Context } from '../context.ts'
import type { PaymentsPort, Subscription } from '../payments/payments.ts'
import type { Pointer } from './pointer.ts'
import { standingOn } from './statuses.ts'

/** What a look at Stripe found. `look` is its number, which grows with each look at an account. */
export type Seen = { userId: string; look: string; subscription: Subscription | undefined }

/**
 * Asks Stripe which subscription counts for a customer's account. First it asks for the one that the event names. Unless that is
 * active, or if the account has another, it asks for all that haven't ended. Undefined for a customer that isn't ours. The look
 * takes its number before it asks.
 */
export const lookAtStripe = async (
  context: Context,
  payments: PaymentsPort,
  { customerId, subscriptionId }: Pointer,
): Promise<Seen | undefined> => {
  const account = await beginLook(context, customerId)
  if (!account) return undefined
  const named = subscriptionId ? await payments.findSubscription(subscriptionId) : undefined
  const { userId, look, standsOn } = account
  const own = named?.customerId === customerId ? named : undefined
  if (own?.status === 'active' && (standsOn === null || standsOn === own.id)) return { userId, look, subscription: own }
  const others = (await payments.listSubscriptions(customerId)).filter(({ id }) => id !== own?.id)
  return { userId, look, subscription: standingOn([...(own ? [own] : []), ...others]) }
}

const beginLook = async ({ db }: Context, customerId: string) => {
  const [account] = await db.sql<{ userId: string; look: string; standsOn: string | null }[]>`
    update billing_accounts a set looks = a.looks + 1 where a.stripe_customer_id = ${customerId}
    returning a.user_id as "userId", a.looks as look,
      (select s.stripe_subscription_id from subscriptions s where s.user_id = a.user_id) as "standsOn"`
  return account
}
