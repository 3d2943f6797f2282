import { describe, expect, test } from 'bun:test'
import { confirmEmailChange } from '../../../../src/accounts/email/change.ts'
import { hashSecret } from '../../../../src/lib/secret.ts'
import { testBilling } from '../../../support/billing.ts'
import { runJobs } from '../../../support/jobs.ts'
import { aPerson, flat } from '../../../support/people.ts'
import { setStatus, subscribe } from '../../../support/stripe/moves.ts'

const { app, stripe, checkout, payAt, aPayer, customerOf, heldBy, standing, news, deliverNews } = await testBilling({
  TRUSTED_ORIGINS: 'https://shop.example.org',
})
const path = '/v1/billing/checkout'
const sessionOf = (url: string) => stripe.world.sessions.get(url.split('/').at(-1) ?? '')
const asked = (where: string) => stripe.asked.filter((one) => `${one.method} ${one.path}` === where)

describe('a checkout', () => {
  test('answers the address of a page at Stripe, for the plan that was asked for', async () => {
    const person = await aPerson(app, { status: 'trialing' })
    for (const plan of ['starter', 'pro'] as const) {
      const answer = await checkout(person, { plan })
      expect([answer.status, Object.keys(answer.flat)]).toEqual([200, ['url']])
      expect(answer.headers.get('content-type')).toBe('application/json')
      expect(answer.headers.get('cache-control')).toBe('no-store')
      const session = sessionOf(answer.flat.url)
      expect(session?.price).toBe(`price_${plan}`)
      expect(session?.client_reference_id).toBe(person.user)
      expect(session?.customer).toBe(await customerOf(person.user))
    }
  })
  test('hands on the addresses as they came, and has its own where they are left out', async () => {
    const person = await aPerson(app, { status: 'none' })
    const success_url = 'https://shop.example.org/thanks?session={CHECKOUT_SESSION_ID}#top'
    const given = await checkout(person, { plan: 'pro', success_url, cancel_url: `${app.baseUrl}/plans` })
    expect(sessionOf(given.flat.url)).toMatchObject({ success_url, cancel_url: `${app.baseUrl}/plans` })
    const { success_url: success, cancel_url: cancel } = sessionOf((await checkout(person)).flat.url) ?? {}
    expect([success, cancel].map((address) => new URL(address ?? '').origin)).toEqual([app.baseUrl, app.baseUrl])
    expect(success).not.toBe(cancel)
  })
  test('is open to whoever has no subscription at Stripe that lives', async () => {
    for (const status of ['none', 'trialing', 'active', 'past_due', 'canceled', 'paused'])
      expect([status, (await checkout(await aPerson(app, { status }))).status]).toEqual([status, 200])
  })
  test('takes its body as JSON:API media type too, and a charset', async () => {
    const { person } = await aPerson(app)
    for (const type of ['application/json', 'application/vnd.api+json', 'application/json; charset=utf-8']) {
      const sent = { body: '{"plan":"pro"}', headers: { 'Content-Type': type, Accept: 'text/html' } }
      expect([type, (await person.send('POST', path, sent)).status]).toEqual([type, 200])
    }
    const strange = { body: 'plan=pro', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }
    expect((await person.send('POST', path, strange)).status).toBe(415)
  })
  test('refuses what is wrong with each member, at its pointer', async () => {
    const person = await aPerson(app)
    const faults = async (body: object) => {
      const answer = await checkout(person, body)
      expect(answer.status).toBe(422)
      return answer.faults.sort()
    }
    expect(await faults({})).toEqual(['VALIDATION-FAILED /plan'])
    for (const plan of ['trial', '', null, 1, ['pro'], 'PRO', 'toString'])
      expect(await faults({ plan })).toEqual(['VALIDATION-FAILED /plan'])
    expect(await faults({ plan: 'gold', success_url: 'nowhere', cancel_url: 7, price: 'price_1' })).toEqual(
      ['/cancel_url', '/plan', '/price', '/success_url'].map((pointer) => `VALIDATION-FAILED ${pointer}`),
    )
    for (const body of [[], null, 'pro', 1]) expect((await checkout(person, body as object)).status).toBe(400)
  })
  test('is for a person who signed in', async () => {
    const open = (client: Parameters<typeof flat>[0]) => flat(client, 'POST', path, { plan: 'pro' })
    for (const who of ['anonymous', 'revoked', 'reader'] as const) expect((await open(app[who])).status).toBe(401)
    for (const who of ['subscriber', 'machine'] as const) {
      const { status, faults } = await open(app[who])
      expect([status, faults]).toEqual([403, ['FORBIDDEN_NOT_INTERACTIVE_SESSION']])
    }
  })
})

