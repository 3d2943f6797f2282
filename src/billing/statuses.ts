import type { Subscription } from '../payments/payments.ts'

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

/** Whether a subscription at Stripe rules out a second one. */
export const isLive = (subscription: Subscription) => liveStatuses.some((one) => one === statusOf(subscription))

const ranks: Status[] = ['canceled', 'paused', 'past_due', 'trialing', 'active']

/**
 * The subscription that decides about an account: the one with the best status, then the newest. Events may arrive in any
 * order.
 */
export const standingOn = (subscriptions: Subscription[]): Subscription | undefined =>
  subscriptions
    .filter((one) => statusOf(one))
    .sort((a, b) => rank(b) - rank(a) || b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))[0]

const rank = (subscription: Subscription) => ranks.indexOf(statusOf(subscription) ?? 'canceled')
