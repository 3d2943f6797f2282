import type { Transaction } from '../../db/client.ts'
import type { Context } from '../context.ts'
import type { PaymentEvent, PaymentsPort } from '../payments/payments.ts'
import { applySight } from './apply.ts'
import { pointerOf } from './handled-events.ts'
import { lookAtStripe } from './look.ts'

/**
 * Handles an event once: what Stripe says now is written together with the event's id, so that neither is there without the
 * other. Of deliveries at once one writes, and the others wait for it. Throws PaymentsFailure where Stripe cannot be asked.
 */
export const handleEvent = async (context: Context, payments: PaymentsPort, event: PaymentEvent, now: Date) => {
  const pointer = pointerOf(event)
  if (!pointer || (await isHandled(context, event.id))) return
  const sight = await lookAtStripe(context, payments, pointer)
  if (!sight) return
  await context.db.transaction(async (tx) => {
    if (await record(tx, event, now)) await applySight(tx, context.config, sight, now)
  })
}

const isHandled = async ({ db }: Context, id: string) => {
  const found = await db.sql`select 1 from stripe_events where id = ${id}`
  return found.length > 0
}

const record = async (tx: Transaction, { id, type }: PaymentEvent, now: Date) => {
  const recorded = await tx.sql`
    insert into stripe_events (id, type, handled_at) values (${id}, ${type}, ${now.toISOString()}) on conflict (id) do nothing`
  return recorded.count > 0
}
