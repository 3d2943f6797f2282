import { and, eq, lt, ne } from 'drizzle-orm'
import type { Transaction } from '../../db/client.ts'
import { billingAccounts, type Row, subscriptions } from '../../db/schema/index.ts'
import { holdPlans, writePlanAllowance } from '../access/plan-allowance.ts'
import type { Config } from '../config.ts'
import type { Plan } from '../limits.ts'
import type { Subscription } from '../payments/payments.ts'
import type { Seen } from './look.ts'
import { planOf } from './plans.ts'
import { type Status, statusOf } from './statuses.ts'

const { user_id, plan, stripe_subscription_id } = subscriptions

type Held = Pick<Row<typeof subscriptions>, 'plan' | 'stripe_subscription_id'>

/**
 * Writes what a look at Stripe found to the account, and the plan's allowance to its key, unless a later look was written
 * first. If Stripe no longer has a subscription, the account's own ends only if it came from Stripe: our own trial continues.
 */
export const applyLook = async (tx: Transaction, config: Config, { userId, look, subscription }: Seen, now: Date) => {
  await holdPlans(tx, [userId])
  if (!(await claimLook(tx, userId, look))) return
  const [held] = await tx.orm
    .select({ plan, stripe_subscription_id })
    .from(subscriptions)
    .where(eq(user_id, userId))
    .for('update')
  const status = subscription && statusOf(subscription)
  if (subscription && status && (status !== 'canceled' || subscription.id === held?.stripe_subscription_id))
    return writeSubscription(
      tx,
      userId,
      subscription,
      status,
      planOf(config, subscription.priceIds) ?? planOfUnknownPrice(held),
      now,
    )
  if (held?.stripe_subscription_id) await cancel(tx, userId, now)
}

/**
 * Marks this look as the last one written. False if a later one already was, or the account is gone.
 */
const claimLook = async (tx: Transaction, userId: string, look: string) => {
  const { user_id, applied_look } = billingAccounts
  const written = await tx.orm
    .update(billingAccounts)
    .set({ applied_look: look })
    .where(and(eq(user_id, userId), lt(applied_look, look)))
  return written.count > 0
}

/** The plan for a price that isn't in the settings: the account's current one, or the smallest. */
const planOfUnknownPrice = (held: Held | undefined): Plan => (held?.plan === 'pro' ? 'pro' : 'starter')

const writeSubscription = async (
  tx: Transaction,
  userId: string,
  paid: Subscription,
  status: Status,
  plan: Plan,
  now: Date,
) => {
  const at = now.toISOString()
  const columns = {
    ...{ plan, status, stripe_subscription_id: paid.id, updated_at: at },
    current_period_end: paid.currentPeriodEnd?.toISOString() ?? null,
    cancel_at_period_end: paid.cancelAtPeriodEnd && status !== 'canceled',
  }
  await tx.orm
    .insert(subscriptions)
    .values({ user_id: userId, ...columns, created_at: at })
    .onConflictDoUpdate({ target: user_id, set: columns })
  await writePlanAllowance(tx, [userId], plan)
}

const cancel = (tx: Transaction, userId: string, now: Date) =>
  tx.orm
    .update(subscriptions)
    .set({ status: 'canceled', cancel_at_period_end: false, updated_at: now.toISOString() })
    .where(and(eq(user_id, userId), ne(subscriptions.status, 'canceled')))
