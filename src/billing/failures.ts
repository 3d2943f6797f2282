import type { Context } from '../context.ts'
import { badGateway } from '../jsonapi/errors.ts'
import { PaymentsFailure, type PaymentsPort } from '../payments/payments.ts'

/** 502: there is no key for Stripe, or no price for a plan. */
export const notConfigured = () => badGateway('On this service billing is not configured.')

/** The payment processor, or 502 where there is none. */
export const requirePayments = ({ payments }: Pick<Context, 'payments'>): PaymentsPort => {
  if (!payments) throw notConfigured()
  return payments
}

/** Does something with the payment processor; what it fails with is logged, and is a 502 that tells nothing of it. */
export const orUnavailable = async <T>(context: Context, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof PaymentsFailure)) throw error
    logFailure(context, error)
    throw badGateway('The payment processor does not do what was asked of it: try again in a moment.')
  }
}

/** The same where nothing is lost if it fails: that is logged, and no more. */
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
