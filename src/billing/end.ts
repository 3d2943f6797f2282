import type { Context } from '../context.ts'
import { PaymentsFailure, type PaymentsPort } from '../payments/payments.ts'
import { findCustomer } from './customers.ts'
import { logFailure, orUnavailable, requirePayments } from './failures.ts'
import { liveStatuses } from './statuses.ts'

/**
 * Ends whatever an account pays for, at once and for good, before the account itself is removed; call it outside of a
 * transaction. Nothing to end is well. Throws 502 where Stripe fails, or is not configured while the account still has a
 * subscription there: then something may still be paid for, and the account has to stay. It may be called again.
 */
export const endBilling = async (context: Context, userId: string): Promise<void> => {
  const customerId = await findCustomer(context, userId)
  if (!customerId || (!context.payments && !(await isPaying(context, userId)))) return
  const payments = requirePayments(context)
  await orUnavailable(context, async () => {
    for (const { id } of await payments.listSubscriptions(customerId)) await payments.endSubscription(id)
  })
  await forgetAtStripe(context, payments, customerId)
}

const isPaying = async ({ db }: Context, userId: string) => {
  const found = await db.sql`
    select 1 from subscriptions
    where user_id = ${userId} and stripe_subscription_id is not null and status = any(${[...liveStatuses]}::text[])`
  return found.length > 0
}

/** A checkout page that is still open cannot be paid for a customer that is gone. Where that fails, nothing is owed. */
const forgetAtStripe = async (context: Context, payments: PaymentsPort, customerId: string) => {
  try {
    await payments.removeCustomer(customerId)
  } catch (error) {
    if (!(error instanceof PaymentsFailure)) throw error
    logFailure(context, error)
  }
}
