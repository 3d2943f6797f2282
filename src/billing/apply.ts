import { and, eq, lt, ne } from 'drizzle-orm'
import type { Transaction } from '../../db/client.ts'
import { billingAccounts, subscriptions } from '../../db/schema/index.ts'
import { holdPlans, writePlanAllowance } from '../access/plan-allowance.ts'
import type { Seen } from './fetch-subscription.ts'
import type { Standing } from './statuses.ts'

const { user_id, stripe_subscription_id } = subscriptions

/**
 * Writes what a look at Stripe found to the account, and the plan's allowance to its key, unless a later look was written
 * first. If Stripe no longer has a subscription that counts, the account's own ends only if it came from Stripe: our own trial continues.
 */
export const applyLook = async (tx: Transaction, { userId, look, standings: [standing] }: Seen, now: Date) => {
  await holdPlans(tx, [userId])
  if (!(await claimLook(tx, userId, look))) return
  const [held] = await tx.orm
    .select({ stripe_subscription_id })
    .from(subscriptions)
    .where(eq(user_id, userId))
    .for('update')
  if (standing && (standing.status !== 'canceled' || standing.subscription.id === held?.stripe_subscription_id))
    return writeStanding(tx, userId, standing, now)
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

const writeStanding = async (
  tx: Transaction,
  userId: string,
  { subscription, plan, status, periodEnd }: Standing,
  now: Date,
) => {
  const at = now.toISOString()
  const isEnding = status !== 'canceled'
  const { cancelAt, endsWithPeriod } = subscription
  const columns = {
    plan,
    status,
    stripe_subscription_id: subscription.id,
    updated_at: at,
    current_period_end: periodEnd?.toISOString() ?? null,
    cancel_at: (isEnding && cancelAt?.toISOString()) || null,
    cancel_at_period_end: isEnding && (endsWithPeriod || (cancelAt !== null && Number(cancelAt) === Number(periodEnd))),
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
    .set({ status: 'canceled', cancel_at: null, cancel_at_period_end: false, updated_at: now.toISOString() })
    .where(and(eq(user_id, userId), ne(subscriptions.status, 'canceled')))
