import { and, asc, eq } from 'drizzle-orm'
import { anyOf } from '../../db/builder.ts'
import type { Queryable, Transaction } from '../../db/client.ts'
import { credentials, users } from '../../db/schema/index.ts'
import { type Plan, planAllowances } from '../limits.ts'
import { isLive } from './credentials.ts'

/**
 * Locks users' plans until the transaction ends. Call this before changing a plan or issuing a key for it, so that a new key
 * doesn't miss a plan that is just being written.
 */
export const holdPlans = async (tx: Transaction, userIds: string[]) => {
  const { id } = users
  await tx.orm.select({ id }).from(users).where(anyOf(id, userIds)).orderBy(asc(id)).for('no key update')
}

/** Writes a plan's allowance to users' live keys. An agreement still takes precedence. */
export const writePlanAllowance = async (db: Queryable, userIds: string[], plan: Plan) => {
  const { limit, windowSeconds } = planAllowances[plan]
  const { user_id, kind } = credentials
  await db.orm
    .update(credentials)
    .set({ plan_limit: limit, plan_window_seconds: windowSeconds })
    .where(and(anyOf(user_id, userIds), eq(kind, 'subscriber_key'), isLive))
}
