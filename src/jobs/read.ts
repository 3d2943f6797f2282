import type { Queryable } from '../../db/client.ts'
import { lifetimes } from '../limits.ts'
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
export const keptHours = lifetimes.doneJob.seconds / 3600

/** How long a job that failed can be retried. */
export const keptFailedDays = lifetimes.failedJob.seconds / 86_400

/** A job of this name for whoever polls it: undefined from 24 hours after its end. */
export const findJob = async (db: Queryable, name: string, id: string, now: Date): Promise<Shown | undefined> => {
  const [job] = await db.sql<Shown[]>`
    select ${columns(db)} from jobs
    where id = ${id} and name = ${name}
      and (finished_at is null or finished_at > ${now.toISOString()}::timestamptz - make_interval(hours => ${keptHours}))`
  return job
}

/** A job of whatever name and age, for those who look after the queue. */
export const getJob = async (db: Queryable, id: string): Promise<Shown | undefined> => {
  const [job] = await db.sql<Shown[]>`select ${columns(db)} from jobs where id = ${id}`
  return job
}

export type JobFilter = { name?: string; status?: JobStatus }

/** The newest jobs first, of one name or status where they are given. */
export const listJobs = (
  db: Queryable,
  { limit = 100, offset = 0, ...filter }: JobFilter & { limit?: number; offset?: number } = {},
): Promise<Shown[]> => db.sql<Shown[]>`
  select ${columns(db)} from jobs where ${matching(db, filter)} order by id desc limit ${limit} offset ${offset}::bigint`

/** How many jobs `listJobs` has in all. */
export const countListed = async (db: Queryable, filter: JobFilter): Promise<number> => {
  const [row] = await db.sql<{ count: number }[]>`select count(*)::int as count from jobs where ${matching(db, filter)}`
  return row?.count ?? 0
}

/** The status is a part of the statement, so that the planner knows how many have it: few have failed, and many are done. */
const matching = ({ sql }: Queryable, { name, status }: JobFilter) => sql`
  ${name === undefined ? sql`true` : sql`name = ${name}`}
  and ${{
    queued: () => sql`status = 'queued' and finished_at is null`,
    running: () => sql`status = 'running' and finished_at is null`,
    completed: () => sql`status = 'completed' and finished_at is not null`,
    failed: () => sql`status = 'failed' and finished_at is not null`,
    any: () => sql`true`,
  }[status ?? 'any']()}`

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

/** How many jobs wait, run and have failed, and how many of those within a day; how long the oldest has been due. */
export const countJobs = async (db: Queryable, now: Date): Promise<JobCounts> => {
  const at = db.sql`${now.toISOString()}::timestamptz`
  const [row] = await db.sql<JobCounts[]>`
    select count(*) filter (where status = 'queued')::int as queued, count(*) filter (where status = 'running')::int as running,
      greatest(0, coalesce(extract(epoch from ${at} - min(run_at) filter (where status = 'queued')), 0))::float8
        as late_seconds,
      f.failed, f.failed_lately
    from jobs right join (
      select count(*)::int as failed,
        count(*) filter (where finished_at > ${at} - make_interval(hours => ${keptHours}))::int as failed_lately
      from jobs where status = 'failed' and finished_at is not null
    ) f on finished_at is null and status in ('queued', 'running')
    group by f.failed, f.failed_lately`
  if (!row) throw new Error('The jobs were not counted.')
  return row
}

export type JobCounts = { queued: number; running: number; failed: number; failed_lately: number; late_seconds: number }

const columns = ({ sql }: Queryable) => sql`
  id, name, status, attempts, max_attempts, to_char(run_at, ${iso}) as run_at, to_char(created_at, ${iso}) as created_at,
  to_char(finished_at, ${iso}) as finished_at, progress, result, last_error`

const iso = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
