import { describe, expect, test } from 'bun:test'
import { testBilling } from '../../support/billing.ts'
import { otherSettings } from '../../support/other-settings.ts'
import { aPerson } from '../../support/people.ts'
import { webhookSecret } from '../../support/stripe/double.ts'
import { signatureOf } from '../../support/stripe/sign.ts'
import type { Event } from '../../support/stripe/world.ts'

const { app, stripe, send, deliver, news, checkout, payAt, aPayer, move, standing } = await testBilling()
const seconds = () => Math.floor(Date.now() / 1000)
const an = (type: string, object: object = {}): Event => ({
  ...{ id: `evt_${crypto.randomUUID()}`, object: 'event', type, created: seconds(), data: { object } },
})
const signed = (body: string, signature = signatureOf(body, webhookSecret)) =>
  send(body, { 'Content-Type': 'application/json', 'Stripe-Signature': signature })
const body = JSON.stringify(an('product.created'))

describe('the signature of an event', () => {
  test('opens the receiver to anybody who has the secret', async () => {
    const answer = await signed(body)
    expect([answer.status, await answer.json()]).toEqual([200, { received: true }])
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('x-ratelimit-limit')).toBeNull()
  })
  test('may be one of several, as while a secret is being rolled', async () => {
    const [time, good] = signatureOf(body, webhookSecret).split(',')
    expect((await signed(body, `${time},v1=${'0'.repeat(64)},${good},v0=abc`)).status).toBe(200)
  })
  test('is refused where it is missing, forged, of another body or of another secret', async () => {
    const wrong = [
      ...['', 'nonsense', 't=1', `t=${seconds()},v1=`, `t=${seconds()},v1=${'0'.repeat(64)}`, 't=,v1=,'],
      ...[signatureOf(`${body} `, webhookSecret), signatureOf(body, 'whsec_other'), signatureOf(body, '')],
      signatureOf(body, webhookSecret).replace('v1=', 'v0='),
      signatureOf(body, webhookSecret).replace(/t=\d+/, `t=${seconds() + 1}`),
    ]
    for (const signature of wrong) expect([signature, (await signed(body, signature)).status]).toEqual([signature, 400])
    expect((await send(body, { 'Content-Type': 'application/json' })).status).toBe(400)
    expect((await send(body, { Authorization: app.headers.operator.Authorization ?? '' })).status).toBe(400)
  })
  test('holds for 300 seconds of real time, whatever the clock of the service says', async () => {
    expect((await signed(body, signatureOf(body, webhookSecret, seconds() - 290))).status).toBe(200)
    const old = signatureOf(body, webhookSecret, seconds() - 310)
    expect(await (await signed(body, old)).text()).toContain('300 seconds from this machine’s')
    expect((await signed(body, signatureOf(body, webhookSecret, seconds() + 290))).status).toBe(200)
    for (const ahead of [310, 40 * 86_400])
      expect((await signed(body, signatureOf(body, webhookSecret, seconds() + ahead))).status).toBe(400)
    for (const moved of [-400, 40 * 86_400]) {
      app.clock.offsetSeconds = moved
      expect((await signed(body)).status).toBe(200)
      expect((await signed(body, old)).status).toBe(400)
    }
    app.clock.offsetSeconds = 0
  })
  test('is not in an answer or the log, and neither is the secret', async () => {
    const forged = signatureOf(body, 'whsec_other')
    const text = await (await signed(body, forged)).text()
    for (const secret of [forged.split('v1=')[1] ?? '', 'whsec', 'evt_'])
      expect(`${text} ${JSON.stringify(app.lines)}`).not.toContain(secret)
  })
})

describe('the body of an event', () => {
  test('is refused where it is signed, but no event', async () => {
    for (const bad of [
      '{',
      '[]',
      'null',
      '1',
      '""',
      '{}',
      '{"id":"evt_1"}',
      '{"id":1,"type":"a","data":{"object":{}}}',
      JSON.stringify({ ...an('invoice.paid'), id: 'evt_\0' }),
      JSON.stringify(an('customer.subscription.\0')),
    ])
      expect([bad, (await signed(bad)).status]).toEqual([bad, 400])
    for (const data of [undefined, null, {}, { object: null }, { object: 'sub_1' }]) {
      const bad = JSON.stringify({ id: 'evt_1', type: 'customer.subscription.updated', data })
      expect([bad, (await signed(bad)).status]).toEqual([bad, 400])
    }
    expect((await send('', {})).status).toBe(400)
  })
  test('is read whatever media type it says', async () => {
    for (const type of ['application/json; charset=utf-8', 'text/plain', 'application/vnd.api+json', 'nonsense'])
      expect(
        (await send(body, { 'Content-Type': type, 'Stripe-Signature': signatureOf(body, webhookSecret) })).status,
      ).toBe(200)
  })
  test('is compared as it came, byte by byte', async () => {
    const spaced = JSON.stringify(an('product.created', { name: 'Pelé ⚽' }), null, 2)
    expect((await signed(spaced)).status).toBe(200)
    expect((await signed(JSON.stringify(JSON.parse(spaced)), signatureOf(spaced, webhookSecret))).status).toBe(400)
  })
  test('has 512 KiB at most', async () => {
    const large = JSON.stringify(an('product.created', { text: 'x'.repeat(512 * 1024) }))
    expect((await signed(large)).status).toBe(413)
    expect((await signed(JSON.stringify(an('product.created', { text: 'x'.repeat(500 * 1024) })))).status).toBe(200)
  })
})

