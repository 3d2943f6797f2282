import type { Config } from '../config.ts'
import type { Plan } from '../limits.ts'

/** The plans that can be bought. */
export const paidPlans = ['starter', 'pro'] as const satisfies Plan[]
export type PaidPlan = (typeof paidPlans)[number]

/** Stripe's id for the price of a plan; undefined if it is not set. */
export const priceOf = ({ stripe }: Config, plan: PaidPlan): string | undefined =>
  ({ starter: stripe.priceStarter, pro: stripe.pricePro })[plan]

/** The plan that prices pay for, the largest of several; undefined for prices that the settings do not name. */
export const planOf = (config: Config, priceIds: string[]): PaidPlan | undefined =>
  paidPlans.findLast((plan) => priceIds.some((id) => id === priceOf(config, plan)))
