import type { Subscription } from './payments.ts'

type Item = { price?: { id?: string }; current_period_end?: number }
type Told = {
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
  const told = value as Told
  const customerId = idOf(told?.customer)
  if (typeof told?.id !== 'string' || typeof told.status !== 'string' || !customerId) return undefined
  const items = told.items?.data ?? []
  const ends = [told.current_period_end, ...items.map((item) => item.current_period_end)].filter(isSeconds)
  return {
    id: told.id,
    customerId,
    status: told.status,
    priceIds: items.flatMap(({ price }) => (price?.id ? [price.id] : [])),
    createdAt: new Date((told.created ?? 0) * 1000),
    currentPeriodEnd: ends.length > 0 ? new Date(Math.max(...ends) * 1000) : null,
    cancelAtPeriodEnd: told.cancel_at_period_end === true || isSeconds(told.cancel_at),
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
