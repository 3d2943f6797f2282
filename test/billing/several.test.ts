import { describe, expect, test } from 'bun:test'
import { testBilling } from '../support/billing.ts'
import { aPerson, type Person } from '../support/people.ts'
import { moves, setStatus, subscribe } from '../support/stripe/moves.ts'
import { signatureOf } from '../support/stripe/sign.ts'
import { newId, type Subscription } from '../support/stripe/world.ts'

const { app, stripe, send, deliverNews, news, checkout, aPayer, customerOf, heldBy, standing } = await testBilling()
const { world } = stripe

const other = { ...structuredClone(world.prices.get('price_pro')), id: 'price_of_posters' } as const
world.prices.set(other.id, other as NonNullable<ReturnType<typeof world.prices.get>>)

const shown = async ({ person }: Pick<Person, 'person'>) => (await person.get('/v1/user/subscription')).one.attributes

/** Tells of each subscription of an account anew, in an order and in the opposite one, and returns where it stands. */
const standsAfterAll = async (payer: Awaited<ReturnType<typeof aPayer>>) => {
  const held = await heldBy(payer.user)
  const found = new Set<string>()
  for (const list of [held, held.toReversed()]) {
    for (const one of list) setStatus(world, one, one.status)
    await deliverNews()
    found.add(await standing(payer))
  }
  return [...found]
}

const another = async (payer: Awaited<ReturnType<typeof aPayer>>, price: string, status: string) =>
  subscribe(world, await customerOf(payer.user), price, status)

describe('of several subscriptions counts', () => {
  test('the one with the highest plan among those that are active or trialing, whichever is newer', async () => {
    const cases = [
      ['pro', 'active', 'starter', 'active', 'pro active'],
      ['pro', 'trialing', 'starter', 'active', 'pro trialing'],
      ['starter', 'active', 'pro', 'trialing', 'pro trialing'],
      ['pro', 'past_due', 'starter', 'active', 'starter active'],
      ['starter', 'trialing', 'pro', 'paused', 'starter trialing'],
    ] as const
    for (const [plan, status, secondPlan, secondStatus, stands] of cases) {
      const payer = await aPayer(plan)
      const [first] = await heldBy(payer.user)
      setStatus(world, first as Subscription, status)
      await another(payer, `price_${secondPlan}`, secondStatus)
      expect([secondPlan, await standsAfterAll(payer)]).toEqual([secondPlan, [stands]])
    }
  })

  test('the one with the highest plan of the others, if none is, and an ended one last', async () => {
    const cases = [
      ['starter', 'past_due', 'pro', 'paused', 'pro paused'],
      ['pro', 'past_due', 'starter', 'paused', 'pro past_due'],
      ['pro', 'canceled', 'starter', 'past_due', 'starter past_due'],
    ] as const
    for (const [plan, status, secondPlan, secondStatus, stands] of cases) {
      const payer = await aPayer(plan)
      const [first] = await heldBy(payer.user)
      setStatus(world, first as Subscription, status)
      await another(payer, `price_${secondPlan}`, secondStatus)
      expect([secondPlan, await standsAfterAll(payer)]).toEqual([secondPlan, [stands]])
    }
  })
})

describe('of a subscription’s items', () => {
  const addItem = (subscription: Subscription, priceId: string, daysLater: number) => {
    const [item] = subscription.items.data
    const price = world.prices.get(priceId)
    if (!item || !price) throw new Error('nothing to add to')
    const end = item.current_period_end + daysLater * 86_400
    subscription.items.data.push({ ...item, id: newId('si'), price, current_period_end: end })
  }
  const endOf = (subscription: Subscription | undefined, at: number) =>
    new Date((subscription?.items.data[at]?.current_period_end ?? 0) * 1000).toISOString()

  test('only those with a price of this service count, and the period is that one’s', async () => {
    const payer = await aPayer('starter')
    const [held] = await heldBy(payer.user)
    addItem(held as Subscription, other.id, 300)
    moves.resume(world, held as Subscription)
    await deliverNews()
    expect(await shown(payer)).toMatchObject({ plan: 'starter', current_period_end: endOf(held, 0) })
    addItem(held as Subscription, 'price_pro', 7)
    moves.resume(world, held as Subscription)
    await deliverNews()
    expect(await shown(payer)).toMatchObject({ plan: 'pro', current_period_end: endOf(held, 2) })
  })

  test('none with another price entitles: neither alone, nor once the plan has ended', async () => {
    const stranger = await aPerson(app, { status: 'none' })
    await checkout(stranger)
    subscribe(world, await customerOf(stranger.user), other.id)
    expect(await deliverNews()).toEqual([200])
    expect(await standing(stranger)).toBe('null null')
    expect((await checkout(stranger)).status).toBe(200)
    const payer = await aPayer('pro')
    await another(payer, other.id, 'active')
    moves.end(world, (await heldBy(payer.user))[0] as Subscription)
    await deliverNews()
    expect(await standsAfterAll(payer)).toEqual(['pro canceled'])
    const moved = await aPayer('starter')
    const [held] = await heldBy(moved.user)
    for (const item of held?.items.data ?? []) Object.assign(item, { price: other })
    moves.resume(world, held as Subscription)
    await deliverNews()
    expect(await standing(moved)).toBe('starter canceled')
  })
})

test('a date of cancellation is shown, and is the end of the period only at exactly that', async () => {
  const payer = await aPayer('starter')
  const held = (await heldBy(payer.user))[0] as Subscription
  const end = held.items.data[0]?.current_period_end ?? 0
  for (const [cancel_at, cancel_at_period_end, isEnd] of [
    [null, false, false],
    [end, false, true],
    [end + 1, false, false],
    [end - 86_400, false, false],
    [end + 60 * 86_400, false, false],
    [end, true, true],
    [null, true, true],
  ] as const) {
    Object.assign(held, { cancel_at, cancel_at_period_end })
    setStatus(world, held, 'active')
    await deliverNews()
    expect(await shown(payer)).toMatchObject({
      cancel_at: cancel_at && new Date(cancel_at * 1000).toISOString(),
      cancel_at_period_end: isEnd,
    })
  }
  Object.assign(held, { cancel_at: end + 60 })
  moves.end(world, held)
  await deliverNews()
  expect(await shown(payer)).toMatchObject({ status: 'canceled', cancel_at: null, cancel_at_period_end: false })
})

test('a thin event is refused by that name, if Stripe signed it', async () => {
  news()
  const body = JSON.stringify({
    ...{ id: newId('evt'), object: 'v2.core.event', type: 'v1.customer.subscription.updated', livemode: false },
    related_object: { id: 'sub_1', type: 'subscription', url: '/v1/subscriptions/sub_1' },
  })
  const answerTo = async (signature: string) => {
    const answer = await send(body, { 'Content-Type': 'application/json', 'Stripe-Signature': signature })
    const { errors } = (await answer.json()) as { errors: { detail: string }[] }
    return `${answer.status} ${errors[0]?.detail}`
  }
  expect(await answerTo(signatureOf(body, stripe.environment.STRIPE_WEBHOOK_SECRET))).toStartWith(
    '400 This is a thin event',
  )
  expect(await answerTo(`t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`)).toContain('signature is invalid')
})
