import type { Context } from '../context.ts'
import { findCustomer, isPaying } from './customers.ts'
import { orLogged, orUnavailable, requirePayments } from './failures.ts'

/**
 * Cancels everything an account pays for, at once and for good, before the account is removed; call it outside of a
 * transaction. It is fine if there is nothing to cancel. Throws 502 if Stripe fails, or is not configured while the account
 * still has a subscription there: the account might still be charged, so it has to stay. Safe to call again.
 */
export const endBilling = async (context: Context, userId: string): Promise<void> => {
  const customerId = await findCustomer(context, userId)
  if (!customerId || (!context.payments && !(await isPaying(context, userId)))) return
  const payments = requirePayments(context)
  await orUnavailable(context, async () => {
    for (const { id } of await payments.listSubscriptions(customerId)) await payments.endSubscription(id)
  })
  // Nobody can pay on an open checkout page once its customer is gone. If this fails, nothing is owed.
  await orLogged(context, () => payments.removeCustomer(customerId))
}
