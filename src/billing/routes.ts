import { Type } from '@sinclair/typebox'
import type { Route } from '../http/route.ts'
import { link } from '../jsonapi/fields.ts'
import { checkoutBody, openCheckout } from './checkout.ts'
import { plansRoute } from './plans-route.ts'
import { openPortal, portalBody } from './portal.ts'
import { webhookRoute } from './webhook.ts'

const answers = (example: string): Route['answers'] => ({
  200: {
    description: 'The URL of the page, to open in a browser.',
    schema: Type.Object({ url: link() }, { $id: 'BillingPage' }),
    example: { url: example },
  },
})

/** Checkout and portal, which are pages hosted by Stripe, and the webhook that reports what happened there. */
export const billingRoutes: Route[] = [
  plansRoute,
  {
    method: 'POST',
    path: '/v1/billing/checkout',
    operationId: 'createCheckout',
    summary: 'Pay for a plan',
    description:
      'Returns the URL of a checkout page. Returns 409 while the account’s Stripe subscription is active, trialing or past due. An account on the service’s own trial can check out. Returns 502 if Stripe fails or isn’t configured.',
    tag: 'Billing',
    access: 'session',
    flat: true,
    body: {
      schema: checkoutBody,
      example: {
        plan: 'starter',
        success_url: 'https://cards.example.org/thanks',
        cancel_url: 'https://cards.example.org/plans',
      },
    },
    answers: answers('https://checkout.stripe.com/c/pay/cs_live_a1b2c3'),
    refusals: [409, 422, 502],
    commitsItself: true,
    handle: openCheckout,
  },
  {
    method: 'POST',
    path: '/v1/billing/portal',
    operationId: 'createPortal',
    summary: 'Change or cancel a plan',
    description:
      'Returns the URL of a page to change the plan or the payment card, or to cancel. No body is needed. Returns 502 if Stripe fails or isn’t configured.',
    tag: 'Billing',
    access: 'session',
    flat: true,
    body: {
      schema: portalBody,
      required: false,
      example: { return_url: 'https://cards.example.org/account' },
    },
    answers: answers('https://billing.stripe.com/p/session/bps_a1b2c3'),
    refusals: [422, 502],
    commitsItself: true,
    handle: openPortal,
  },
  webhookRoute,
]
