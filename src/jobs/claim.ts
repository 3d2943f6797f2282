import type { Database } from '../../db/client.ts'
import type { jobs, Row } from '../../db/schema/index.ts'
import type { Clock } from '../lib/clock.ts'

/** A job as its holder sees it. */
export type Claimed = Pick<Row<typeof jobs>, 'id' | 'name' | 'payload' | 'progress' | 'origin'> & { attempt: number }

/** How long a job stays with a process that has stopped responding. */
export const leaseSeconds = 4

const lowest = -32_768

/**
 * Claims up to `limit` due jobs for this holder, highest priority first, then oldest. Nobody else gets them while the holder
 * renews its lease. It leaves jobs below the priority `least`, and jobs whose names this process doesn't know, since a newer
 * version runs those. On a server, the claim doesn't wait for the disk: if a crash loses it, the job is due again, and its old
 * holder is refused, as after an expired lease. The embedded database dies with its process, so there the claim is synced.
 * Otherwise a job that kills its process would never run out of attempts.
 */
export const claim = (db: Database, clock: Clock, holder: string, names: string[], limit: number, least = lowest) =>
  db.sql<Claimed[]>`
    with due as (
      select id from jobs
      where status = 'queued' and finished_at is null and name = any(${names}::text[])
        and run_at <= now() + make_interval(secs => ${clock.offsetSeconds}::float8) and priority >= ${least}::smallint
      order by priority desc, run_at, id limit ${limit}
      for update skip locked
    ), light as (
      select set_config('synchronous_commit', ${db.kind === 'postgres' ? 'off' : 'on'}, true)
    )
    update jobs j
    set status = 'running', attempts = attempts + 1, holder = ${holder}::uuid,
      locked_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    from due, light where j.id = due.id
    returning j.id, j.name, j.payload, j.progress, j.origin, j.attempts as attempt`

/** Milliseconds until a job is due, or until the lease of a job that isn't `kept` expires. Undefined if neither will happen. */
export const untilNext = async (db: Database, clock: Clock, names: string[], kept: string[]) => {
  const [row] = await db.sql<{ due: number | null; lapse: number | null }[]>`
    select (
      select extract(epoch from min(run_at) - now() - make_interval(secs => ${clock.offsetSeconds}::float8))::float8
      from jobs where status = 'queued' and finished_at is null and name = any(${names}::text[])
    ) as due, (
      select extract(epoch from min(locked_until) - clock_timestamp())::float8
      from jobs where status = 'running' and finished_at is null and id <> all(${kept}::uuid[])
    ) as lapse`
  const seconds = [row?.due, row?.lapse].filter((one) => typeof one === 'number')
  return seconds.length > 0 ? Math.max(0, Math.ceil(Math.min(...seconds) * 1000)) : undefined
}

/**
 * Renews the leases of jobs, and returns the ones that this holder still has. Skips rows that the job's own transaction has
 * locked, because nobody else can take those.
 */
export const renew = async (db: Database, holder: string, ids: string[]): Promise<Set<string>> => {
  const rows = await db.sql<{ id: string }[]>`
    with mine as (
      select id from jobs where id = any(${ids}::uuid[]) and holder = ${holder}::uuid for update skip locked
    ), renewed as (
      update jobs j set locked_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      from mine where j.id = mine.id
    )
    select id from jobs where id = any(${ids}::uuid[]) and holder = ${holder}::uuid`
  return new Set(rows.map(({ id }) => id))
}

/**
 * Requeues jobs whose process is gone. On a server, those are the ones with an expired lease. The embedded database belongs to
 * this process alone, so there it is all that this process isn't running (`kept`). A job that is out of attempts fails, and so does
 * one whose process is gone for the second time: it may be the reason. Returns these jobs.
 */
export const recover = (db: Database, clock: Clock, kept: string[]) =>
  db.sql<Pick<Row<typeof jobs>, 'id' | 'name' | 'status' | 'origin'>[]>`
    with left_behind as (
      select id, deaths + 1 as deaths, attempts < max_attempts and deaths = 0 as goes_on from jobs
      where status = 'running' and finished_at is null and id <> all(${kept}::uuid[])
        and (${db.kind === 'embedded'} or locked_until < clock_timestamp())
      for update skip locked
    )
    update jobs j
    set status = case when l.goes_on then 'queued' else 'failed' end, deaths = l.deaths,
      finished_at = case when not l.goes_on then now() + make_interval(secs => ${clock.offsetSeconds}::float8) end,
      last_error = case when l.deaths > 1 then 'The process ended twice in the middle of it.'
        else 'The process ended in the middle of it.' end,
      holder = null, locked_until = null
    from left_behind l where j.id = l.id
    returning j.id, j.name, j.status, j.origin`
