/*
 * Stripe decides what an account pays for; `billing/` only records it. An event says whom to look at
 * (`event-customer.ts`), never what to write. `fetch-subscription.ts` asks Stripe, outside a transaction. `apply.ts`
 * writes what it found, together with the event's id, in one transaction. So an event that comes twice or late does no
 * harm, and of concurrent deliveries only one writes. Each look takes a number from the account
 * (`billing_accounts.looks`) before it asks, and an earlier look never overwrites a later one. So whatever change an
 * event reports, the last look that is written started after it.
 *
 * An account's customer is created by a call whose idempotency key is in the database, so that two requests get the
 * same one. Stripe is never asked inside a transaction.
 */

import { eq } from 'drizzle-orm'
import type { Transaction } from '../../db/client.ts'
import { stripeEvents } from '../../db/schema/index.ts'
import type { Context } from '../context.ts'
import type { PaymentEvent, PaymentsPort } from '../payments/payments.ts'
import { applyLook } from './apply.ts'
import { customerOfEvent } from './event-customer.ts'
import { fetchSubscription } from './fetch-subscription.ts'

/**
 * Handles an event once: writes what Stripe says now, in one transaction with the event's id. Of concurrent deliveries, one
 * writes and the others wait for it. Throws PaymentsFailure if Stripe doesn't answer.
 */
export const handleEvent = async (context: Context, payments: PaymentsPort, event: PaymentEvent, now: Date) => {
  const pointer = customerOfEvent(event)
  if (!pointer || (await isHandled(context, event.id))) return
  const seen = await fetchSubscription(context, payments, pointer)
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
