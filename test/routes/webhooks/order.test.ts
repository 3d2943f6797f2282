import { describe, expect, test } from 'bun:test'
import { applyLook } from '../../../src/billing/apply.ts'
import { fetchSubscription } from '../../../src/billing/fetch-subscription.ts'
import { testBilling } from '../../support/billing.ts'
import { aPerson } from '../../support/people.ts'
import { moves, subscribe } from '../../support/stripe/moves.ts'
import type { Event } from '../../support/stripe/world.ts'

const { app, stripe, deliver, deliverNews, news, checkout, payAt, aPayer, customerOf, heldBy, move, standing } =
  await testBilling()

/** Every order of a few things. */
const orders = <T>(things: T[]): T[][] =>
  things.length < 2
    ? [things]
    : things.flatMap((one, at) => orders(things.toSpliced(at, 1)).map((rest) => [one, ...rest]))

const standsOn = async (user: string) => {
  const [row] = await app.db.sql<{ id: string }[]>`
    select stripe_subscription_id as id from subscriptions where user_id = ${user}`
  return row?.id
}

describe('the order of events does not matter', () => {
  test('of a payment', async () => {
    for (const order of orders([0, 1, 2])) {
      const person = await aPerson(app, { status: 'trialing' })
      await payAt((await checkout(person, { plan: 'pro' })).flat.url)
      const statuses = await deliverNews((events) => order.map((at) => events[at] as Event))
      expect([statuses, await standing(person)]).toEqual([[200, 200, 200], 'pro active'])
    }
  })
  test('of a declined card, a payment and a new plan', async () => {
    for (const shuffle of [
      (events: Event[]) => events.toReversed(),
      (events: Event[]) => [...events.slice(3), ...events.slice(0, 3)],
    ]) {
      const payer = await aPayer('starter')
      for (const name of ['decline', 'settle', 'pro'] as const) await move(payer.user, name)
      await deliverNews(shuffle)
      expect(await standing(payer)).toBe('pro active')
    }
  })
  test('of an end that comes before the beginning', async () => {
    const payer = await aPayer('starter')
    await move(payer.user, 'pro')
    await move(payer.user, 'end')
    await deliverNews((events) => events.toReversed())
    expect(await standing(payer)).toBe('pro canceled')
  })
  test('of events that come all at once', async () => {
    const payers = await Promise.all(Array.from({ length: 4 }, () => aPayer('starter')))
    for (const { user } of payers)
      for (const name of ['decline', 'settle', 'pro', 'decline'] as const) await move(user, name)
    const statuses = await Promise.all(news().map(deliver))
    expect(new Set(statuses)).toEqual(new Set([200]))
    for (const payer of payers) expect(await standing(payer)).toBe('pro past_due')
  })
  test('of what was seen at Stripe: an earlier look does not undo a later one', async () => {
    const payer = await aPayer('starter')
    const { payments, db } = app.context
    if (!payments) throw new Error('no payments')
    const look = async () => fetchSubscription(app.context, payments, { customerId: await customerOf(payer.user) })
    const earlier = await look()
    await move(payer.user, 'pro')
    const later = await look()
    for (const seen of [later, earlier]) if (seen) await db.transaction((tx) => applyLook(tx, seen, app.clock.now()))
    expect(await standing(payer)).toBe('pro active')
    news()
  })
})

describe('when a subscription ends, the account stands on one that survives', () => {
  const another = async (user: string, price: string, status = 'active') =>
    subscribe(stripe.world, await customerOf(user), price, status)

  test('whichever of two that may be', async () => {
    for (const ends of [0, 1]) {
      const payer = await aPayer('starter')
      await another(payer.user, 'price_pro')
      await deliverNews()
      const held = await heldBy(payer.user)
      const [gone, survivor] = [held[ends], held[1 - ends]]
      if (gone) moves.end(stripe.world, gone)
      expect(await deliverNews()).toEqual([200])
      expect(await standing(payer)).toBe(ends === 0 ? 'pro active' : 'starter active')
      expect(await standsOn(payer.user)).toBe(survivor?.id)
      expect((await payer.key.get('/v1/genres')).headers.get('x-ratelimit-limit')).toBe(ends === 0 ? '10000' : '1000')
      expect((await checkout(payer)).status).toBe(409)
    }
  })
  test('even where nothing was ever told of the survivor', async () => {
    const payer = await aPayer('starter')
    await another(payer.user, 'price_pro')
    await move(payer.user, 'starter')
    const [first] = await heldBy(payer.user)
    if (first) moves.end(stripe.world, first)
    await deliverNews((events) => events.slice(-1))
    expect(await standing(payer)).toBe('starter active')
  })
  test('the best of several: one that is paid for before one that is not', async () => {
    const payer = await aPayer('starter')
    await another(payer.user, 'price_starter', 'past_due')
    const paid = await another(payer.user, 'price_pro')
    await another(payer.user, 'price_starter', 'paused')
    await another(payer.user, 'price_starter', 'incomplete')
    const [first] = await heldBy(payer.user)
    if (first) moves.end(stripe.world, first)
    await deliverNews((events) => events.toReversed())
    expect([await standing(payer), await standsOn(payer.user)]).toEqual(['pro active', paid.id])
  })
  test('as it does when its own is no longer paid for', async () => {
    const payer = await aPayer('starter')
    const newer = await another(payer.user, 'price_pro')
    newer.created += 60
    await deliverNews()
    expect(await standing(payer)).toBe('pro active')
    await move(payer.user, 'decline')
    await deliverNews()
    expect(await standing(payer)).toBe('starter active')
    await move(payer.user, 'settle')
    await deliverNews()
    expect(await standing(payer)).toBe('pro active')
  })
  test('and is canceled where there is none', async () => {
    const payer = await aPayer('starter')
    await another(payer.user, 'price_pro', 'incomplete')
    const [first] = await heldBy(payer.user)
    if (first) moves.end(stripe.world, first)
    await deliverNews()
    expect(await standing(payer)).toBe('starter canceled')
  })
  test('the end of another than the account’s changes nothing', async () => {
    const payer = await aPayer('pro')
    const other = await another(payer.user, 'price_starter', 'past_due')
    moves.end(stripe.world, other)
    await deliverNews()
    expect(await standing(payer)).toBe('pro active')
  })
})

test('a declined card of one account is no other account’s matter', async () => {
  const [one, other] = [await aPayer('pro'), await aPayer('starter')]
  await move(one.user, 'decline')
  await deliverNews()
  expect([await standing(one), await standing(other)]).toEqual(['pro past_due', 'starter active'])
})

test('a key that is made while the first payment is told of has the limit of the plan', async () => {
  const people = await Promise.all(Array.from({ length: 24 }, () => aPerson(app, { status: 'none' })))
  for (const person of people) await payAt((await checkout(person, { plan: 'pro' })).flat.url)
  const events = news().filter(({ type }) => type === 'invoice.paid')
  const work = people.map(async ({ person }, at) => {
    const made = Bun.sleep(at % 8).then(() => person.post('/v1/user/api-key', {}))
    await Promise.all([made, deliver(events[at] as Event)])
    return (await person.get('/v1/user/api-key')).one.attributes.limit
  })
  expect(new Set(await Promise.all(work))).toEqual(new Set([10_000]))
})
