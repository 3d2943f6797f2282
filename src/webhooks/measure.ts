import type { Queryable } from '../../db/client.ts'

/** How many webhooks are in each state, how many deliveries are to be sent, and how many seconds ago the oldest of them was made. */
export type WebhookMeasure = {
  active: number
  failing: number
  paused: number
  pending: number
  oldest_seconds: number
}

/** Measures webhooks, using the indexes of what is to be sent. What a paused webhook holds back isn't. */
export const measureWebhooks = async (db: Queryable, now: Date): Promise<WebhookMeasure> => {
  const [measured] = await db.sql<WebhookMeasure[]>`
    with sending as (
      select d.created_at as since from webhook_deliveries d join webhooks w on w.id = d.webhook_id
      where d.status = 'pending' and d.in_order and w.paused_at is null
      union all
      select asked_at from webhook_deliveries where asked_at is not null and not (status = 'pending' and in_order)
    )
    select
      count(*) filter (where paused_at is null and failing_since is null)::int as active,
      count(*) filter (where paused_at is null and failing_since is not null)::int as failing,
      count(*) filter (where paused_at is not null)::int as paused,
      (select count(*)::int from sending) as pending,
      (
        select greatest(0, coalesce(extract(epoch from ${now.toISOString()}::timestamptz - min(since)), 0))::float8
        from sending
      ) as oldest_seconds
    from webhooks`
  return measured ?? { active: 0, failing: 0, paused: 0, pending: 0, oldest_seconds: 0 }
}
