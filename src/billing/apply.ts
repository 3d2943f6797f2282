import type { Transaction } from '../../db/client.ts'
import { holdPlans, writePlanAllowance } from '../access/plan-allowance.ts'
import type { Config } from '../config.ts'
import type { Plan } from '../limits.ts'
import type { Subscription } from '../payments/payments.ts'
import type { Sight } from './look.ts'
import { planOf } from './plans.ts'
import { statusOf } from './statuses.ts'

type Held = { plan: Plan | null; stripe_subscription_id: string | null }

/**
 * Writes what was seen at Stripe to the account, and the plan's allowance to its key, unless a later look was written
 * already. What Stripe no longer has ends only what came from Stripe: a trial of ours goes on.
 */
export const applySight = async (tx: Transaction, config: Config, { userId, look, subscription }: Sight, now: Date) => {
  if (!(await isLatest(tx, userId, look))) return
  await holdPlans(tx, [userId])
  const [held] = await tx.sql<Held[]>`
    select plan, stripe_subscription_id from subscriptions where user_id = ${userId} for update`
  const status = subscription && statusOf(subscription)
  if (subscription && status && (status !== 'canceled' || subscription.id === held?.stripe_subscription_id))
    return stand(tx, userId, subscription, status, planOf(config, subscription.priceIds) ?? paidPlan(held), now)
  if (held?.stripe_subscription_id) await end(tx, userId, now)
}

/** The lock on the account: looks that come at once are written one after the other. */
const isLatest = async (tx: Transaction, userId: string, look: string) => {
  const written = await tx.sql`
    update billing_accounts set applied_look = ${look}::bigint where user_id = ${userId} and applied_look < ${look}::bigint`
  return written.count > 0
}

/** Of a price that the settings do not name: it stays the plan that it is, or the smallest. */
const paidPlan = (held: Held | undefined): Plan => (held?.plan === 'pro' ? 'pro' : 'starter')

const stand = async (tx: Transaction, userId: string, seen: Subscription, status: string, plan: Plan, now: Date) => {
  const at = now.toISOString()
  await tx.sql`
    insert into subscriptions (user_id, plan, status, current_period_end, cancel_at_period_end, stripe_subscription_id,
      created_at, updated_at)
    values (${userId}, ${plan}, ${status}, ${seen.currentPeriodEnd?.toISOString() ?? null}::timestamptz,
      ${seen.cancelAtPeriodEnd && status !== 'canceled' ? 'yes' : 'no'}::text::bool, ${seen.id}, ${at}, ${at})
    on conflict (user_id) do update set plan = excluded.plan, status = excluded.status,
      current_period_end = excluded.current_period_end, cancel_at_period_end = excluded.cancel_at_period_end,
      stripe_subscription_id = excluded.stripe_subscription_id, updated_at = excluded.updated_at`
  await writePlanAllowance(tx, [userId], plan)
}

const end = (tx: Transaction, userId: string, now: Date) => tx.sql`
  update subscriptions set status = 'canceled', cancel_at_period_end = false, updated_at = ${now.toISOString()}
  where user_id = ${userId} and status <> 'canceled'`
