import { and, count, desc, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { shown, statement } from '../../db/builder.ts'
import type { Queryable } from '../../db/client.ts'
import { jobs, type Row } from '../../db/schema/index.ts'
import { secondsAfter } from '../lib/clock.ts'
import { lifetimes } from '../limits.ts'
import { channel } from './enqueue.ts'

export const jobStatuses = jobs.status.enumValues
export type JobStatus = Row<typeof jobs>['status']

const { id, name, status, attempts, max_attempts, run_at, created_at, finished_at, progress, result, last_error } = jobs
const columns = shown({
  id,
  name,
  status,
  attempts,
  max_attempts,
  run_at,
  created_at,
  finished_at,
  progress,
  result,
  last_error,
})

/** A job without its payload, which may be private. */
export type Shown = Pick<Row<typeof jobs>, keyof typeof columns>

const keptJob = statement((orm) => {
  const isKept = or(isNull(finished_at), gt(finished_at, sql.placeholder('since')))
  return orm
    .select(columns)
    .from(jobs)
    .where(and(eq(id, sql.placeholder('id')), eq(name, sql.placeholder('name')), isKept))
})

/** A job of this name, for polling. Undefined from 24 hours after it ended. */
export const findJob = async (db: Queryable, name: string, id: string, now: Date): Promise<Shown | undefined> => {
  const since = secondsAfter(now, -lifetimes.doneJob.seconds).toISOString()
  const [job] = await keptJob(db, { id, name, since })
  return job
}

/** A job of any name and age, for operators. */
export const getJob = async (db: Queryable, id: string): Promise<Shown | undefined> => {
  const [job] = await db.orm.select(columns).from(jobs).where(eq(jobs.id, id))
  return job
}

export type JobFilter = { name?: string; status?: JobStatus }

/** Jobs, newest first; only those of a name or status if given. */
export const listJobs = (
  db: Queryable,
  { limit = 100, offset = 0, ...filter }: JobFilter & { limit?: number; offset?: number } = {},
): Promise<Shown[]> =>
  db.orm.select(columns).from(jobs).where(matching(filter)).orderBy(desc(id)).limit(limit).offset(offset).execute()

/** How many jobs `listJobs` lists on all pages. */
export const countListed = async (db: Queryable, filter: JobFilter): Promise<number> => {
  const [row] = await db.orm.select({ count: count() }).from(jobs).where(matching(filter))
  return row?.count ?? 0
}

/** The status is part of the statement, so that the planner knows how many have it. Few have failed, many are done. */
const matching = ({ name, status }: JobFilter) =>
  and(name === undefined ? undefined : eq(jobs.name, name), status && isOf[status])

const isOf: Record<JobStatus, ReturnType<typeof sql>> = {
  queued: sql`${status} = 'queued' and ${finished_at} is null`,
  running: sql`${status} = 'running' and ${finished_at} is null`,
  completed: sql`${status} = 'completed' and ${finished_at} is not null`,
  failed: sql`${status} = 'failed' and ${finished_at} is not null`,
}

/** Gives a failed job all its attempts again. It continues from its progress. Undefined if no failed job has this id. */
export const retryJob = async (db: Queryable, id: string, now: Date): Promise<Shown | undefined> => {
  const [job] = await db.orm
    .update(jobs)
    .set({
      status: 'queued',
      attempts: 0,
      deaths: 0,
      finished_at: null,
      run_at: sql`date_trunc('milliseconds', least(${now.toISOString()}::timestamptz, now()))`,
    })
    .where(and(eq(jobs.id, id), eq(status, 'failed')))
    .returning(columns)
  if (job) db.notify(channel).catch(() => {})
  return job
}

/**
 * Counts the queued, running and failed jobs, and those that failed within a day, and reports how long the oldest queued one
 * has been due.
 */
export const countJobs = async (db: Queryable, now: Date): Promise<JobCounts> => {
  const at = db.sql`${now.toISOString()}::timestamptz`
  const [row] = await db.sql<JobCounts[]>`
    select count(*) filter (where status = 'queued')::int as queued, count(*) filter (where status = 'running')::int as running,
      greatest(0, coalesce(extract(epoch from ${at} - min(run_at) filter (where status = 'queued')), 0))::float8
        as late_seconds,
      f.failed, f.failed_lately
    from jobs right join (
      select count(*)::int as failed,
        count(*) filter (where finished_at > ${at} - make_interval(secs => ${lifetimes.doneJob.seconds}))::int as failed_lately
      from jobs where status = 'failed' and finished_at is not null
    ) f on finished_at is null and status in ('queued', 'running')
    group by f.failed, f.failed_lately`
  if (!row) throw new Error('Counting the jobs returned no row.')
  return row
}

type JobCounts = { queued: number; running: number; failed: number; failed_lately: number; late_seconds: number }
