import type { Queryable } from '../../../db/client.ts'
import { withDeadline } from '../../../db/deadline.ts'
import { findMirror, lagOf, type Mirror } from '../../access/mirror.ts'
import { everything, lists } from '../../catalog/model/counts.ts'
import type { Context } from '../../context.ts'
import { measureJobs } from '../../jobs/measure.ts'
import { type Family, gauge, type Sample } from '../../lib/exposition.ts'
import { measureWebhooks, type WebhookMeasure } from '../../webhooks/measure.ts'

const deadlineMilliseconds = 2000

/** Metrics from the database, read from maintained totals and indexes. If it doesn't answer, the only metric says it is down. */
export const databaseFamilies = async ({ db, clock, log }: Context): Promise<Family[]> => {
  try {
    const [rows, jobs, webhooks, mirror] = await withDeadline(db, deadlineMilliseconds, async (tx) => [
      await countRows(tx),
      await measureJobs(tx, clock.now()),
      await measureWebhooks(tx, clock.now()),
      await findMirror(tx),
    ])
    return [
      isUp(1),
      gauge('cardstock_rows', 'Live records in the catalog, and the published ones among them.', rows),
      gauge(
        'cardstock_jobs',
        'Jobs by state.',
        jobs.map(({ status, count }) => ({ labels: { state: status }, value: count })),
      ),
      gauge(
        'cardstock_jobs_oldest_seconds',
        'How long ago the oldest job in a state became due or failed; 0 if there is none.',
        jobs.map(({ status, oldest_seconds }) => ({ labels: { state: status }, value: oldest_seconds })),
      ),
      ...webhookFamilies(webhooks),
      ...(mirror ? mirrorFamilies(mirror, clock.now()) : []),
    ]
  } catch (error) {
    log.warn('metrics without the database', { message: (error as Error).message })
    return [isUp(0)]
  }
}

const isUp = (value: number) => gauge('cardstock_database_up', 'Whether the database answers.', value)

const webhookFamilies = ({ pending, oldest_seconds, ...states }: WebhookMeasure): Family[] => [
  gauge(
    'cardstock_webhooks',
    'Webhooks by state: active ones, those whose last delivery failed, and paused ones.',
    Object.entries(states).map(([state, value]) => ({ labels: { state }, value })),
  ),
  gauge('cardstock_webhook_deliveries_pending', 'Deliveries to be sent, without those of paused webhooks.', pending),
  gauge(
    'cardstock_webhook_deliveries_oldest_seconds',
    'How long ago the oldest delivery to be sent was made; 0 if there is none.',
    oldest_seconds,
  ),
]

/** The progress of a mirror. It has no lag until the first load is done. */
const mirrorFamilies = (mirror: Mirror, now: Date): Family[] => [
  gauge('cardstock_mirror_filling', 'Whether the mirror is loading bulk files.', mirror.state === 'filling' ? 1 : 0),
  gauge(
    'cardstock_mirror_waiting',
    'Whether the mirror is waiting for bulk files that it can load.',
    mirror.state === 'waiting' ? 1 : 0,
  ),
  gauge(
    'cardstock_mirror_failing_seconds',
    'How long the mirror has been unable to follow its source; 0 while it is able to.',
    mirror.error ? Math.max(0, (now.getTime() - Date.parse(mirror.error.since)) / 1000) : 0,
  ),
  gauge('cardstock_mirror_lag_seconds', 'How far the mirror may be behind its source.', lagOf(mirror, now) ?? []),
  gauge(
    'cardstock_mirror_last_applied_timestamp_seconds',
    'When the mirror last wrote something from its source, in Unix seconds.',
    mirror.lastAppliedAt === null ? [] : Date.parse(mirror.lastAppliedAt) / 1000,
  ),
]

/** How many records each list of the catalog has, from its tally. Cards are summed from blocks of 4,096 sets. */
const countRows = async (db: Queryable): Promise<Sample[]> => {
  const rows = await db.sql<{ list: number; live: number; published: number }[]>`
    select list, live::float8 as live, published::float8 as published from tallies
    where id = ${everything} and list = any(${Object.values(lists)}::smallint[])
    union all
    select ${lists.cards}, coalesce(sum(live), 0)::float8, coalesce(sum(published), 0)::float8 from card_blocks where level = 2`
  return Object.entries(lists).flatMap(([type, list]) => {
    const { live, published } = rows.find((row) => row.list === list) ?? { live: 0, published: 0 }
    return [
      { labels: { type, status: 'live' }, value: live },
      { labels: { type, status: 'published' }, value: published },
    ]
  })
}
