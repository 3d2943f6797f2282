import type { Queryable } from '../../../../db/client.ts'
import { readCounts } from '../../../catalog/api/stats.ts'
import type { Month } from './document.ts'

/**
 * The last months, newest first: the differences between the counts at the ends of months, which a job stores daily. What existed
 * before the first count is part of that count's month.
 */
export const listMonths = async (db: Queryable, now: Date, months: number): Promise<Month[]> => {
  const rows = await db.sql<{ month: string; sets: number; cards: number }[]>`
    select to_char(m.month, 'YYYY-MM') as month, coalesce((k.counts->>'sets')::int, 0) as sets,
      coalesce((k.counts->>'cards')::int, 0) as cards
    from generate_series(
      date_trunc('month', ${now.toISOString()}::timestamptz at time zone 'UTC') - make_interval(months => ${months}::int),
      date_trunc('month', ${now.toISOString()}::timestamptz at time zone 'UTC') - interval '1 month', interval '1 month'
    ) as m (month)
    left join lateral (
      select counts from stats_days where day < (m.month + interval '1 month')::date order by day desc limit 1
    ) k on true
    order by m.month`
  const { sets, cards } = await readCounts(db)
  const ends = [...rows, { month: now.toISOString().slice(0, 7), sets, cards }]
  return ends
    .map(({ month, ...end }, at) => {
      const before = ends[at - 1]
      return {
        month,
        published_sets: end.sets - (before?.sets ?? 0),
        published_cards: end.cards - (before?.cards ?? 0),
      }
    })
    .slice(1)
    .reverse()
}
