import { and, eq, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { shown } from '../../../db/builder.ts'
import type { Database, Queryable } from '../../../db/client.ts'
import { credentials, subscriptions } from '../../../db/schema/index.ts'
import { issueLoggedKey, logEnded } from '../../access/credential-log.ts'
import { endKey, isLive, lastUsedAt } from '../../access/credentials.ts'
import { holdPlans } from '../../access/plan-allowance.ts'
import type { Act } from '../../audit/write.ts'
import type { Config } from '../../config.ts'
import type { Plan } from '../../limits.ts'

const { id, user_id, kind, last_four, created_at, plan_limit, plan_window_seconds } = credentials

/** A user's live key, masked: enough to recognize it, not enough to use it. */
export const findKey = async (db: Queryable, userId: string, now: Date) => {
  const { agreed_limit, agreed_window_seconds, next_limit, next_window_seconds, next_from } = credentials
  const agreed = (next: PgColumn, current: PgColumn, plan: PgColumn) =>
    sql<number>`coalesce(case when ${next_from} <= ${now.toISOString()} then ${next} else ${current} end, ${plan})`
  const [key] = await db.orm
    .select({
      ...shown({ id, last_four, created_at, last_used_at: lastUsedAt }),
      limit: agreed(next_limit, agreed_limit, plan_limit),
      window_seconds: agreed(next_window_seconds, agreed_window_seconds, plan_window_seconds),
    })
    .from(credentials)
    .where(and(eq(user_id, userId), eq(kind, 'subscriber_key'), isLive))
  return key
}

export type Key = NonNullable<Awaited<ReturnType<typeof findKey>>>

const getKey = async (db: Queryable, userId: string, now: Date): Promise<Key> => {
  const key = await findKey(db, userId, now)
  if (!key) throw new Error('The key that was just issued is missing.')
  return key
}

type Owner = { id: string; operator: boolean }

/**
 * Issues a key that replaces the previous one, with the plan's allowance. Accounts without a plan get the smallest plan's,
 * operators that of `pro`. The plan is locked, so that a concurrent change of plan reaches the new key.
 */
export const regenerateKey = (db: Database, owner: Owner, config: Config, act: Act) =>
  db.transaction(async (tx) => {
    await holdPlans(tx, [owner.id])
    const [standing] = await tx.orm
      .select({ plan: subscriptions.plan })
      .from(subscriptions)
      .where(eq(subscriptions.user_id, owner.id))
      .for('share')
    const plan: Plan = standing?.plan ?? (owner.operator ? 'pro' : 'starter')
    const { secret } = await issueLoggedKey(tx, act, owner.id, config, plan)
    return { key: await getKey(tx, owner.id, act.now), secret }
  })

/** Revokes a user's key, if there is one. */
export const removeKey = (db: Database, userId: string, act: Act): Promise<void> =>
  db.transaction(async (tx) => {
    await holdPlans(tx, [userId])
    const id = await endKey(tx, userId, act.now)
    if (id) await logEnded(tx, act, [{ kind: 'subscriber_key', id }])
  })
