import { afterAll } from 'bun:test'
import type { Database } from '../../db/client.ts'
import { issueKey } from '../../src/access/credentials.ts'
import { testApp } from './app.ts'
import { aPerson, bearerOf, flat, type Person } from './people.ts'
import { openStripeDouble, type Receiver } from './stripe/double.ts'
import { type Move, moves } from './stripe/moves.ts'
import type { Event, Subscription } from './stripe/world.ts'

export type Billing = Awaited<ReturnType<typeof testBilling>>

/** The service with its own fake Stripe. Events wait until they are delivered. */
export const testBilling = async (environment: Record<string, string> = {}, db?: Database) => {
  const stripe = openStripeDouble()
  const app = await testApp({ db, environment: { ...stripe.environment, ...environment } })
  afterAll(stripe.close)
  let delivered = 0

  const send = (body: BodyInit, headers: Record<string, string>) =>
    app.fetch(new Request(`${app.baseUrl}/webhooks/stripe`, { method: 'POST', body, headers }))
  const receive: Receiver = async (body, signature) =>
    (await send(body, { 'Content-Type': 'application/json; charset=utf-8', 'Stripe-Signature': signature })).status
  const deliver = (event: Event) => stripe.deliver(receive, event)
  /** What has happened since the last call. */
  const news = () => {
    const events = stripe.world.events.slice(delivered)
    delivered = stripe.world.events.length
    return events
  }
  /** Delivers what has happened since the last call, in this order. Returns the statuses. */
  const deliverNews = async (order: (events: Event[]) => Event[] = (events) => events) => {
    const statuses: number[] = []
    for (const event of order(news())) statuses.push(await deliver(event))
    return statuses
  }
  const checkout = ({ person }: Pick<Person, 'person'>, body: object = { plan: 'starter' }) =>
    flat(person, 'POST', '/v1/billing/checkout', body)
  const payAt = (url: string) => fetch(url, { method: 'POST', redirect: 'manual' })
  /** A person with a key who has paid, after Stripe's events have arrived. */
  const aPayer = async (plan: 'starter' | 'pro' = 'starter', status = 'trialing') => {
    const person = await aPerson(app, { status })
    const { secret } = await issueKey(app.db, person.user, app.context.config, app.clock.now(), 'trial')
    await payAt((await checkout(person, { plan })).flat.url)
    await deliverNews()
    return { ...person, key: bearerOf(app, secret) }
  }
  const customerOf = async (user: string) => {
    const [account] = await app.db.sql<{ id: string }[]>`
      select stripe_customer_id as id from billing_accounts where user_id = ${user}`
    return account?.id ?? ''
  }
  /** A user's subscriptions at Stripe, oldest first. */
  const heldBy = async (user: string): Promise<Subscription[]> => {
    const customer = await customerOf(user)
    return [...stripe.world.subscriptions.values()].filter((one) => one.customer === customer)
  }
  /** Makes something happen to a user's newest subscription. */
  const move = async (user: string, name: Move) => {
    const subscription = (await heldBy(user)).at(-1)
    if (!subscription) throw new Error('nothing is held')
    moves[name](stripe.world, subscription)
    return subscription
  }
  const standing = async ({ person }: Pick<Person, 'person'>) => {
    const { plan, status } = (await person.get('/v1/user/subscription')).one.attributes
    return `${plan} ${status}`
  }
  return { app, stripe, send, deliver, news, deliverNews, checkout, payAt, aPayer, customerOf, heldBy, move, standing }
}
