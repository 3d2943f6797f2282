import { and, count, desc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import { shown, timeOf } from '../../../db/builder.ts'
import type { Database, Queryable } from '../../../db/client.ts'
import { type Row, webhookDeliveries, webhooks } from '../../../db/schema/index.ts'
import { notFound } from '../../jsonapi/errors.ts'
import { secondsAfter } from '../../lib/clock.ts'
import { lifetimes, sizes } from '../../limits.ts'
import { webhookChannel } from '../webhook.ts'

/** A delivery as answers show it, and when it is tried again if its webhook isn't paused. */
export type Delivery = Omit<Row<typeof webhookDeliveries>, 'origin'> & { next_attempt_at: string | null }

/** A delivery that is about to be sent. */
export type Pending = Pick<
  Row<typeof webhookDeliveries>,
  'id' | 'event' | 'body' | 'status' | 'in_order' | 'attempts' | 'origin'
>

const { origin: _, ...told } = getTableColumns(webhookDeliveries)
const columns = {
  ...shown(told),
  next_attempt_at: timeOf(sql`case when ${webhookDeliveries.status} = 'pending'
    and ${webhookDeliveries.in_order} and ${webhooks.paused_at} is null then ${webhooks.due_at} end`),
}

const readable = (db: Queryable) =>
  db.orm
    .select(columns)
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhook_id))
    .$dynamic()

/** A page of a webhook's deliveries, newest first, and how many are kept. */
export const listDeliveries = async (db: Queryable, webhookId: string, span: { limit: number; offset: number }) => {
  const ofIt = eq(webhookDeliveries.webhook_id, webhookId)
  const [rows, [counted]] = await Promise.all([
    readable(db).where(ofIt).orderBy(desc(webhookDeliveries.id)).limit(span.limit).offset(span.offset),
    db.orm.select({ total: count() }).from(webhookDeliveries).where(ofIt),
  ])
  return { rows, total: counted?.total ?? 0 }
}

/** 404 if the webhook has no such delivery. */
export const getDelivery = async (db: Queryable, webhookId: string, id: string): Promise<Delivery> => {
  const [delivery] = await readable(db).where(
    and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.webhook_id, webhookId)),
  )
  if (!delivery) throw notFound()
  return delivery
}

/** What a receiver gets, as Standard Webhooks recommend it. */
export const writeBody = (event: string, data: object, now: Date): string =>
  JSON.stringify({ type: event, timestamp: now.toISOString(), data })

/** Queues a delivery that only says that it is a test, outside of the order. Returns its id. */
export const queueTest = async (db: Database, webhookId: string, now: Date): Promise<string> => {
  const [id, at, event] = [Bun.randomUUIDv7(), now.toISOString(), 'webhook.test']
  await db.orm.insert(webhookDeliveries).values({
    ...{ id, webhook_id: webhookId, event, body: writeBody(event, { id: webhookId, type: 'webhooks' }, now) },
    ...{ in_order: false, asked_at: at, created_at: at, origin: db.origin },
  })
  await db.notify(webhookChannel)
  return id
}

/** Has a delivery sent once more, whatever became of it, outside of the order. */
export const queueAgain = async (db: Database, id: string, now: Date): Promise<void> => {
  await db.orm
    .update(webhookDeliveries)
    .set({ asked_at: now.toISOString(), ...(db.origin && { origin: db.origin }) })
    .where(and(eq(webhookDeliveries.id, id), isNull(webhookDeliveries.asked_at)))
  await db.notify(webhookChannel)
}

/** Deletes deliveries that are too old, and all but the newest of each webhook. What is still to be sent stays. */
export const sweepDeliveries = async (db: Database, now: Date): Promise<void> => {
  const old = secondsAfter(now, -lifetimes.webhookDelivery.seconds).toISOString()
  await db.sql`
    delete from webhook_deliveries d
    using (
      select w.id, (
        select id from webhook_deliveries where webhook_id = w.id order by id desc
        offset ${sizes.webhookDeliveries.most - 1}::int limit 1
      ) as oldest
      from webhooks w
    ) w
    where d.webhook_id = w.id and d.status <> 'pending' and d.asked_at is null
      and (d.id < w.oldest or d.created_at < ${old}::timestamptz)`
}
