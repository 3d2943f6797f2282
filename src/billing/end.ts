import type { Context } from '../context.ts'
import { findCustomer, isPaying } from './customers.ts'
import { orLogged, orUnavailable, requirePayments } from './failures.ts'

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
  // A checkout page that is still open cannot be paid for a customer that is gone. Where that fails, nothing is owed.
  await orLogged(context, () => payments.removeCustomer(customerId))
}
