import type { Config } from '../config.ts'
import type { Subscription } from '../payments/payments.ts'
import { findPaid, type Paid, paidPlans } from './plans.ts'

/** Our statuses of a subscription (interface.md, Subscription status). */
export type Status = 'trialing' | 'active' | 'past_due' | 'paused' | 'canceled'

/**
 * Stripe's statuses as ours. While the first payment is due (`incomplete`), there is no subscription yet, and the account stays
 * as it is. A subscription whose retries all failed (`unpaid`) is past due until somebody pays.
 */
const statuses: Record<string, Status | undefined> = {
  trialing: 'trialing',
  active: 'active',
  past_due: 'past_due',
  unpaid: 'past_due',
  paused: 'paused',
  canceled: 'canceled',
  incomplete: undefined,
  incomplete_expired: undefined,
}

/** Our status of a subscription at Stripe. Undefined if it doesn't count. */
export const statusOf = ({ status }: Pick<Subscription, 'status'>): Status | undefined =>
  Object.hasOwn(statuses, status) ? statuses[status] : undefined

/** The statuses that rule out a second checkout (decisions.md §10): it is paid for, or payment is still expected. */
export const liveStatuses = ['active', 'trialing', 'past_due'] as const satisfies Status[]

/** Whether a subscription rules out a second one. */
export const isLive = ({ status }: Standing) => liveStatuses.some((one) => one === status)

/** A subscription that counts for an account: it pays for one of our plans. */
export type Standing = Paid & { subscription: Subscription; status: Status }

/** The statuses from best to worst, as far as they decide: among equals, the higher plan counts. */
const order: Status[][] = [['active', 'trialing'], ['past_due', 'paused'], ['canceled']]

/**
 * The subscriptions that count, the one that decides about the account first (decisions.md §19): it has the highest plan among
 * those that entitle to it, or else among the others. Of equal ones, the newest. Events may arrive in any order.
 */
export const standingsOf = (config: Config, subscriptions: Subscription[]): Standing[] =>
  subscriptions
    .flatMap((subscription): Standing[] => {
      const paid = findPaid(config, subscription)
      const status = statusOf(subscription)
      return paid && status ? [{ ...paid, subscription, status }] : []
    })
    .sort((a, b) => rank(a) - rank(b) || paidPlans.indexOf(b.plan) - paidPlans.indexOf(a.plan) || newestFirst(a, b))

const rank = ({ status }: Standing) => order.findIndex((group) => group.includes(status))

const newestFirst = ({ subscription: a }: Standing, { subscription: b }: Standing) =>
  b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1)
