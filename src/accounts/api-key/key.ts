import type { Database, Queryable } from '../../../db/client.ts'
import { issueLoggedKey, logEnded } from '../../access/credential-log.ts'
import { endKey } from '../../access/credentials.ts'
import { holdPlans } from '../../access/plan-allowance.ts'
import type { Act } from '../../audit/write.ts'
import type { Config } from '../../config.ts'
import type { Plan } from '../../limits.ts'

/** What may be shown of a key: enough to tell it from others, nothing to use it with. */
export type Key = {
  id: string
  lastFour: string
  limit: number
  windowSeconds: number
  createdAt: string
  lastUsedAt: string | null
}

/** The live key of a user, masked. */
export const findKey = async (db: Queryable, userId: string, now: Date): Promise<Key | undefined> => {
  const [row] = await db.sql<Row[]>`
    select k.id, k.last_four, coalesce(a."limit", k.plan_limit) as "limit",
      coalesce(a.window_seconds, k.plan_window_seconds) as window_seconds, k.created_at,
      (select max(d.last_request_at) from usage_days d where d.credential_id = k.id) as last_used_at
    from credentials k
    cross join lateral (
      select case when due then next_limit else agreed_limit end as "limit",
        case when due then next_window_seconds else agreed_window_seconds end as window_seconds
      from (select coalesce(k.next_from <= ${now.toISOString()}::timestamptz, false) as due) d
    ) a
    where k.user_id = ${userId} and k.kind = 'subscriber_key' and k.revoked_at is null`
  return row && readRow(row)
}

const getKey = async (db: Queryable, userId: string, now: Date): Promise<Key> => {
  const key = await findKey(db, userId, now)
  if (!key) throw new Error('A key that was issued is not there.')
  return key
}

type Row = {
  id: string
  last_four: string
  limit: number
  window_seconds: number
  created_at: string
  last_used_at: string | null
}

const readRow = (row: Row): Key => ({
  id: row.id,
  lastFour: row.last_four,
  limit: row.limit,
  windowSeconds: row.window_seconds,
  createdAt: new Date(row.created_at).toISOString(),
  lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
})

type Owner = { id: string; operator: boolean }

/**
 * Issues a key in the place of the one before it, with the plan's allowance. Without a plan it is the smallest one's until
 * there is one; an operator's is that of `pro`. The plan is held still meanwhile, so that a change of it finds the new key.
 */
export const regenerateKey = (db: Database, owner: Owner, config: Config, act: Act) =>
  db.transaction(async (tx) => {
    await holdPlans(tx, [owner.id])
    const [standing] = await tx.sql<{ plan: Plan | null }[]>`
      select plan from subscriptions where user_id = ${owner.id} for share`
    const plan = standing?.plan ?? (owner.operator ? 'pro' : 'starter')
    const { secret } = await issueLoggedKey(tx, act, owner.id, config, plan)
    return { key: await getKey(tx, owner.id, act.now), secret }
  })

/** Ends the key of a user, where there is one. */
export const removeKey = (db: Database, userId: string, act: Act): Promise<void> =>
  db.transaction(async (tx) => {
    await holdPlans(tx, [userId])
    const id = await endKey(tx, userId, act.now)
    if (id) await logEnded(tx, act, [{ kind: 'subscriber_key', id }])
  })