test('300 events in a row are taken from one address', async () => {
  const statuses = new Set<number>()
  for (let n = 0; n < 300; n++) statuses.add((await signed(JSON.stringify(an('ping')))).status)
  expect([...statuses]).toEqual([200])
})

test('events of unknown types, and of customers that are none of ours, are taken and change nothing', async () => {
  const before = stripe.asked.length
  for (const event of [
    an('customer.created', { id: 'cus_1' }),
    an('constructor', {}),
    an('customer.subscriptionx', {}),
    an('customer.subscription.updated', { id: 'sub_1', customer: 'cus_of_another_product', status: 'active' }),
    an('invoice.paid', { customer: 'cus_of_another_product' }),
    an('invoice.paid', { customer: null }),
    an('invoice.paid', { customer: 'cus_\0' }),
    an('customer.subscription.updated', { id: 'sub_1', customer: { id: 'cus_\ud800' } }),
    an('checkout.session.completed', { mode: 'payment', customer: null }),
  ])
    expect([event.type, await deliver(event)]).toEqual([event.type, 200])
  expect(stripe.asked.length).toBe(before)
})

describe('an event that comes again', () => {
  test('is taken, and is not handled again', async () => {
    const payer = await aPayer()
    const subscription = await move(payer.user, 'pro')
    const [event] = news()
    if (!event) throw new Error('nothing happened')
    expect(await deliver(event)).toBe(200)
    expect(await standing(payer)).toBe('pro active')
    subscription.status = 'past_due'
    const before = stripe.asked.length
    expect(await deliver(event)).toBe(200)
    expect(stripe.asked.length).toBe(before)
    expect(await standing(payer)).toBe('pro active')
  })
  test('while it is being handled is handled once', async () => {
    const person = await aPerson(app, { status: 'canceled' })
    await payAt((await checkout(person)).flat.url)
    const [event] = news()
    if (!event) throw new Error('nothing happened')
    stripe.slowDown(100)
    const statuses = await Promise.all(Array.from({ length: 6 }, () => deliver(event)))
    stripe.slowDown(0)
    expect(statuses).toEqual(Array(6).fill(200))
    expect(await standing(person)).toBe('starter active')
    const recorded = await app.db.sql`select type from stripe_events where id = ${event.id}`
    expect(recorded.length).toBe(1)
  })
})

describe('an event that cannot be handled', () => {
  test('is answered with 500, is not recorded, and is handled when it comes again', async () => {
    for (const fault of ['down', 'foreign', 'garbled'] as const) {
      const payer = await aPayer()
      await move(payer.user, 'decline')
      const [event] = news()
      if (!event) throw new Error('nothing happened')
      stripe.fail('GET /v1/subscriptions', fault, 100)
      expect([fault, await deliver(event)]).toEqual([fault, 500])
      stripe.fail('GET /v1/subscriptions', fault, 0)
      expect(await standing(payer)).toBe('starter active')
      expect((await app.db.sql`select 1 from stripe_events where id = ${event.id}`).length).toBe(0)
      expect(await deliver(event)).toBe(200)
      expect(await standing(payer)).toBe('starter past_due')
    }
  })
  test('because billing is not configured is a 400', async () => {
    const bare = otherSettings(app, {})
    for (const secret of [webhookSecret, '', 'undefined']) {
      const headers = { 'Stripe-Signature': signatureOf(body, secret) }
      const request = () => new Request(`${bare.baseUrl}/webhooks/stripe`, { method: 'POST', body, headers })
      expect((await bare.fetch(request())).status).toBe(400)
    }
  })
})

test('other methods are refused', async () => {
  const { status, headers } = await app.anonymous.get('/webhooks/stripe')
  expect([status, headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
})
