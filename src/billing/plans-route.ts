import { Type } from '@sinclair/typebox'
import type { Route } from '../http/route.ts'
import { integer, nullable, oneOf, time } from '../jsonapi/fields.ts'
import { planAllowances, sayDuration } from '../limits.ts'
import { type PaidPlan, paidPlans, priceOf } from './plans.ts'
import { freshness, type Prices, readPrices } from './prices.ts'

const price = Type.Object({
  amount: Type.String({ description: 'In units of the currency, excluding tax.', pattern: '^[0-9]+([.][0-9]+)?$' }),
  currency: Type.String({ description: 'ISO 4217.' }),
  interval: oneOf(['day', 'week', 'month', 'year']),
  interval_count: integer(1),
})

const schema = Type.Object(
  {
    plans: Type.Array(
      Type.Object({
        plan: oneOf([...paidPlans]),
        limit: integer(1),
        window_seconds: integer(1),
        price: nullable(price),
      }),
      { description: 'The plans on sale, smallest first. Empty if the service sells none.' },
    ),
    prices_read_at: {
      ...nullable(time()),
      description: 'When the prices were read from Stripe. Null if they are unknown.',
    },
  },
  { $id: 'Plans' },
)

const render = (plans: PaidPlan[], prices: Prices | undefined) => ({
  plans: plans.map((plan) => {
    const { limit, windowSeconds } = planAllowances[plan]
    const found = prices?.of.get(plan)
    const { intervalCount: interval_count, ...cost } = found ?? {}
    return { plan, limit, window_seconds: windowSeconds, price: found ? { ...cost, interval_count } : null }
  }),
  prices_read_at: prices?.readAt.toISOString() ?? null,
})

const minutes = sayDuration(freshness.freshSeconds)
const day = sayDuration(freshness.keptSeconds)

/** The plans on sale. Open to everyone. */
export const plansRoute: Route = {
  method: 'GET',
  path: '/v1/billing/plans',
  operationId: 'listPlans',
  summary: 'List the plans and their prices',
  description: `What each plan allows its key, and what it costs at Stripe. Prices are refreshed after ${minutes}. If Stripe doesn’t answer, the last known prices are shown for ${day}, then null.`,
  tag: 'Billing',
  access: 'public',
  flat: true,
  answers: {
    200: {
      description: 'The plans.',
      schema,
      example: render(['starter', 'pro'], {
        readAt: new Date('2026-11-21T12:00:00.000Z'),
        of: new Map([
          ['starter', { amount: '9.00', currency: 'USD', interval: 'month', intervalCount: 1 }],
          ['pro', { amount: '29.00', currency: 'USD', interval: 'month', intervalCount: 1 }],
        ]),
      }),
    },
  },
  handle: async (context, { now }) => {
    const prices = await readPrices(context, now)
    const onSale = paidPlans.filter(
      (plan) => context.payments && priceOf(context.config, plan) && (!prices || prices.of.has(plan)),
    )
    return { status: 200, body: render(onSale, prices) }
  },
}
