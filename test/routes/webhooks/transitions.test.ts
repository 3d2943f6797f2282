import { describe, expect, test } from 'bun:test'
import { findCredential } from '../../../src/access/credentials.ts'
import { testBilling } from '../../support/billing.ts'
import { agree } from '../../support/callers.ts'
import { aPerson, bearerOf } from '../../support/people.ts'
import { type Move, setStatus } from '../../support/stripe/moves.ts'

const { app, stripe, deliverNews, checkout, payAt, aPayer, heldBy, move, standing } = await testBilling()

const limitOf = async (key: { get: (path: string) => Promise<{ headers: Headers; status: number }> }) => {
  const { headers, status } = await key.get('/v1/genres')
  return `${status} ${headers.get('x-ratelimit-limit')}`
}

describe('a payment', () => {
  test('makes every account active, and its key works', async () => {
    for (const status of ['trialing', 'canceled', 'past_due', 'paused', 'active']) {
      const payer = await aPayer('starter', status)
      expect([status, await standing(payer)]).toEqual([status, 'starter active'])
      expect([status, await limitOf(payer.key)]).toEqual([status, '200 1000'])
    }
  })
  test('gives a waiting account its subscription, and the key that it then makes for itself', async () => {
    const person = await aPerson(app, { status: 'none' })
    await payAt((await checkout(person, { plan: 'pro' })).flat.url)
    await deliverNews()
    expect(await standing(person)).toBe('pro active')
    expect((await person.person.get('/v1/user/api-key')).document.data).toBeNull()
    const key = (await person.person.post('/v1/user/api-key', {})).meta.api_key
    expect(await limitOf(bearerOf(app, key))).toBe('200 10000')
  })
  test('shows the end of the period', async () => {
    const payer = await aPayer()
    const [held] = await heldBy(payer.user)
    const end = new Date((held?.items.data[0]?.current_period_end ?? 0) * 1000).toISOString()
    const { attributes } = (await payer.person.get('/v1/user/subscription')).one
    expect(attributes).toMatchObject({ current_period_end: end, cancel_at_period_end: false })
  })
})

/** What happens at Stripe, what the account is then, and what its key gets. */
const transitions: [Move[], string, string][] = [
  [['pro'], 'pro active', '200 10000'],
  [['pro', 'starter'], 'starter active', '200 1000'],
  [['cancel'], 'starter active', '200 1000'],
  [['cancel', 'resume'], 'starter active', '200 1000'],
  [['decline'], 'starter past_due', '402 1000'],
  [['decline', 'settle'], 'starter active', '200 1000'],
  [['decline', 'end'], 'starter canceled', '402 1000'],
  [['pause'], 'starter paused', '402 1000'],
  [['pause', 'resume'], 'starter active', '200 1000'],
  [['cancel', 'end'], 'starter canceled', '402 1000'],
  [['end'], 'starter canceled', '402 1000'],
]

describe.each(transitions)('after %p', (moves, stands, gets) => {
  test(`the account is ${stands}, and the same key gets ${gets}`, async () => {
    const payer = await aPayer()
    for (const name of moves) {
      await move(payer.user, name)
      expect(new Set(await deliverNews())).toEqual(new Set([200]))
    }
    expect(await standing(payer)).toBe(stands)
    expect(await limitOf(payer.key)).toBe(gets)
    const { cancel_at_period_end } = (await payer.person.get('/v1/user/subscription')).one.attributes
    expect(cancel_at_period_end).toBe(moves.at(-1) === 'cancel')
  })
})

/** Every status that Stripe has, and one that it may have some day. */
const statuses = {
  trialing: 'starter trialing',
  active: 'starter active',
  past_due: 'starter past_due',
  unpaid: 'starter past_due',
  paused: 'starter paused',
  canceled: 'starter canceled',
}

test.each(Object.entries(statuses))('Stripe’s %s is %s here', async (status, stands) => {
  const payer = await aPayer()
  const [held] = await heldBy(payer.user)
  if (held) setStatus(stripe.world, held, status)
  await deliverNews()
  expect(await standing(payer)).toBe(stands)
})

test('a first payment that has not come leaves the account as it is', async () => {
  for (const status of ['incomplete', 'incomplete_expired', 'some_day'])
    for (const was of ['trialing', 'canceled', 'none']) {
      const person = await aPerson(app, { status: was })
      await payAt((await checkout(person)).flat.url)
      const [held] = await heldBy(person.user)
      if (held) setStatus(stripe.world, held, status)
      expect(new Set(await deliverNews())).toEqual(new Set([200]))
      expect(await standing(person)).toBe(was === 'none' ? 'null null' : `pro ${was}`)
    }
})

test('a subscription that ended before anything was told of it leaves a trial of ours as it is', async () => {
  const person = await aPerson(app, { status: 'trialing' })
  await payAt((await checkout(person)).flat.url)
  await move(person.user, 'end')
  await deliverNews((events) => events.filter(({ type }) => type.endsWith('deleted')))
  expect(await standing(person)).toBe('pro trialing')
})

test('an account that was canceled may pay again, and the same key works again', async () => {
  const payer = await aPayer('pro')
  await move(payer.user, 'end')
  await deliverNews()
  expect(await limitOf(payer.key)).toStartWith('402')
  await payAt((await checkout(payer, { plan: 'starter' })).flat.url)
  await deliverNews()
  expect(await standing(payer)).toBe('starter active')
  expect(await limitOf(payer.key)).toBe('200 1000')
})

test('an allowance by agreement stays before that of the plan', async () => {
  const payer = await aPayer('starter')
  const id = await findCredential(app.db, 'subscriber_key', { userId: payer.user })
  const terms = { now: app.clock.now(), internalPoolLimit: 60_000 }
  await agree(app.db, id ?? '', { limit: 50_000, windowSeconds: 3600 }, terms)
  for (const plan of ['pro', 'starter'] as const) {
    await move(payer.user, plan)
    await deliverNews()
    expect(await standing(payer)).toBe(`${plan} active`)
    expect(await limitOf(payer.key)).toBe('200 50000')
  }
})
