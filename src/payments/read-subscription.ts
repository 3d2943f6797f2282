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
 * Reads a subscription from Stripe. Undefined if it isn't one. The end of its period is on its items, or in older versions of
 * the API on the subscription. A cancellation date counts like the flag.
 */
export const readSubscription = (value: unknown): Subscription | undefined => {
  const given = value as Given
  const customerId = idOf(given?.customer)
  if (typeof given?.id !== 'string' || typeof given.status !== 'string' || !customerId) return undefined
  const items = given.items?.data ?? []
  const ends = [given.current_period_end, ...items.map((item) => item.current_period_end)].filter(isSeconds)
  return {
    id: given.id,
    customerId,
    status: given.status,
    priceIds: items.flatMap(({ price }) => (price?.id ? [price.id] : [])),
    createdAt: new Date((given.created ?? 0) * 1000),
    currentPeriodEnd: ends.length > 0 ? new Date(Math.max(...ends) * 1000) : null,
    cancelAtPeriodEnd: given.cancel_at_period_end === true || isSeconds(given.cancel_at),
  }
}

/** The id of an object, which may be just the id or expanded. */
export const idOf = (value: unknown): string | undefined => {
  const id = typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : value
  return isId(id) ? id : undefined
}

/** Whether a text looks like a Stripe id. */
export const isId = (value: unknown): value is string => typeof value === 'string' && /^[!-~]+$/.test(value)

const isSeconds = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
