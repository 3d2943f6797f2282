import type { Context } from '../context.ts'
import { badGateway } from '../jsonapi/errors.ts'
import { PaymentsFailure, type PaymentsPort } from '../payments/payments.ts'

/** 502: the key for Stripe, or the price of a plan, is not configured. */
export const notConfigured = () => badGateway('On this service billing is not configured.')

/** The payment processor; 502 if none is configured. */
export const requirePayments = ({ payments }: Pick<Context, 'payments'>): PaymentsPort => {
  if (!payments) throw notConfigured()
  return payments
}

/** Calls the payment processor; a failure is logged, and the caller gets a 502 without its details. */
export const orUnavailable = async <T>(context: Context, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof PaymentsFailure)) throw error
    logFailure(context, error)
    throw badGateway('The payment processor does not do what was asked of it: try again in a moment.')
  }
}

/** The same for a call that may fail without harm: the failure is only logged. */
export const orLogged = async (context: Context, work: () => Promise<unknown>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof PaymentsFailure)) throw error
    logFailure(context, error)
  }
}

/** One line for a failure of the payment processor. */
export const logFailure = ({ log }: Context, { call, reason }: PaymentsFailure) =>
  log.warn('payments_failed', { call, reason })
