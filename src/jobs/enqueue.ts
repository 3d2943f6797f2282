import { arrayOf, arrayOfTexts } from '../../db/arrays.ts'
import type { Queryable } from '../../db/client.ts'
import { writeOrigin } from '../lib/origin.ts'
import type { Enqueued } from './define.ts'

/** The channel that workers listen on. */
export const channel = 'jobs'

type Terms = { id?: string; key?: string; runAt?: Date; priority?: number }

/**
 * Puts a job into the queue, in the caller's transaction if there is one, and returns its id. If a job with the same key is
 * still there, unfinished or kept, nothing is added and that job's id is returned. The job runs at `runAt`, or as soon as
 * possible.
 */
export const enqueue = async <Payload>(
  db: Queryable,
  job: Enqueued<Payload>,
  payload: Payload,
  { now, ...terms }: Terms & { now: Date },
): Promise<string> => {
  const [id] = await enqueueAll(db, job, [{ payload, ...terms }], now)
  return id as string
}

/** Enqueues many jobs of one kind in one statement, and returns their ids in the same order. */
export const enqueueAll = async <Payload>(
  db: Queryable,
  job: Enqueued<Payload>,
  list: readonly (Terms & { payload: Payload })[],
  now: Date,
): Promise<string[]> => {
  const rows = list.map(({ payload, ...terms }) => ({
    ...terms,
    id: terms.id ?? Bun.randomUUIDv7(),
    payload: job.write(payload),
  }))
  const ids = rows.length > 0 ? await insert(db, job, rows, now) : []
  if (ids.some((id, at) => id === rows[at]?.id)) db.notify(channel).catch(() => {})
  return ids
}

type Row = Terms & { id: string; payload: string }

/**
 * An insert that loses a race for a key waits, but can't see the winner's row in its own statement, so such rows are tried once
 * more.
 */
const insert = async (db: Queryable, job: Enqueued<never>, rows: Row[], now: Date): Promise<string[]> => {
  const found = await db.sql<{ id: string | null }[]>`
    with given as (
      select id, payload, key, run_at, priority, place from unnest(
        ${arrayOf(rows.map(({ id }) => id))}::text::uuid[],
        ${arrayOfTexts(rows.map(({ payload }) => payload))}::text::text[],
        ${arrayOfTexts(rows.map(({ key }) => key ?? null))}::text::text[],
        ${arrayOfTexts(rows.map(({ runAt }) => runAt?.toISOString() ?? null))}::text::timestamptz[],
        ${arrayOf(rows.map(({ priority }) => priority ?? null))}::text::smallint[]
      ) with ordinality as g (id, payload, key, run_at, priority, place)
    ), made as (
      insert into jobs (id, name, payload, key, priority, max_attempts, run_at, created_at, origin)
      select id, ${job.name}, payload::json, key, coalesce(priority, ${job.priority}::smallint), ${job.attempts}::int,
        coalesce(run_at, date_trunc('milliseconds', least(${now.toISOString()}::timestamptz, now()))),
        ${now.toISOString()}::timestamptz, ${writeOrigin(db.origin)}::text::json
      from given order by key, place
      on conflict (key) where key is not null do nothing
      returning id
    )
    select coalesce(m.id, j.id) as id
    from given g left join made m on m.id = g.id left join jobs j on j.key = g.key
    order by place`
  const unseen = rows.filter((_, at) => !found[at]?.id)
  const seen = unseen.length > 0 ? await insert(db, job, unseen, now) : []
  return found.map(({ id }) => id ?? (seen.shift() as string))
}
