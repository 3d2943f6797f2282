import type { Database } from '../../../db/client.ts'
import type { Context } from '../../context.ts'
import { traceOf } from '../../lib/origin.ts'
import { type SpanTerms, traced } from '../../lib/tracing.ts'
import { signDelivery, webhookSealer } from '../secret.ts'
import { mayHear } from '../source/events.ts'
import { noteNext, type Sender } from '../source/next.ts'
import type { Resolve } from './address.ts'
import { type Claimed, releaseWebhooks } from './claim.ts'
import type { Pending } from './delivery.ts'
import { type Attempt, postDelivery } from './post.ts'
import { settle } from './settle.ts'

/** A process that sends: also how it finds addresses, whether the webhook is surely still its own, and when it stops. */
export type Sending = Sender & { resolve: Resolve; isHeld: () => boolean; signal: AbortSignal }

/**
 * Sends one delivery to a webhook that this process has claimed, records how it went, and gives the webhook back: the one that
 * somebody asked for, else the one that failed before, else the next event.
 */
export const deliverNext = async (context: Context, webhook: Claimed, sending: Sending): Promise<void> => {
  const { db, clock, log, config, meter, tracing } = context
  const { holder, resolve, isHeld, signal } = sending
  const delivery =
    (webhook.has_pending ? await findPending(db, webhook) : undefined) ??
    (webhook.paused_at === null ? await noteNext(context, webhook, sending, clock.now()) : undefined)
  // Whoever was held up for so long may be too late, and would break the order.
  if (!delivery || !isHeld()) return void (await releaseWebhooks(db, holder, [webhook.id]))
  const { id, event, body, origin } = delivery
  const seconds = Math.floor(clock.now().getTime() / 1000)
  const send = async (): Promise<Attempt> => {
    if (!mayHear(event, webhook)) return { milliseconds: 0, error: 'Its owner is no operator any more.', isFinal: true }
    const secrets = secretsOf(context, webhook)
    if (!secrets) return { milliseconds: 0, error: 'Its secret can’t be read with this APP_SECRET. Rotate it.' }
    const signature = signDelivery(secrets, id, seconds, body)
    const trace = tracing?.current() ?? {}
    const outgoing = { targetUrl: webhook.target_url, id, seconds, signature, body, trace }
    return postDelivery(outgoing, { resolve, signal, ...config })
  }
  const attempt = await traced(tracing, spanOf(webhook, delivery), async (tell) => {
    const sent = await send()
    tell({ 'http.response.status_code': sent.status }, sent.error && String(sent.status ?? 'no answer'))
    return sent
  })
  await settle(context, webhook, delivery, attempt, sending)
  const { milliseconds, status, error } = attempt
  meter.attempts[error ? 'failed' : 'delivered']++
  const request_id = origin?.request_id
  log[error ? 'warn' : 'info']('webhook', {
    ...{ id, webhook: webhook.id, name: event, status, milliseconds, request_id, error },
  })
}

/** A delivery continues the trace of the request that caused it. Its URL stays out, because it may be a secret. */
const spanOf = ({ target_url }: Claimed, { id, event, attempts, origin }: Pending): SpanTerms => ({
  name: 'POST webhook',
  kind: 'client',
  attributes: {
    'http.request.method': 'POST',
    'server.address': URL.parse(target_url)?.hostname,
    'cardstock.webhook.delivery': id,
    'cardstock.webhook.event': event,
    'cardstock.webhook.attempt': attempts + 1,
    'cardstock.request_id': origin?.request_id,
  },
  from: traceOf(origin),
})

/** The delivery that somebody asked for, else the one that the others wait for. */
const findPending = async ({ sql }: Database, { id, paused_at }: Claimed): Promise<Pending | undefined> => {
  const [delivery] = await sql<Pending[]>`
    select id, event, body, status, in_order, attempts, origin from webhook_deliveries
    where webhook_id = ${id} and (asked_at is not null or ${paused_at === null} and status = 'pending' and in_order)
    order by asked_at nulls last, id limit 1`
  return delivery
}

/** The secret, and for a day after it was rotated the one before it. Undefined if the service's own was replaced. */
const secretsOf = (context: Context, { secret, secret_before, secret_before_until }: Claimed) => {
  const { unseal } = webhookSealer(context)
  const isKept = secret_before_until !== null && new Date(secret_before_until) > context.clock.now()
  const secrets = [secret, ...(isKept && secret_before ? [secret_before] : [])].map(unseal)
  return secrets.every((one) => one !== undefined) ? secrets : undefined
}
