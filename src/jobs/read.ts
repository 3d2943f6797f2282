import type { Queryable } from '../../db/client.ts'
import { channel } from './enqueue.ts'

export const jobStatuses = ['queued', 'running', 'completed', 'failed'] as const
export type JobStatus = (typeof jobStatuses)[number]

/** A job as those see it who wait for it or look after it; never its payload, which may hold what is nobody's business. */
export type Shown = {
  id: string
  name: string
  status: JobStatus
  attempts: number
  max_attempts: number
  run_at: string
  created_at: string
  finished_at: string | null
  progress: unknown
  result: unknown
  last_error: string | null
}

/** How long a poll finds a job that has ended. */
export const keptHours = 24

/** How long a job that failed can be retried. */
export const keptFailedDays = 30

/** A job of this name for whoever polls it: undefined from 24 hours after its end. */
export const findJob = async (db: Queryable, name: string, id: string, now: Date): Promise<Shown | undefined> => {
  const [job] = await db.sql<Shown[]>`
    select ${columns(db)} from jobs
    where id = ${id} and name = ${name}
      and (finished_at is null or finished_at > ${now.toISOString()}::timestamptz - make_interval(hours => ${keptHours}))`
  return job
}

/** The newest jobs first, of one name or status where they are given; `before` is the last id of the page before. */
export const listJobs = (
  db: Queryable,
  { name, status, before, limit = 100 }: { name?: string; status?: JobStatus; before?: string; limit?: number } = {},
): Promise<Shown[]> => db.sql<Shown[]>`
  select ${columns(db)} from jobs
  where (${name ?? null}::text is null or name = ${name ?? null})
    and (${status ?? null}::text is null or status = ${status ?? null})
    and (${before ?? null}::uuid is null or id < ${before ?? null}::uuid)
  order by id desc limit ${limit}`

/**
 * Gives a failed job all its attempts again; it goes on from its progress. Answers it, or undefined where there is no such
 * job or it has not failed.
 */
export const retryJob = async (db: Queryable, id: string, now: Date): Promise<Shown | undefined> => {
  const [job] = await db.sql<Shown[]>`
    update jobs
    set status = 'queued', attempts = 0, finished_at = null,
      run_at = date_trunc('milliseconds', least(${now.toISOString()}::timestamptz, now()))
    where id = ${id} and status = 'failed'
    returning ${columns(db)}`
  if (job) db.notify(channel).catch(() => {})
  return job
}

/** How many jobs there are by status, how many of those that wait are due, and since when the oldest of them is. */
export const countJobs = async (db: Queryable, now: Date) => {
  const at = now.toISOString()
  const [row] = await db.sql<{ queued: number; running: number; failed: number; due: number; late_seconds: number }[]>`
    select count(*) filter (where status = 'queued')::int as queued, count(*) filter (where status = 'running')::int as running,
      count(*) filter (where status = 'queued' and run_at <= ${at}::timestamptz)::int as due,
      greatest(0, coalesce(extract(epoch from ${at}::timestamptz - min(run_at) filter (where status = 'queued')), 0))::float8
        as late_seconds,
      (select count(*)::int from jobs where status = 'failed' and finished_at is not null) as failed
    from jobs where finished_at is null and status in ('queued', 'running')`
  return row ?? { queued: 0, running: 0, failed: 0, due: 0, late_seconds: 0 }
}

const columns = ({ sql }: Queryable) => sql`
  id, name, status, attempts, max_attempts, to_char(run_at, ${iso}) as run_at, to_char(created_at, ${iso}) as created_at,
  to_char(finished_at, ${iso}) as finished_at, progress, result, last_error`

const iso = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
