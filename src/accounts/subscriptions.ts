import { eq } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/client.ts'
import { type Row, subscriptions, users } from '../../db/schema/index.ts'
import { holdPlans, writePlanAllowance } from '../access/plan-allowance.ts'
import type { Config } from '../config.ts'
import { secondsAfter } from '../lib/clock.ts'
import type { Plan } from '../limits.ts'

type Standing = { plan: Plan | null; isEntitled: boolean }

const day = 86_400

/** Whether an account is entitled. Operators always are; for others, their subscription decides. */
export const readStanding = async (db: Queryable, userId: string): Promise<Standing> => {
  const { user_id, plan, status } = subscriptions
  const [row] = await db.orm
    .select({ operator: users.operator, plan, status })
    .from(users)
    .leftJoin(subscriptions, eq(user_id, users.id))
    .where(eq(users.id, userId))
  const isEntitled = row !== undefined && (row.operator || row.status === 'active' || row.status === 'trialing')
  return { plan: row?.plan ?? null, isEntitled }
}

/** Makes an account active on a plan without a payment processor, and gives its key the plan's allowance. */
export const activatePlan = async (db: Queryable, userId: string, plan: Plan, trialDays: number, now: Date) => {
  const at = now.toISOString()
  const ends = plan === 'trial' ? { trial_ends_at: secondsAfter(now, trialDays * day).toISOString() } : {}
  const status: Row<typeof subscriptions>['status'] = plan === 'trial' ? 'trialing' : 'active'
  const active = { plan, status, ...ends, updated_at: at }
  const fresh = {
    cancel_at: null,
    cancel_at_period_end: false,
    reminded_days: null,
    current_period_end: null,
    stripe_subscription_id: null,
  }
  await db.orm
    .insert(subscriptions)
    .values({ user_id: userId, ...active, created_at: at })
    .onConflictDoUpdate({ target: subscriptions.user_id, set: { ...active, ...fresh } })
  await writePlanAllowance(db, [userId], plan)
}

/** How many days before a trial ends its owner gets each reminder (interface.md, Subscription status). */
export const reminderDays = [7, 2, 1]

/** `reminded_days` of a new trial: the smallest reminder that the trial is too short for. */
const remindersPast = (trialDays: number): number | null =>
  reminderDays.filter((days) => days > trialDays).at(-1) ?? null

/**
 * Starts the trial of accounts that have no subscription yet, gives its allowance to keys that they made while they waited, and
 * returns when it ends. The caller must hold their slots.
 */
export const startTrials = async (
  tx: Transaction,
  userIds: string[],
  { trialDays }: Config,
  now: Date,
): Promise<Date> => {
  const endsAt = secondsAfter(now, trialDays * day)
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
