import type { Queryable } from '../../db/client.ts'
import { type Plan, planAllowances } from './tiers.ts'

/** Writes what a plan allows to the live keys of users, at once. An allowance by agreement stays before it. */
export const writePlanAllowance = async (db: Queryable, userIds: string[], plan: Plan) => {
  const { limit, windowSeconds } = planAllowances[plan]
  await db.sql`
    update credentials set plan_limit = ${limit}, plan_window_seconds = ${windowSeconds}
    where user_id = any(${userIds}::uuid[]) and kind = 'subscriber_key' and revoked_at is null`
}
