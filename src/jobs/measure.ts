import type { Queryable } from '../../db/client.ts'
import { type JobStatus, jobStatuses } from './read.ts'

/** How many jobs have a status, and how many seconds ago the oldest of them became due or failed. */
type JobMeasure = { status: JobStatus; count: number; oldest_seconds: number }

/** The statuses worth measuring. Completed jobs disappear on their own. */
const measuredStatuses = jobStatuses.filter((status) => status !== 'completed')

/** Measures the queue, using the indexes of open and failed jobs. */
export const measureJobs = async (db: Queryable, now: Date): Promise<JobMeasure[]> => {
  const rows = await db.sql<JobMeasure[]>`
    with measured as (
      select status, count(*)::int as count, min(run_at) as oldest
      from jobs where finished_at is null and status in ('queued', 'running') group by status
      union all
      select 'failed', count(*)::int, min(finished_at) from jobs where finished_at is not null and status = 'failed'
    )
    select status, count, greatest(0, coalesce(extract(epoch from ${now.toISOString()}::timestamptz - oldest), 0))::float8
      as oldest_seconds
    from measured`
  return measuredStatuses.map(
    (status) => rows.find((row) => row.status === status) ?? { status, count: 0, oldest_seconds: 0 },
  )
}
