import type { Config } from '../config.ts'
import type { Plan } from '../limits.ts'
import type { Subscription } from '../payments/payments.ts'

/** The plans that can be bought. */
export const paidPlans = ['starter', 'pro'] as const satisfies Plan[]
export type PaidPlan = (typeof paidPlans)[number]

/** Stripe's id for the price of a plan. Undefined if it isn't set. */
export const priceOf = ({ stripe }: Config, plan: PaidPlan): string | undefined =>
  ({ starter: stripe.priceStarter, pro: stripe.pricePro })[plan]

/** The plan that a subscription pays for, and the end of its period. */
export type Paid = { plan: PaidPlan; periodEnd: Date | null }

/** What a subscription pays for here: the highest plan among its items. Undefined if no item has a price of ours. */
export const findPaid = (config: Config, { items }: Pick<Subscription, 'items'>): Paid | undefined =>
  paidPlans
    .flatMap((plan) =>
      items.filter(({ priceId }) => priceId === priceOf(config, plan)).map(({ periodEnd }) => ({ plan, periodEnd })),
    )
    .at(-1)
