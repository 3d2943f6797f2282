import type { PaymentEvent } from '../payments/payments.ts'
import { idOf } from '../payments/read-subscription.ts'
import type { Pointer } from './look.ts'

type EventObject = Record<string, unknown>

const pointer = (customer: unknown, subscription: unknown): Pointer | undefined => {
  const customerId = idOf(customer)
  return customerId ? { customerId, subscriptionId: idOf(subscription) } : undefined
}

/** Newer versions of Stripe's API keep the subscription of an invoice with its parent. */
const ofInvoice = ({ customer, subscription, parent }: EventObject) => {
  const details = (parent as { subscription_details?: EventObject } | null | undefined)?.subscription_details
  return pointer(customer, details?.subscription ?? subscription)
}

/** The events that are handled, a name with a dot at its end for all below it, and whom they are about. What else they say may be out of date: Stripe is asked. */
const handled: Record<string, (object: EventObject) => Pointer | undefined> = {
  'checkout.session.completed': ({ customer, subscription }) => pointer(customer, subscription),
  'customer.subscription.': (object) => pointer(object.customer, object),
  'invoice.paid': ofInvoice,
  'invoice.payment_failed': ofInvoice,
}

/** Whom an event is about; undefined where nothing is to be done. */
export const pointerOf = ({ type, object }: PaymentEvent): Pointer | undefined => {
  const name = Object.keys(handled).find((one) => (one.endsWith('.') ? type.startsWith(one) : type === one))
  return name === undefined ? undefined : handled[name]?.(object)
}
