import type { Context } from '../context.ts'
import type { PaymentsPort, Subscription } from '../payments/payments.ts'
import { isLive, standingOn } from './statuses.ts'

/** Which customer something is about, and which of their subscriptions, where it says so. */
export type Pointer = { customerId: string; subscriptionId?: string }

/** What was seen at Stripe, under the number of the look. */
export type Seen = { userId: string; look: string; subscription: Subscription | undefined }

/**
 * Looks at Stripe for what the account of a customer stands on: at the subscription that is named, and where that one has
 * ended or is another than the account's, at all that have not ended. Undefined for a customer that is none of ours. The
 * number of the look is taken before it begins.
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
  if (own && isLive(own) && (standsOn === null || standsOn === own.id)) return { userId, look, subscription: own }
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
