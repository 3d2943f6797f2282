import type { Queryable, Transaction } from '../../db/client.ts'
import { type Plan, planAllowances } from '../limits.ts'

/**
 * Holds the plans of users still until the transaction ends: whoever changes a plan, and whoever makes a key of it, begins with
 * this, so that a new key does not miss a plan that is just being written.
 */
export const holdPlans = async (tx: Transaction, userIds: string[]) =>
  void (await tx.sql`select id from users where id = any(${userIds}::uuid[]) order by id for no key update`)

/** Writes what a plan allows to the live keys of users, at once. An allowance by agreement stays before it. */
export const writePlanAllowance = async (db: Queryable, userIds: string[], plan: Plan) => {
  const { limit, windowSeconds } = planAllowances[plan]
  await db.sql`
    update credentials set plan_limit = ${limit}, plan_window_seconds = ${windowSeconds}
    where user_id = any(${userIds}::uuid[]) and kind = 'subscriber_key' and revoked_at is null`
}
