import { sql } from 'drizzle-orm'
import { jobs } from '../../db/schema/index.ts'
import { sweep } from '../../db/sweep.ts'
import { secondsAfter } from '../lib/clock.ts'
import { lifetimes } from '../limits.ts'
import type { Surroundings } from './attempt.ts'
import { defineJob } from './define.ts'

/** Deletes completed jobs after 24 hours, failed ones after 30 days. */
export const sweepJobs = defineJob({
  name: 'job_sweep',
  run: async ({ db }: Surroundings, _, { now, signal }) => {
    const [done, failed] = [lifetimes.doneJob, lifetimes.failedJob].map(({ seconds }) => secondsAfter(now, -seconds))
    const { status, finished_at } = jobs
    const isOutdated = sql`${finished_at} is not null and (
      ${status} = 'completed' and ${finished_at} <= ${done?.toISOString()}
      or ${status} = 'failed' and ${finished_at} <= ${failed?.toISOString()})`
    await sweep(db, jobs, isOutdated, { atOnce: 2000, signal })
  },
})
