import { sql } from 'drizzle-orm'
import type { Queryable } from '../../db/client.ts'
import { rateWindows } from '../../db/schema/index.ts'
import { sweep } from '../../db/sweep.ts'
import type { Clock } from '../lib/clock.ts'
import type { Allowance } from '../limits.ts'
import { countOnWindow, isOpenAt } from './counted.ts'
import { type Window, windowAt } from './window.ts'

/** Counts one request on a separate window, such as that of the token endpoint. */
export const countOn = async (db: Queryable, clock: Clock, key: string, allowance: Allowance): Promise<Window> => {
  const { windowSeconds } = allowance
  const [row] = await db.sql<{ count: string; closes_at: string; wait_seconds: number }[]>`
    with clock as (
      select (now() + make_interval(secs => ${clock.offsetSeconds}::float8))::timestamptz(3) as at
    ), counted as (
      insert into rate_windows as w (key, opened_at, closes_at, count)
      select ${key}, at, at + make_interval(secs => ${windowSeconds}::int), 1 from clock
      ${db.sql.unsafe(countOnWindow)}
      returning count, closes_at
    )
    select count, extract(epoch from closes_at)::float8::text as closes_at,
      greatest(1, ceil(extract(epoch from closes_at - clock.at)))::int as wait_seconds
    from counted cross join clock`
  if (!row) throw new Error('A counted window came back empty.')
  return windowAt(Number(row.count), allowance, Number(row.closes_at), row.wait_seconds)
}

/** What is left of such a window, without counting: all of it if none is open. */
export const readOn = async (db: Queryable, clock: Clock, key: string, allowance: Allowance): Promise<Window> => {
  const [row] = await db.sql<{ count: string; closes_at: string }[]>`
    with clock as (
      select (now() + make_interval(secs => ${clock.offsetSeconds}::float8))::timestamptz(3) as at
    )
    select coalesce(w.count, 0)::text as count,
      extract(epoch from coalesce(w.closes_at, clock.at))::float8::text as closes_at
    from clock left join rate_windows w on w.key = ${key} and ${db.sql.unsafe(isOpenAt('clock.at'))}`
  return { ...windowAt(Number(row?.count), allowance, Number(row?.closes_at), 0), isOpen: true }
}

/** Removes closed windows; the next request opens a new one. */
export const sweepWindows = (db: Queryable, clock: Clock) =>
  sweep(
    db,
    rateWindows,
    sql`closes_at < now() + make_interval(secs => ${clock.offsetSeconds}::float8) - interval '1 minute' order by closes_at`,
  )
