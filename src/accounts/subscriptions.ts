import type { Queryable, Transaction } from '../../db/client.ts'
import { holdPlans, writePlanAllowance } from '../access/plan-allowance.ts'
import type { Config } from '../config.ts'
import type { Plan } from '../limits.ts'
import { remindersPast } from './lifecycle/reminders.ts'

export type Standing = { plan: Plan | null; status: string | null; isEntitled: boolean }

/** How an account stands: operators are always entitled, the others by their subscription. */
export const readStanding = async (db: Queryable, userId: string): Promise<Standing> => {
  const [row] = await db.sql<{ operator: boolean; plan: Plan | null; status: string | null }[]>`
    select u.operator, s.plan, s.status from users u left join subscriptions s on s.user_id = u.id where u.id = ${userId}`
  const { operator = false, plan = null, status = null } = row ?? {}
  return { plan, status, isEntitled: operator || status === 'active' || status === 'trialing' }
}

/** Makes an account active on a plan, without a payment processor, and writes the plan's allowance to its key. */
export const activatePlan = async (db: Queryable, userId: string, plan: Plan, trialDays: number, now: Date) => {
  const status = plan === 'trial' ? 'trialing' : 'active'
  const trialEndsAt = plan === 'trial' ? new Date(now.getTime() + trialDays * 86_400_000).toISOString() : null
  const at = now.toISOString()
  await db.sql`
    insert into subscriptions (user_id, plan, status, trial_ends_at, created_at, updated_at)
    values (${userId}, ${plan}, ${status}, ${trialEndsAt}, ${at}, ${at})
    on conflict (user_id) do update set plan = excluded.plan, status = excluded.status,
      trial_ends_at = coalesce(excluded.trial_ends_at, subscriptions.trial_ends_at), cancel_at_period_end = false, reminded_days = null,
      current_period_end = null, stripe_subscription_id = null, updated_at = excluded.updated_at`
  await writePlanAllowance(db, [userId], plan)
}

/**
 * Starts the trial of accounts that have no subscription yet, writes its allowance to keys that they made while they waited,
 * and answers when it ends. Whoever calls holds their slots.
 */
export const startTrials = async (
  tx: Transaction,
  userIds: string[],
  { trialDays }: Config,
  now: Date,
): Promise<Date> => {
  const endsAt = new Date(now.getTime() + trialDays * 86_400_000)
  await holdPlans(tx, userIds)
  await tx.sql`
    insert into subscriptions (user_id, plan, status, trial_ends_at, reminded_days, created_at, updated_at)
    select id, 'trial', 'trialing', ${endsAt.toISOString()}::timestamptz, ${remindersPast(trialDays)}::int,
      ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz
    from unnest(${userIds}::uuid[]) as started (id)
    on conflict (user_id) do nothing`
  await writePlanAllowance(tx, userIds, 'trial')
  return endsAt
}
