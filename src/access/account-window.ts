import { arrayOf } from '../../db/arrays.ts'
import type { Queryable, Sql } from '../../db/client.ts'
import type { Clock } from '../lib/clock.ts'
import { accountAllowance, agreedColumns, newestKeyFirst } from './account-allowance.ts'
import { type Counted, closing, countOnWindow, isOpenAt } from './counted.ts'
import { type LeftOf, leftOf } from './key-window.ts'

const account = accountAllowance('account', 's.plan')
const closesAt = closing(`make_interval(secs => ${account.windowSeconds})`)

/**
 * The window that an account's clients and personal tokens share, as the gate would find it now, without counting. Undefined
 * for accounts without a plan and for operators, whose tokens have only their own windows.
 */
export const readAccountWindow = async (db: Queryable, clock: Clock, userId: string): Promise<LeftOf | undefined> => {
  const [row] = await db.sql<{ limit: number; count: string; closes_at: string | null }[]>`
    with clock as (
      select (now() + make_interval(secs => ${clock.offsetSeconds}::float8))::timestamptz(3) as at
    )
    select ${db.sql.unsafe(account.limit)} as "limit", coalesce(w.count, 0) as count,
      ${db.sql.unsafe(closesAt)} as closes_at
    from clock cross join users u
    join subscriptions s on s.user_id = u.id and s.plan is not null
    left join lateral (
      select ${db.sql.unsafe(agreedColumns('k', 'clock.at'))} from credentials k
      where k.user_id = u.id and k.kind = 'subscriber_key' ${db.sql.unsafe(newestKeyFirst)}
    ) account on true
    left join rate_windows w on w.key = 'account ' || u.id and ${db.sql.unsafe(isOpenAt('clock.at', closesAt))}
    where u.id = ${userId} and not u.operator`
  return row && leftOf(row)
}

/** Requests of an account that the windows of their credentials let through. */
type Drawn = { userId: string; requests: number }

/**
 * Counts on the windows of accounts (decisions.md §12), one by one in key order, so that batches from several instances lock
 * them in the same order. This is a separate statement after the gate's because few requests need it. Returns no row for an
 * account that no longer has a plan.
 */
export const drawOnAccounts = (
  sql: Sql,
  drawn: Drawn[],
  offsetSeconds: number,
): Promise<(Counted & { user_id: string })[]> =>
  sql.unsafe<(Counted & { user_id: string })[]>(
    draw,
    [offsetSeconds, arrayOf(drawn.map(({ userId }) => userId)), arrayOf(drawn.map(({ requests }) => requests))],
    { prepare: true },
  )

const draw = `
  with clock as (
    select (now() + make_interval(secs => $1::float8))::timestamptz(3) as at,
      set_config('synchronous_commit', 'off', true) as relaxed
  ), drawn as (
    select 'account ' || d.user_id as key, d.user_id, d.requests, clock.at, ${account.limit} as "limit",
      ${account.windowSeconds} as window_seconds
    from clock cross join unnest($2::uuid[], $3::int[]) as d (user_id, requests)
    join subscriptions s on s.user_id = d.user_id and s.plan is not null
    left join lateral (
      select ${agreedColumns('k', 'clock.at')} from credentials k
      where k.user_id = d.user_id and k.kind = 'subscriber_key' ${newestKeyFirst}
    ) account on true
  ), counted as (
    insert into rate_windows as w (key, opened_at, closes_at, count)
    select key, at, at + make_interval(secs => case when requests > 0 then window_seconds else 0 end), requests
    from drawn order by key
    ${countOnWindow}
    returning key, count, closes_at
  )
  select d.user_id, c.key, d."limit", d.window_seconds, c.count, date_part('epoch', d.at) as at, date_part('epoch', c.closes_at) as closes_at
  from drawn d join counted c on c.key = d.key`
