import type { Context } from '../context.ts'
import { badGateway } from '../jsonapi/errors.ts'
import { PaymentsFailure, type PaymentsPort } from '../payments/payments.ts'

/** 502: Stripe's key, or the price of a plan, isn't configured. */
export const notConfigured = () => badGateway('Billing is not configured on this service.')

/** The payment processor. 502 if none is configured. */
export const requirePayments = ({ payments }: Pick<Context, 'payments'>): PaymentsPort => {
  if (!payments) throw notConfigured()
  return payments
}

/** Calls the payment processor. A failure is logged, and the caller gets a 502 without its details. */
export const orUnavailable = async <T>(context: Context, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof PaymentsFailure)) throw error
    logFailure(context, error)
    throw badGateway('The payment processor failed to handle the request. Try again in a moment.')
  }
}

/** The same for a call whose failure does no harm: it is only logged. */
export const orLogged = async (context: Context, work: () => Promise<unknown>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof PaymentsFailure)) throw error
    logFailure(context, error)
  }
}

/** Logs one line for a failure of the payment processor. */
export const logFailure = ({ log }: Context, { call, reason }: PaymentsFailure) =>
  log.warn('payments_failed', { call, reason })
