import type { Context } from '../context.ts'
import { findCustomer, isPaying } from './customers.ts'
import { orLogged, orUnavailable, requirePayments } from './failures.ts'

/**
 * Cancels everything that an account pays for, at once and permanently, before the account is deleted. Call it outside of a
 * transaction. There may be nothing to cancel, and it is safe to call again. Returns the account's customer, if it has one.
 * Throws 502 if Stripe fails, or isn't configured although the account still has a subscription there: the account might still
 * be charged, so it has to stay.
 */
export const endBilling = async (context: Context, userId: string): Promise<string | undefined> => {
  const customerId = await findCustomer(context, userId)
  if (!customerId || (!context.payments && !(await isPaying(context, userId)))) return customerId
  const payments = requirePayments(context)
  await orUnavailable(context, async () => {
    for (const { id } of await payments.listSubscriptions(customerId)) await payments.endSubscription(id)
  })
  // Once its customer is gone, nobody can pay on an open checkout page. If this fails, nothing is owed.
  await orLogged(context, () => payments.removeCustomer(customerId))
  return customerId
}
