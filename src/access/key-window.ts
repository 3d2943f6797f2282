import type { Queryable } from '../../db/client.ts'
import type { Clock } from '../lib/clock.ts'
import { tokenAllowance } from '../limits.ts'
import { closing, isOpenAt } from './counted.ts'

/** What is left of a window. `resetsAt` is null while no request has opened one. */
export type LeftOf = { limit: number; remaining: number; resetsAt: string | null }

const closesAt = closing(`make_interval(secs => coalesce(
  case when k.next_from <= clock.at then k.next_window_seconds else k.agreed_window_seconds end, k.plan_window_seconds))`)

/** The window of a user's subscriber key, as the gate would find it now, without counting. Undefined without a live key. */
export const readKeyWindow = async (db: Queryable, clock: Clock, userId: string): Promise<LeftOf | undefined> => {
  const [row] = await db.sql<{ limit: number; count: string; closes_at: string | null }[]>`
    with clock as (
      select (now() + make_interval(secs => ${clock.offsetSeconds}::float8))::timestamptz(3) as at
    )
    select coalesce(case when k.next_from <= clock.at then k.next_limit else k.agreed_limit end, k.plan_limit,
        ${tokenAllowance.limit}::int) as "limit",
      coalesce(w.count, 0) as count, ${db.sql.unsafe(closesAt)} as closes_at
    from clock cross join credentials k
    left join rate_windows w on w.key = 'key ' || k.user_id and ${db.sql.unsafe(isOpenAt('clock.at', closesAt))}
    where k.user_id = ${userId} and k.kind = 'subscriber_key' and k.revoked_at is null`
  return row && leftOf(row)
}

type Counted = { limit: number; count: string; closes_at: string | null }

/** What is left of a counted window. */
export const leftOf = ({ limit, count, closes_at }: Counted): LeftOf => ({
  limit,
  remaining: Math.max(0, limit - Number(count)),
  resetsAt: closes_at === null ? null : new Date(closes_at).toISOString(),
})
