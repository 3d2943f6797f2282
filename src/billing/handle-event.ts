import { eq } from 'drizzle-orm'
import type { Transaction } from '../../db/client.ts'
import { stripeEvents } from '../../db/schema/index.ts'
import type { Context } from '../context.ts'
import type { PaymentEvent, PaymentsPort } from '../payments/payments.ts'
import { applyLook } from './apply.ts'
import { pointerOf } from './event-customer.ts'
import { lookAtStripe } from './fetch-subscription.ts'

/**
 * Handles an event once: writes what Stripe says now, in one transaction with the event's id. Of concurrent deliveries, one
 * writes and the others wait for it. Throws PaymentsFailure if Stripe doesn't answer.
 */
export const handleEvent = async (context: Context, payments: PaymentsPort, event: PaymentEvent, now: Date) => {
  const pointer = pointerOf(event)
  if (!pointer || (await isHandled(context, event.id))) return
  const seen = await lookAtStripe(context, payments, pointer)
  if (!seen) return
  await context.db.transaction(async (tx) => {
    if (await record(tx, event, now)) await applyLook(tx, seen, now)
  })
}

const isHandled = async ({ db }: Context, eventId: string) => {
  const { id } = stripeEvents
  const found = await db.orm.select({ id }).from(stripeEvents).where(eq(id, eventId))
  return found.length > 0
}

const record = async (tx: Transaction, { id, type }: PaymentEvent, now: Date) => {
  const recorded = await tx.orm
    .insert(stripeEvents)
    .values({ id, type, handled_at: now.toISOString() })
    .onConflictDoNothing({ target: stripeEvents.id })
  return recorded.count > 0
}
