import { type Event, newId, type Session, type Subscription, seconds, type World } from './world.ts'

const month = 30 * 86_400

/** Records what happened, in its state at this moment. */
const tell = (world: World, type: string, object: object): Event => {
  const event: Event = { id: newId('evt'), object: 'event', type, created: seconds(), data: { object } }
  const kept = structuredClone(event)
  world.events.push(kept)
  return kept
}

const tellInvoice = (world: World, type: string, { id, customer }: Subscription) =>
  tell(world, type, {
    ...{ id: newId('in'), object: 'invoice', customer },
    parent: { type: 'subscription_details', subscription_details: { subscription: id } },
  })

/** Begins a customer's subscription, as a payment does. */
export const subscribe = (world: World, customer: string, priceId: string, status = 'active', metadata = {}) => {
  const [now, price] = [seconds(), world.prices.get(priceId)]
  if (!price) throw new Error(`no price ${priceId}`)
  const item = { id: newId('si'), object: 'subscription_item' as const, price }
  const subscription: Subscription = {
    ...{ id: newId('sub'), object: 'subscription', customer, status, created: now, metadata },
    ...{ cancel_at: null, cancel_at_period_end: false, ended_at: null },
    items: { object: 'list', data: [{ ...item, current_period_start: now, current_period_end: now + month }] },
  }
  world.subscriptions.set(subscription.id, subscription)
  tell(world, 'customer.subscription.created', subscription)
  return subscription
}

/** Pays for what a checkout page offers. */
export const pay = (world: World, session: Session) => {
  const subscription = subscribe(world, session.customer, session.price, 'active', session.metadata)
  tellInvoice(world, 'invoice.paid', subscription)
  Object.assign(session, { status: 'complete', payment_status: 'paid', subscription: subscription.id, url: null })
  tell(world, 'checkout.session.completed', session)
  return subscription
}

const change = (world: World, subscription: Subscription, changes: Partial<Subscription>) => {
  Object.assign(subscription, changes)
  return tell(world, 'customer.subscription.updated', subscription)
}

/** What can happen to a subscription. Each sends the event that Stripe would. */
export const moves = {
  /** At the end of the period. */
  cancel: (world, subscription) => change(world, subscription, { cancel_at_period_end: true }),
  resume: (world, subscription) => change(world, subscription, { cancel_at_period_end: false, status: 'active' }),
  /** At once. */
  end: (world, subscription) => {
    Object.assign(subscription, { status: 'canceled', ended_at: seconds() })
    return tell(world, 'customer.subscription.deleted', subscription)
  },
  decline: (world, subscription) => {
    change(world, subscription, { status: 'past_due' })
    return tellInvoice(world, 'invoice.payment_failed', subscription)
  },
  settle: (world, subscription) => {
    change(world, subscription, { status: 'active' })
    return tellInvoice(world, 'invoice.paid', subscription)
  },
  pause: (world, subscription) => {
    Object.assign(subscription, { status: 'paused' })
    return tell(world, 'customer.subscription.paused', subscription)
  },
  starter: (world, subscription) => changePrice(world, subscription, 'price_starter'),
  pro: (world, subscription) => changePrice(world, subscription, 'price_pro'),
} satisfies Record<string, (world: World, subscription: Subscription) => Event>

export type Move = keyof typeof moves

/** Sets a subscription's price, and sends the event. */
export const changePrice = (world: World, subscription: Subscription, priceId: string) => {
  const price = world.prices.get(priceId)
  if (!price) throw new Error(`no price ${priceId}`)
  for (const item of subscription.items.data) item.price = price
  return change(world, subscription, {})
}

/** Sets one of Stripe's statuses, and sends the event. */
export const setStatus = (world: World, subscription: Subscription, status: string) =>
  change(world, subscription, { status })
