import type { Queryable } from '../../../db/client.ts'

const daysShown = 30

/**
 * How many requests an account's keys, tokens and clients made on each of the last 30 days (UTC), today last. Days without any
 * are 0. Requests that its owner makes on the service's own pages don't count.
 */
export const readDailyUsage = async (db: Queryable, userId: string, now: Date) => {
  const rows = await db.sql<{ date: string; count: string }[]>`
    with days as (
      select (${now.toISOString()}::timestamptz at time zone 'UTC')::date - ago as day
      from generate_series(0, ${daysShown - 1}::int) ago
    ), used as (
      select d.day, sum(d.requests) as count
      from usage_days d join credentials c on c.id = d.credential_id
      where d.user_id = ${userId} and c.kind <> 'session'
      group by d.day
    )
    select days.day::text as date, coalesce(used.count, 0)::text as count
    from days left join used on used.day = days.day order by days.day`
  return rows.map(({ date, count }) => ({ date, count: Number(count) }))
}
