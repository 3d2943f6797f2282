import { Type } from '@sinclair/typebox'
import type { Queryable } from '../../db/client.ts'
import type { Surroundings } from './attempt.ts'
import { defineJob } from './define.ts'
import { keptFailedDays, keptHours } from './read.ts'

/** Removes results after 24 hours, and jobs that failed after 30 days. */
export const sweepJobs = defineJob({
  name: 'job_sweep',
  payload: Type.Object({}),
  run: async ({ db }: Surroundings, _, { now, signal }) => {
    while ((await sweepSome(db, now)) === atOnce) signal.throwIfAborted()
  },
})

const atOnce = 2000

const sweepSome = async (db: Queryable, now: Date) => {
  const swept = await db.sql`
    delete from jobs where id in (
      select id from jobs
      where finished_at is not null and (
        status = 'completed' and finished_at <= ${now.toISOString()}::timestamptz - make_interval(hours => ${keptHours})
        or status = 'failed' and finished_at <= ${now.toISOString()}::timestamptz - make_interval(days => ${keptFailedDays})
      )
      limit ${atOnce}
      for update skip locked
    )`
  return swept.count
}
