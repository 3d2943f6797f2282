import type { Transaction } from '../../../db/client.ts'
import type { Context } from '../../context.ts'
import { secondsAfter } from '../../lib/clock.ts'
import { lifetimes } from '../../limits.ts'
import { webhookPaused } from '../../mail/messages/webhook.ts'
import type { Sender } from '../source/next.ts'
import { logWebhook } from '../webhook.ts'
import type { Claimed } from './claim.ts'
import type { Pending } from './delivery.ts'
import type { Attempt } from './post.ts'

const firstPauseSeconds = 5
const longestPauseSeconds = 4 * 3600

/** The pause after so many attempts: 5 seconds, doubled each time up to four hours, plus up to a tenth at random. */
export const pauseSeconds = (attempts: number, chance = Math.random()) =>
  Math.min(firstPauseSeconds * 2 ** (attempts - 1), longestPauseSeconds) * (1 + chance / 10)

/** Whether a webhook fails and is paused after an attempt, and when it is sent to again. */
type Course = { fails: boolean; dueAt: Date | null; pauses: boolean }

/**
 * Records how an attempt went, and gives the webhook back. A delivery in the feed's order that failed stays until it succeeds. The
 * last attempt is after three days: then the webhook is paused, and its owner gets a mail. Nothing is recorded if another process
 * sends to it by now.
 */
export const settle = async (
  context: Context,
  webhook: Claimed,
  delivery: Pending,
  attempt: Attempt,
  { holder, write }: Sender,
): Promise<void> => {
  const { clock, mail, config } = context
  const now = clock.now()
  const at = now.toISOString()
  const isNext = delivery.in_order && delivery.status === 'pending'
  const course = isNext ? courseAfter(webhook, delivery, attempt, now) : undefined
  const stays = isNext && attempt.error !== undefined && !attempt.isFinal
  const status = attempt.error === undefined ? 'delivered' : stays ? 'pending' : 'failed'
  const record = ({ sql }: Transaction) => sql`
    with held as (
      update webhooks set holder = null, locked_until = null, tried_at = ${at},
        failing_since = case when ${course === undefined} then failing_since
          when ${course?.fails ?? false} then coalesce(failing_since, ${at}::timestamptz) end,
        due_at = case when ${course === undefined} then due_at else ${course?.dueAt?.toISOString() ?? null}::timestamptz end,
        paused_at = case when ${course?.pauses ?? false} then ${at}::timestamptz else paused_at end
      where id = ${webhook.id} and holder = ${holder}::uuid
      returning id
    )
    update webhook_deliveries d set status = ${status}, asked_at = null, attempts = attempts + 1, tried_at = ${at},
      delivered_at = case when ${status === 'delivered'} then ${at}::timestamptz else delivered_at end,
      response_status = ${attempt.status ?? null}, response_body = ${attempt.answer ?? null},
      error = ${attempt.error ?? null}, milliseconds = ${attempt.milliseconds}
    from held where d.id = ${delivery.id}`
  await write(async (tx) => {
    const { count } = await record(tx)
    if (count === 0 || !course?.pauses) return
    await logWebhook(tx, { agent: 'service', now }, 'paused', webhook.id)
    const message = webhookPaused(config.brand, {
      host: new URL(webhook.target_url).host,
      error: attempt.error ?? '',
      link: `${config.baseUrl}/account/webhooks/${webhook.id}`,
    })
    await mail.queue(tx, webhook.email_key, message, { now, key: `webhook paused ${webhook.id} ${at}` })
  })
}

const courseAfter = (webhook: Claimed, { attempts }: Pending, { error, isFinal }: Attempt, now: Date): Course => {
  if (error === undefined || isFinal) return { fails: false, dueAt: null, pauses: false }
  const since = webhook.failing_since ? new Date(webhook.failing_since) : now
  const end = secondsAfter(since, lifetimes.webhookRetries.seconds)
  const pauses = webhook.paused_at === null && now >= end
  const again = secondsAfter(now, pauseSeconds(attempts + 1))
  return { fails: true, dueAt: pauses || again < end ? again : end, pauses }
}
