import type { Queryable } from '../../../db/client.ts'
import { withDeadline } from '../../../db/deadline.ts'
import { everything, lists } from '../../catalog/door/tallies.ts'
import type { Context } from '../../context.ts'
import { measureJobs } from '../../jobs/measure.ts'
import type { Family, Sample } from './exposition.ts'
import { gauge } from './process.ts'

const deadlineMilliseconds = 2000

/** What the database knows, from maintained totals and along indexes. While it does not answer, that alone is told. */
export const databaseFamilies = async ({ db, clock, log }: Context): Promise<Family[]> => {
  try {
    const [rows, jobs] = await withDeadline(db, deadlineMilliseconds, async (tx) => [
      await countRows(tx),
      await measureJobs(tx, clock.now()),
    ])
    return [
      isUp(1),
      {
        name: 'cardstock_rows',
        help: 'Records of the catalog: live ones, and those of them that are published.',
        type: 'gauge',
        samples: rows,
      },
      {
        name: 'cardstock_jobs',
        help: 'Jobs by state.',
        type: 'gauge',
        samples: jobs.map(({ status, count }) => ({ labels: { state: status }, value: count })),
      },
      {
        name: 'cardstock_jobs_oldest_seconds',
        help: 'How long the oldest job of a state has been due, or has failed; 0 where there is none.',
        type: 'gauge',
        samples: jobs.map(({ status, oldest_seconds }) => ({ labels: { state: status }, value: oldest_seconds })),
      },
    ]
  } catch (error) {
    log.warn('metrics without the database', { message: (error as Error).message })
    return [isUp(0)]
  }
}

const isUp = (value: number) => gauge('cardstock_database_up', 'Whether the database answers.', value)

/** How many records each list of the catalog has, from its tally; cards from the blocks of 4,096 sets. */
const countRows = async (db: Queryable): Promise<Sample[]> => {
  const rows = await db.sql<{ list: number; live: number; published: number }[]>`
    select list, live::float8 as live, published::float8 as published from tallies
    where id = ${everything} and list = any(${Object.values(lists)}::smallint[])
    union all
    select ${lists.cards}, coalesce(sum(live), 0)::float8, coalesce(sum(published), 0)::float8 from card_blocks where level = 2`
  return Object.entries(lists).flatMap(([type, list]) => {
    const { live, published } = rows.find((row) => row.list === list) ?? { live: 0, published: 0 }
    return [
      { labels: { type, status: 'live' }, value: live },
      { labels: { type, status: 'published' }, value: published },
    ]
  })
}
