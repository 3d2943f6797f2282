import { arrayOf, arrayOfTexts } from '../../db/arrays.ts'
import type { Queryable } from '../../db/client.ts'
import type { Clock } from '../lib/clock.ts'
import { leaseSeconds } from './claim.ts'
import { channel } from './enqueue.ts'

/** Thrown when another process has taken over the job, and its work counts. */
export class LeaseLost extends Error {}

/** Saves a job's progress in the caller's transaction. Throws LeaseLost. */
export const saveProgress = async (tx: Queryable, holder: string, id: string, progress: unknown) => {
  const saved = await tx.sql`
    update jobs
    set progress = ${JSON.stringify(progress)}::text::json,
      locked_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    where id = ${id} and holder = ${holder}::uuid`
  if (saved.count === 0) throw new LeaseLost('Another process has taken over this job.')
}

export type Completed = { id: string; result: unknown; forgets: boolean }

/** Records jobs as completed, in one statement. */
export const complete = async (db: Queryable, clock: Clock, holder: string, done: Completed[]) => {
  const results = done.map(({ result }) => (isObject(result) ? JSON.stringify(result) : null))
  await db.sql`
    update jobs j
    set status = 'completed', holder = null, locked_until = null, last_error = null, result = d.result::json,
      payload = case when d.forgets then '{}' else j.payload end,
      finished_at = now() + make_interval(secs => ${clock.offsetSeconds}::float8)
    from unnest(
      ${arrayOf(done.map(({ id }) => id))}::text::uuid[], ${arrayOfTexts(results)}::text::text[],
      ${arrayOf(done.map(({ forgets }) => String(forgets)))}::text::bool[]
    ) as d (id, result, forgets)
    where j.id = d.id and j.holder = ${holder}::uuid`
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The wait before the next attempt: two seconds, doubled each time up to an hour, plus up to half of that at random. */
export const waitSeconds = (attempt: number, chance = Math.random()) =>
  Math.min(2 * 2 ** (attempt - 1), 3600) * (1 + chance / 2)

/** Requeues a job after a failed attempt, or marks it as failed after the last one. Returns its new status. */
export const fail = async (
  db: Queryable,
  clock: Clock,
  holder: string,
  failed: { id: string; attempt: number; message: string; isFinal: boolean },
): Promise<string | undefined> => {
  const { id, attempt, message, isFinal } = failed
  const [row] = await db.sql<{ status: string }[]>`
    with clock as (select now() + make_interval(secs => ${clock.offsetSeconds}::float8) as at)
    update jobs
    set status = case when ${isFinal} or attempts >= max_attempts then 'failed' else 'queued' end,
      finished_at = case when ${isFinal} or attempts >= max_attempts then clock.at end,
      run_at = clock.at + make_interval(secs => ${waitSeconds(attempt)}::float8),
      last_error = ${message.slice(0, 1000)}, holder = null, locked_until = null
    from clock where id = ${id} and holder = ${holder}::uuid
    returning status`
  return row?.status
}

/** Requeues what a stopping process has not finished. The attempt doesn't count. */
export const release = async (db: Queryable, holder: string) => {
  const released = await db.sql<{ id: string }[]>`
    update jobs set status = 'queued', attempts = greatest(attempts - 1, 0), holder = null, locked_until = null
    where status = 'running' and finished_at is null and holder = ${holder}::uuid
    returning id`
  if (released.length > 0) db.notify(channel).catch(() => {})
  return released.length
}
