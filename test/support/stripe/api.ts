import { moves } from './moves.ts'
import { type Customer, newId, type Portal, type Session, type World } from './world.ts'

/** An answer as Stripe gives it. */
export type Told = { status: number; body: object }

type Asked = { world: World; params: URLSearchParams; id: string; origin: string }

const refuse = (status: number, error: Record<string, string>): Told => ({ status, body: { error } })

/** How Stripe reports that something doesn't exist. */
export const missing = (what: string, id: string, param = 'id', status = 404) =>
  refuse(status, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    param,
    message: `No such ${what}: '${id}'`,
  })

const found = <T extends object>(what: string, map: Map<string, T>, id: string): Told => {
  const one = map.get(id)
  return one ? { status: 200, body: one } : missing(what, id)
}

const list = (url: string, data: object[]): Told => ({
  status: 200,
  body: { object: 'list', url, has_more: false, data },
})

const metadataOf = (params: URLSearchParams, form = /^metadata\[(\w+)\]$/) =>
  Object.fromEntries(
    [...params].flatMap(([key, value]) => (form.exec(key) ? [[form.exec(key)?.[1] ?? '', value]] : [])),
  )

const createCustomer = ({ world, params }: Asked): Told => {
  const customer: Customer = {
    ...{ id: newId('cus'), object: 'customer', email: params.get('email') ?? '' },
    metadata: metadataOf(params),
  }
  world.customers.set(customer.id, customer)
  return { status: 200, body: customer }
}

const liveCustomer = (world: World, id: string) => {
  const customer = world.customers.get(id)
  return customer && !customer.deleted ? customer : undefined
}

const createSession = ({ world, params, origin }: Asked): Told => {
  const [customer, price] = [params.get('customer') ?? '', params.get('line_items[0][price]') ?? '']
  if (!liveCustomer(world, customer)) return missing('customer', customer, 'customer', 400)
  if (!world.prices.has(price)) return missing('price', price, 'line_items[0][price]', 400)
  const id = newId('cs_test')
  const session: Session = {
    ...{ id, object: 'checkout.session', mode: 'subscription', status: 'open', payment_status: 'unpaid', customer },
    ...{ client_reference_id: params.get('client_reference_id'), subscription: null },
    ...{ success_url: params.get('success_url') ?? '', cancel_url: params.get('cancel_url') ?? '' },
    url: `${origin}/pay/${id}`,
    price,
    metadata: metadataOf(params, /^subscription_data\[metadata\]\[(\w+)\]$/),
  }
  world.sessions.set(id, session)
  return { status: 200, body: session }
}

/** Newest first. */
const listSessions = ({ world, params }: Asked): Told => {
  const [customer, status] = [params.get('customer'), params.get('status')]
  const wanted = [...world.sessions.values()].filter(
    (one) => (customer === null || one.customer === customer) && (status === null || one.status === status),
  )
  return list('/v1/checkout/sessions', wanted.reverse())
}

const expireSession = ({ world, id }: Asked): Told => {
  const session = world.sessions.get(id)
  if (!session) return missing('checkout.session', id)
  if (session.status !== 'open')
    return refuse(400, { type: 'invalid_request_error', message: 'Only open sessions can be expired.' })
  Object.assign(session, { status: 'expired', url: null })
  return { status: 200, body: session }
}

const changeCustomer = ({ world, params, id }: Asked): Told => {
  const customer = liveCustomer(world, id)
  if (!customer) return missing('customer', id)
  customer.email = params.get('email') ?? customer.email
  return { status: 200, body: customer }
}

const createPortal = ({ world, params, origin }: Asked): Told => {
  const customer = params.get('customer') ?? ''
  if (!liveCustomer(world, customer)) return missing('customer', customer, 'customer', 400)
  const id = newId('bps')
  const portal: Portal = {
    ...{ id, object: 'billing_portal.session', customer, return_url: params.get('return_url') ?? '' },
    url: `${origin}/portal/${id}`,
  }
  world.portals.set(id, portal)
  return { status: 200, body: portal }
}

const removeCustomer = ({ world, id }: Asked): Told => {
  const customer = liveCustomer(world, id)
  if (!customer) return missing('customer', id)
  customer.deleted = true
  for (const subscription of world.subscriptions.values())
    if (subscription.customer === id && subscription.status !== 'canceled') moves.end(world, subscription)
  return { status: 200, body: { id, object: 'customer', deleted: true } }
}

const endSubscription = ({ world, id }: Asked): Told => {
  const subscription = world.subscriptions.get(id)
  if (!subscription || subscription.status === 'canceled') return missing('subscription', id)
  moves.end(world, subscription)
  return { status: 200, body: subscription }
}

/** Without a status, Stripe lists subscriptions that haven't ended, newest first. */
const listSubscriptions = ({ world, params }: Asked): Told => {
  const [customer, status] = [params.get('customer'), params.get('status')]
  const wanted = [...world.subscriptions.values()].filter(
    (one) =>
      (customer === null || one.customer === customer) &&
      (status === 'all' || (status === null ? one.status !== 'canceled' : one.status === status)),
  )
  return list('/v1/subscriptions', wanted.reverse())
}

/** The part of Stripe's API that Cardstock uses. Only `:id` varies in a path. */
export const api: Record<string, (asked: Asked) => Told> = {
  'POST /v1/customers': createCustomer,
  'GET /v1/customers/:id': ({ world, id }) => found('customer', world.customers, id),
  'POST /v1/customers/:id': changeCustomer,
  'DELETE /v1/customers/:id': removeCustomer,
  'POST /v1/checkout/sessions': createSession,
  'GET /v1/checkout/sessions': listSessions,
  'POST /v1/checkout/sessions/:id/expire': expireSession,
  'GET /v1/checkout/sessions/:id': ({ world, id }) => found('checkout.session', world.sessions, id),
  'POST /v1/billing_portal/sessions': createPortal,
  'GET /v1/subscriptions': listSubscriptions,
  'GET /v1/subscriptions/:id': ({ world, id }) => found('subscription', world.subscriptions, id),
  'DELETE /v1/subscriptions/:id': endSubscription,
  'GET /v1/prices': ({ world }) => list('/v1/prices', [...world.prices.values()]),
  'GET /v1/prices/:id': ({ world, id }) => found('price', world.prices, id),
  'GET /v1/events': ({ world }) => list('/v1/events', [...world.events].reverse()),
}
