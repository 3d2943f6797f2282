import type { Subscription } from './payments.ts'

type Item = { price?: { id?: string }; current_period_end?: number }
type Given = {
  id?: unknown
  status?: unknown
  customer?: unknown
  created?: number
  items?: { data?: Item[] }
  current_period_end?: number | null
  cancel_at_period_end?: boolean
  cancel_at?: number | null
}

/**
 * Reads a subscription from Stripe. Undefined if it isn't one. The end of a period is on its item, or in older versions of the
 * API on the subscription.
 */
export const readSubscription = (value: unknown): Subscription | undefined => {
  const given = value as Given
  const customerId = idOf(given?.customer)
  if (typeof given?.id !== 'string' || typeof given.status !== 'string' || !customerId) return undefined
  return {
    id: given.id,
    customerId,
    status: given.status,
    items: (given.items?.data ?? []).flatMap(({ price, current_period_end }) =>
      price?.id
        ? [{ priceId: price.id, periodEnd: timeOf(current_period_end) ?? timeOf(given.current_period_end) }]
        : [],
    ),
    createdAt: new Date((given.created ?? 0) * 1000),
    cancelAt: timeOf(given.cancel_at),
    endsWithPeriod: given.cancel_at_period_end === true,
  }
}

/** The id of an object, which may be just the id or expanded. */
export const idOf = (value: unknown): string | undefined => {
  const id = typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : value
  return isId(id) ? id : undefined
}

/** Whether a text looks like a Stripe id. */
export const isId = (value: unknown): value is string => typeof value === 'string' && /^[!-~]+$/.test(value)

const timeOf = (seconds: unknown): Date | null =>
  typeof seconds === 'number' && Number.isFinite(seconds) ? new Date(seconds * 1000) : null
