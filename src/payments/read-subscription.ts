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
 * Reads what Stripe calls a subscription; undefined where it is none. The end of its period stands on its items, and in
 * older versions of the API on itself; a date on which it is to be canceled is the same promise as the flag.
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

/** The id of something that is named, or shown whole in the place of its name. */
export const idOf = (value: unknown): string | undefined => {
  const id = typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : value
  return isId(id) ? id : undefined
}

/** Whether something names a thing of Stripe's, as far as a text can tell. */
export const isId = (value: unknown): value is string => typeof value === 'string' && /^[!-~]+$/.test(value)

const isSeconds = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
