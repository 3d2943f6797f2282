import { randomBytes } from 'node:crypto'

/** The part of Stripe's objects that we send or read. */
export type Customer = { id: string; object: 'customer'; email: string; metadata: Meta; deleted?: true }
export type Session = {
  id: string
  object: 'checkout.session'
  mode: 'subscription'
  status: 'open' | 'complete' | 'expired'
  payment_status: 'unpaid' | 'paid'
  customer: string
  client_reference_id: string | null
  subscription: string | null
  success_url: string
  cancel_url: string
  url: string | null
  /** What is paid for, which Stripe would show in the line items. */
  price: string
  metadata: Meta
}
export type Subscription = {
  id: string
  object: 'subscription'
  customer: string
  status: string
  created: number
  cancel_at: number | null
  cancel_at_period_end: boolean
  ended_at: number | null
  items: { object: 'list'; data: Item[] }
  metadata: Meta
}
type Item = {
  id: string
  object: 'subscription_item'
  price: Price
  current_period_start: number
  current_period_end: number
}
export type Price = {
  id: string
  object: 'price'
  active: boolean
  unit_amount: number
  currency: string
  product: string
  recurring: { interval: string; interval_count: number }
}
export type Portal = { id: string; object: 'billing_portal.session'; customer: string; return_url: string; url: string }
export type Event = { id: string; object: 'event'; type: string; created: number; data: { object: object } }
type Meta = Record<string, string>

/** Everything that this Stripe knows. */
export type World = ReturnType<typeof emptyWorld>

/** The prices of the two plans. */
export const prices = { starter: 'price_starter', pro: 'price_pro' } as const

export const emptyWorld = () => ({
  customers: new Map<string, Customer>(),
  sessions: new Map<string, Session>(),
  portals: new Map<string, Portal>(),
  subscriptions: new Map<string, Subscription>(),
  prices: new Map<string, Price>(
    [aPrice(prices.starter, 900), aPrice(prices.pro, 2900)].map((price) => [price.id, price]),
  ),
  events: [] as Event[],
})

const aPrice = (id: string, unit_amount: number): Price => ({
  ...{ id, object: 'price', active: true, unit_amount, currency: 'usd', product: id.replace('price', 'prod') },
  recurring: { interval: 'month', interval_count: 1 },
})

export const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`

export const seconds = () => Math.floor(Date.now() / 1000)
