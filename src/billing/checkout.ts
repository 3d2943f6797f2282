import { Type } from '@sinclair/typebox'
import type { Context } from '../context.ts'
import type { Call, Reply } from '../http/route.ts'
import { conflict, validationFailed } from '../jsonapi/errors.ts'
import { oneOf, optional, url } from '../jsonapi/fields.ts'
import { flatFaults, readFlat } from '../jsonapi/flat-body.ts'
import type { PaymentsPort } from '../payments/payments.ts'
import { applyLook } from './apply.ts'
import { findCustomer, isPaying, withCustomer } from './customers.ts'
import { notConfigured, orLogged, orUnavailable, requirePayments } from './failures.ts'
import { fetchSubscription } from './fetch-subscription.ts'
import { paidPlans, priceOf } from './plans.ts'
import { isLive } from './statuses.ts'
import { addressFaults } from './trusted-address.ts'

/** The attributes of a checkout. */
export const checkoutBody = Type.Object(
  { plan: oneOf([...paidPlans]), success_url: optional(url()), cancel_url: optional(url()) },
  {
    $id: 'Checkout',
    description:
      'Each URL’s origin must be the service’s own or one of TRUSTED_ORIGINS. The URLs default to pages of the service.',
  },
)

/**
 * Opens a page where an account pays for a plan. 409 while its subscription at Stripe is active, trialing or past due; an
 * account on our own trial may check out. Pages opened earlier are closed, so that nobody pays twice.
 */
export const openCheckout = async (context: Context, call: Call): Promise<Reply> => {
  const payments = requirePayments(context)
  const userId = call.caller.userId ?? ''
  const now = call.now
  const members = readFlat(await call.body())
  if (await isPaying(context, userId)) throw alreadySubscribed()
  const faults = [
    ...flatFaults(checkoutBody, members),
    ...addressFaults(context.config, members, ['success_url', 'cancel_url']),
  ]
  if (faults.length > 0) throw validationFailed(faults)
  const { plan, success_url, cancel_url } = members as typeof checkoutBody.static & { plan: (typeof paidPlans)[number] }
  const priceId = priceOf(context.config, plan)
  if (!priceId) throw notConfigured()
  const { baseUrl } = context.config
  const successUrl = success_url ?? `${baseUrl}/account?checkout=success`
  const cancelUrl = cancel_url ?? `${baseUrl}/account?checkout=cancelled`
  const url = await orUnavailable(context, async () => {
    await refuseUnknownSecond(context, payments, userId, now)
    return withCustomer(context, payments, userId, now, async (customerId) => {
      const key = `checkout-${crypto.randomUUID()}`
      const { id, url } = await payments.createCheckout({ key, customerId, userId, priceId, successUrl, cancelUrl })
      // Two open pages could become two subscriptions. If closing them fails, the customer still gets the new page.
      await orLogged(context, () => payments.closeEarlierCheckouts(customerId, id))
      return url
    })
  })
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, body: { url } }
}

const alreadySubscribed = () =>
  conflict('This account already has a subscription. Change or cancel it at /v1/billing/portal.')

/** A customer who just paid may have a subscription that no event has reported yet. */
const refuseUnknownSecond = async (context: Context, payments: PaymentsPort, userId: string, now: Date) => {
  const customerId = await findCustomer(context, userId)
  if (!customerId) return
  const seen = await fetchSubscription(context, payments, { customerId })
  if (!seen?.standings.some(isLive)) return
  await context.db.transaction((tx) => applyLook(tx, seen, now))
  throw alreadySubscribed()
}
