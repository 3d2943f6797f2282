import type { Database } from '../../../db/client.ts'
import type { Row, webhooks } from '../../../db/schema/index.ts'
import { eventNames } from '../source/events.ts'
import type { Listener } from '../source/next.ts'

/** A webhook that this process may send to for a while. */
export type Claimed = Listener &
  Pick<
    Row<typeof webhooks>,
    'target_url' | 'secret' | 'secret_before' | 'secret_before_until' | 'paused_at' | 'failing_since'
  > & { email_key: string; has_pending: boolean }

/** How long a webhook stays with a process that has stopped responding. */
export const leaseSeconds = 4

const others = eventNames.filter((name) => name !== 'catalog.changed')

/**
 * Claims up to `limit` webhooks that there is something to send to, without those that are `kept`, those that were tried longest ago
 * first: either ones whose last attempt failed, or the others. Nobody else sends to them while the holder renews its lease. The
 * claim doesn't wait for the disk: if a crash loses it, they are due again.
 */
export const claimWebhooks = (
  { sql }: Database,
  holder: string,
  now: Date,
  { limit, failing, kept }: { limit: number; failing: boolean; kept: string[] },
) => sql<Claimed[]>`
  with due as (
    select w.id from webhooks w, feed f
    where (w.locked_until is null or w.locked_until < clock_timestamp()) and w.id <> all(${kept}::uuid[])
      and (w.failing_since is not null) = ${failing}
      and (
        exists (select 1 from webhook_deliveries d where d.webhook_id = w.id and d.asked_at is not null)
        or w.paused_at is null and (w.due_at is null or w.due_at <= ${now.toISOString()}::timestamptz) and (
          'catalog.changed' = any(w.events) and w.changes_from <= f.last
          or w.events && ${others}::text[] and w.events_from <= f.last
          or exists (select 1 from webhook_deliveries d where d.webhook_id = w.id and d.status = 'pending' and d.in_order)
        )
      )
    order by w.tried_at nulls first, w.id limit ${limit}
    for update of w skip locked
  ), light as (
    select set_config('synchronous_commit', 'off', true)
  )
  update webhooks w
  set holder = ${holder}::uuid, locked_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
  from due, light, users u where w.id = due.id and u.id = w.user_id
  returning w.id, w.target_url, w.events, w.secret, w.secret_before, w.secret_before_until, w.paused_at, w.failing_since,
    w.changes_from, w.events_from, w.events_taken, w.changes_told_at, u.operator, u.email_key,
    exists (
      select 1 from webhook_deliveries d
      where d.webhook_id = w.id and (d.asked_at is not null or d.status = 'pending' and d.in_order)
    ) as has_pending`

/** Renews the leases of webhooks, and returns those that were renewed. Skips those whose outcome is being written. */
export const renewWebhooks = async ({ sql }: Database, holder: string, ids: string[]): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    with mine as (
      select id from webhooks where id = any(${ids}::uuid[]) and holder = ${holder}::uuid for update skip locked
    )
    update webhooks w set locked_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    from mine where w.id = mine.id returning w.id`
  return rows.map(({ id }) => id)
}

/** Milliseconds until something is due, undefined if nothing is, and whether any webhook waits for news of the catalog. */
export const untilDue = async ({ sql }: Database, holder: string, now: Date) => {
  const [row] = await sql<{ due: number | null; lapse: number | null; listens: boolean }[]>`
    select
      extract(epoch from min(due_at) filter (where due_at > ${now.toISOString()}::timestamptz)
        - ${now.toISOString()}::timestamptz)::float8 as due,
      extract(epoch from min(locked_until) filter (where holder <> ${holder}::uuid) - clock_timestamp())::float8 as lapse,
      count(*) filter (where paused_at is null) > 0 as listens
    from webhooks where paused_at is null or locked_until is not null`
  const seconds = [row?.due, row?.lapse].filter((one) => typeof one === 'number')
  return {
    milliseconds: seconds.length > 0 ? Math.max(0, Math.ceil(Math.min(...seconds) * 1000)) : undefined,
    listens: row?.listens ?? false,
  }
}

/** Gives back webhooks that this process has claimed and won't send to now. */
export const releaseWebhooks = ({ sql }: Database, holder: string, ids: string[]) => sql`
  update webhooks set holder = null, locked_until = null where id = any(${ids}::uuid[]) and holder = ${holder}::uuid`

/** Ends the claims of processes that are gone, in an embedded database: nobody else has it. */
export const releaseAll = ({ sql }: Database) => sql`
  update webhooks set holder = null, locked_until = null where holder is not null`
