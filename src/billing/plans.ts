import type { Config } from '../config.ts'
import type { Plan } from '../limits.ts'

/** The plans that can be bought. */
export const paidPlans = ['starter', 'pro'] as const satisfies Plan[]
export type PaidPlan = (typeof paidPlans)[number]

/** Stripe's id for the price of a plan. Undefined if it isn't set. */
export const priceOf = ({ stripe }: Config, plan: PaidPlan): string | undefined =>
  ({ starter: stripe.priceStarter, pro: stripe.pricePro })[plan]

/** The plan that these prices pay for: the largest, if several. Undefined for prices that aren't in the settings. */
export const planOf = (config: Config, priceIds: string[]): PaidPlan | undefined =>
  paidPlans.findLast((plan) => priceIds.some((id) => id === priceOf(config, plan)))
