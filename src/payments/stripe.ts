import type Stripe from 'stripe'
import type { Config } from '../config.ts'
import { callTo, type Tracing, traced } from '../lib/tracing.ts'
import { BadEvent, type PaymentsPort } from './payments.ts'
import { openPulse } from './pulse.ts'
import { idOf, isId, readSubscription } from './read-subscription.ts'
import { type Ask, arrayOf, asFailure, isAlive, required, unlessMissing, unlessRefused } from './stripe-answers.ts'
import { prices, probe } from './stripe-prices.ts'

type Settings = Config['stripe'] & { secretKey: string }

/** The port to Stripe, or undefined without a key. The SDK is loaded with the first call. */
export const openStripe = (settings: Config['stripe'], tracing?: Tracing): PaymentsPort | undefined =>
  settings.secretKey ? portTo({ ...settings, secretKey: settings.secretKey }, tracing) : undefined

const portTo = (settings: Settings, tracing: Tracing | undefined): PaymentsPort => {
  const load = loader(settings)
  const pulse = openPulse(() => probe(ask, settings))
  const ask: Ask = async (call, work) => {
    const stripe = await load()
    try {
      const answer = await traced(tracing, callTo('Stripe', call), () => work(stripe))
      pulse.heard(true)
      return answer
    } catch (error) {
      const failure = asFailure(call, error)
      pulse.heard(isAlive(error))
      throw failure
    }
  }
  return {
    ...pages(ask),
    ...subscriptions(ask),
    ...events(load, settings),
    ...prices(ask, settings),
    pulse: pulse.read,
  }
}

const loader = ({ secretKey, apiBase, answerSeconds }: Settings) => {
  let loaded: Promise<Stripe> | undefined
  const load = async () => {
    const { default: Sdk } = await import('stripe')
    return new Sdk(secretKey, {
      ...(apiBase ? hostOf(new URL(apiBase)) : {}),
      timeout: answerSeconds * 1000,
      maxNetworkRetries: 1,
      telemetry: false,
    })
  }
  return () => {
    loaded ??= load()
    return loaded
  }
}

const hostOf = ({ protocol, hostname, port }: URL) => ({
  protocol: protocol === 'http:' ? ('http' as const) : ('https' as const),
  host: hostname,
  port: port || (protocol === 'http:' ? '80' : '443'),
})

const pages = (
  ask: Ask,
): Pick<
  PaymentsPort,
  'createCustomer' | 'createCheckout' | 'closeEarlierCheckouts' | 'changeAddress' | 'createPortal' | 'removeCustomer'
> => ({
  createCustomer: async ({ key, userId, email }) => {
    const call = 'create customer'
    const options = { idempotencyKey: key }
    const made = await ask(call, (stripe) => stripe.customers.create({ email, metadata: { user_id: userId } }, options))
    return required(call, idOf(made.id))
  },
  createCheckout: async ({ key, customerId, userId, priceId, successUrl, cancelUrl }) => {
    const call = 'create checkout session'
    const params: Stripe.Checkout.SessionCreateParams = {
      mode: 'subscription',
      customer: customerId,
      client_reference_id: userId,
      line_items: [{ price: priceId, quantity: 1 }],
      success_url: successUrl,
      cancel_url: cancelUrl,
      metadata: { user_id: userId },
      subscription_data: { metadata: { user_id: userId } },
    }
    const { id, url } = await ask(call, (stripe) => stripe.checkout.sessions.create(params, { idempotencyKey: key }))
    return { id: required(call, idOf(id)), url: required(call, url) }
  },
  closeEarlierCheckouts: async (customer, id) => {
    const query = { customer, status: 'open', limit: 100 } as const
    const { data } = await ask('list checkout sessions', (stripe) => stripe.checkout.sessions.list(query))
    const newestFirst = arrayOf(data) as Stripe.Checkout.Session[] | undefined
    const at = newestFirst?.findIndex((session) => session.id === id) ?? -1
    if (at < 0) return
    for (const earlier of newestFirst?.slice(at + 1) ?? [])
      await unlessRefused(ask('expire checkout session', (stripe) => stripe.checkout.sessions.expire(earlier.id)))
  },
  changeAddress: (customerId, email) =>
    unlessMissing(ask('change customer', (stripe) => stripe.customers.update(customerId, { email }))).then(() => {}),
  createPortal: async ({ key, customerId, returnUrl }) => {
    const call = 'create portal session'
    const params = { customer: customerId, return_url: returnUrl }
    const session = await ask(call, (stripe) => stripe.billingPortal.sessions.create(params, { idempotencyKey: key }))
    return required(call, session.url)
  },
  removeCustomer: (customerId) =>
    unlessMissing(ask('remove customer', (stripe) => stripe.customers.del(customerId))).then(() => {}),
})

const subscriptions = (ask: Ask): Pick<PaymentsPort, 'findSubscription' | 'listSubscriptions' | 'endSubscription'> => ({
  findSubscription: async (id) => {
    const call = 'retrieve subscription'
    const found = await unlessMissing(ask(call, (stripe) => stripe.subscriptions.retrieve(id)))
    return found && required(call, readSubscription(found))
  },
  listSubscriptions: async (customer) => {
    const call = 'list subscriptions'
    const page = await unlessMissing(ask(call, (stripe) => stripe.subscriptions.list({ customer, limit: 100 })))
    return required(call, page ? arrayOf(page.data) : [])
      .flatMap((one) => readSubscription(one) ?? [])
      .filter((one) => one.customerId === customer)
  },
  endSubscription: (id) =>
    unlessMissing(ask('cancel subscription', (stripe) => stripe.subscriptions.cancel(id))).then(() => {}),
})

const events = (load: () => Promise<Stripe>, { webhookSecret }: Settings): Pick<PaymentsPort, 'readEvent'> => ({
  readEvent: async (body, signature) => {
    if (!webhookSecret) throw new BadEvent('There is no secret to verify the signature with.')
    const { webhooks } = await load()
    try {
      const event: unknown = await webhooks.constructEventAsync(body, signature ?? '', webhookSecret, toleranceSeconds)
      if (!(ageOf(signature) >= -toleranceSeconds)) throw new BadEvent(otherTime)
      const { id, type, data } = event as { id?: unknown; type?: unknown; data?: { object?: unknown } }
      const object = data?.object
      if (!isId(id) || !isId(type) || typeof object !== 'object' || object === null)
        throw new BadEvent('The event has no id, type or object.')
      return { id, type, object: object as Record<string, unknown> }
    } catch (error) {
      // The SDK reads an event only once its signature is verified.
      if (/thin event/.test((error as Error).message)) throw new BadEvent(thinEvent)
      throw error instanceof BadEvent
        ? error
        : new BadEvent(
            ageOf(signature) > toleranceSeconds
              ? otherTime
              : 'The event’s signature is invalid, or the event is unreadable.',
          )
    }
  },
})

/** How far a signature's time may be from the machine's own clock. The SDK checks only that it isn't older. */
const toleranceSeconds = 300

const thinEvent =
  'This is a thin event, which says too little. Choose snapshot payloads for this endpoint in Stripe’s dashboard.'

const otherTime = `The time of the event’s signature is more than ${toleranceSeconds} seconds from this machine’s.`

/** How many seconds ago an event was signed, by the last `t` in its header, which is the one that the SDK verifies. */
const ageOf = (signature: string | null) =>
  Date.now() / 1000 - Number.parseInt(signature?.match(/.*(?:^|,)t=([^,]*)/s)?.[1] ?? '', 10)
