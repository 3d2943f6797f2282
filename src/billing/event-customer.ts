import type { PaymentEvent } from '../payments/payments.ts'
import { idOf } from '../payments/read-subscription.ts'

/** The customer that an event is about, and which of their subscriptions, if it says so. */
export type EventCustomer = { customerId: string; subscriptionId?: string }

type EventObject = Record<string, unknown>

const pointer = (customer: unknown, subscription: unknown): EventCustomer | undefined => {
  const customerId = idOf(customer)
  return customerId ? { customerId, subscriptionId: idOf(subscription) } : undefined
}

/** Newer versions of Stripe's API keep an invoice's subscription with its parent. */
const ofInvoice = ({ customer, subscription, parent }: EventObject) => {
  const details = (parent as { subscription_details?: EventObject } | null | undefined)?.subscription_details
  return pointer(customer, details?.subscription ?? subscription)
}

/**
 * The events that are handled, and whom each is about. A name that ends in a dot is a prefix. The rest of an event may be out
 * of date, so Stripe is asked for it.
 */
const handled: Record<string, (object: EventObject) => EventCustomer | undefined> = {
  'checkout.session.completed': ({ customer, subscription }) => pointer(customer, subscription),
  'customer.subscription.': (object) => pointer(object.customer, object),
  'invoice.paid': ofInvoice,
  'invoice.payment_failed': ofInvoice,
}

/** The customer of an event. Undefined if the event needs no handling. */
export const customerOfEvent = ({ type, object }: PaymentEvent): EventCustomer | undefined => {
  const name = Object.keys(handled).find((one) => (one.endsWith('.') ? type.startsWith(one) : type === one))
  return name === undefined ? undefined : handled[name]?.(object)
}
