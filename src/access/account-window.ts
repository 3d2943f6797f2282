import type { Queryable } from '../../db/client.ts'
import type { Clock } from '../lib/clock.ts'
import { accountAllowance, agreedColumns, newestKeyFirst } from './account-allowance.ts'
import { type LeftOf, leftOf } from './key-window.ts'

const account = accountAllowance('account', 's.plan')

/**
 * The window that an account's clients and personal tokens share, as the gate would find it now, without counting; undefined for
 * an account without a plan and for an operator, whose tokens only have windows of their own.
 */
export const readAccountWindow = async (db: Queryable, clock: Clock, userId: string): Promise<LeftOf | undefined> => {
  const [row] = await db.sql<{ limit: number; count: string; closes_at: string | null }[]>`
    with clock as (
      select (now() + make_interval(secs => ${clock.offsetSeconds}::float8))::timestamptz(3) as at
    )
    select ${db.sql.unsafe(account.limit)} as "limit", coalesce(w.count, 0) as count, w.closes_at
    from clock cross join users u
    join subscriptions s on s.user_id = u.id and s.plan is not null
    left join lateral (
      select ${db.sql.unsafe(agreedColumns('k', 'clock.at'))} from credentials k
      where k.user_id = u.id and k.kind = 'subscriber_key' ${db.sql.unsafe(newestKeyFirst)}
    ) account on true
    left join rate_windows w on w.key = 'account ' || u.id and w.closes_at > clock.at
    where u.id = ${userId} and not u.operator`
  return row && leftOf(row)
}