describe('a second checkout', () => {
  test('is refused while the subscription at Stripe is active, trialing or past due', async () => {
    for (const status of ['active', 'trialing', 'past_due']) {
      const payer = await aPayer()
      const [subscription] = await heldBy(payer.user)
      if (subscription) setStatus(stripe.world, subscription, status)
      expect([status, (await checkout(payer)).status]).toEqual([status, 409])
      expect((await checkout(payer, { plan: 'gold' })).faults).toEqual(['CONFLICT'])
    }
  })
  test('is refused before any event has told of the first, and the account is active at once', async () => {
    const person = await aPerson(app, { status: 'canceled' })
    await payAt((await checkout(person, { plan: 'pro' })).flat.url)
    expect(await standing(person)).toBe('pro canceled')
    expect((await checkout(person)).status).toBe(409)
    expect(await standing(person)).toBe('pro active')
    news()
  })
  test('is open again when the first has ended, or was never paid for', async () => {
    for (const status of ['canceled', 'incomplete', 'incomplete_expired', 'paused']) {
      const person = await aPerson(app, { status: 'trialing' })
      await checkout(person)
      subscribe(stripe.world, await customerOf(person.user), 'price_pro', status)
      expect([status, (await checkout(person)).status]).toEqual([status, 200])
    }
  })
})

describe('a page that was opened before', () => {
  const openPages = async (user: string) => {
    const customer = await customerOf(user)
    return [...stripe.world.sessions.values()].filter((one) => one.customer === customer && one.status === 'open')
  }
  test('is closed by the next, so that nobody pays twice', async () => {
    const person = await aPerson(app, { status: 'none' })
    const [first, second] = [(await checkout(person)).flat.url, (await checkout(person, { plan: 'pro' })).flat.url]
    expect((await payAt(first)).status).toBe(404)
    expect((await payAt(second)).status).toBe(303)
    await deliverNews()
    expect((await heldBy(person.user)).map(({ items }) => items.data[0]?.price.id)).toEqual(['price_pro'])
  })
  test('stays alone open where many are asked for at once', async () => {
    const person = await aPerson(app, { status: 'none' })
    const answers = await Promise.all(Array.from({ length: 5 }, () => checkout(person)))
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200))
    expect(await openPages(person.user)).toHaveLength(1)
  })
  test('stays open where Stripe does not close it; the next page is answered all the same', async () => {
    const person = await aPerson(app, { status: 'none' })
    const { url } = (await checkout(person)).flat
    stripe.fail('GET /v1/checkout/sessions', 'declined', 1)
    expect((await checkout(person)).status).toBe(200)
    expect(sessionOf(url)?.status).toBe('open')
  })
})

describe('the customer of an account', () => {
  test('is one, made with the address of the account, however many checkouts there are at once', async () => {
    const person = await aPerson(app, { status: 'none' })
    const before = stripe.world.customers.size
    stripe.slowDown(700)
    const answers = await Promise.all(Array.from({ length: 8 }, () => checkout(person)))
    stripe.slowDown(0)
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(stripe.world.customers.size).toBe(before + 1)
    const customer = stripe.world.customers.get(await customerOf(person.user))
    expect(customer).toMatchObject({ email: `${person.user}@example.org`, metadata: { user_id: person.user } })
    expect(new Set(answers.map(({ flat: { url } }) => sessionOf(url)?.customer)).size).toBe(1)
  })
  test('has the address of the account, as its key, when that has changed', async () => {
    const payer = await aPayer()
    const name = crypto.randomUUID()
    const [email, token] = [`${name.toUpperCase()}@münchen.example`, 'a token of the test']
    await app.db.sql`
      insert into email_changes (user_id, email, token_hash, expires_at)
      values (${payer.user}, ${email}, ${hashSecret(token)}, now() + interval '1 hour')`
    await confirmEmailChange(app.context, token, app.clock.now())
    await runJobs(app.context)
    expect(stripe.world.customers.get(await customerOf(payer.user))?.email).toBe(`${name}@xn--mnchen-3ya.example`)
  })
  test('is made anew where somebody removed it at Stripe', async () => {
    const person = await aPerson(app, { status: 'none' })
    await checkout(person)
    const first = await customerOf(person.user)
    const removed = stripe.world.customers.get(first)
    if (removed) removed.deleted = true
    expect((await checkout(person)).status).toBe(200)
    expect(await customerOf(person.user)).not.toBe(first)
  })
  test('is made by a new call after one that failed, which Stripe would repeat', async () => {
    const person = await aPerson(app, { status: 'none' })
    stripe.fail('POST /v1/customers', 'declined')
    expect((await checkout(person)).status).toBe(502)
    expect((await checkout(person)).status).toBe(200)
    const [failed, made] = asked('POST /v1/customers').slice(-2)
    expect(failed?.key).not.toBe(made?.key ?? '')
  })
})

test('every call that makes something brings a key of its own', async () => {
  await flat((await aPerson(app)).person, 'POST', '/v1/billing/portal', {})
  const isChange = /\/(expire|cus_\w+)$/
  const creating = stripe.asked.filter(({ method, path }) => method === 'POST' && !isChange.test(path))
  expect(creating.map(({ path }) => path)).toContain('/v1/billing_portal/sessions')
  expect(creating.filter(({ key }) => !/^(customer|checkout|portal)-[\w-]{36,}$/.test(key ?? ''))).toEqual([])
  const sessions = creating.filter(({ path }) => path.endsWith('/sessions'))
  expect(new Set(sessions.map(({ key }) => key)).size).toBe(sessions.length)
})
