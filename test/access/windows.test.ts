import { describe, expect, test } from 'bun:test'
import { issueCredential, issueKey } from '../../src/access/credentials.ts'
import { sweepWindows } from '../../src/access/limiter.ts'
import type { Plan } from '../../src/limits.ts'
import { testApp } from '../support/app.ts'
import { agree, aUser, clientWith } from '../support/callers.ts'
import { secondsToNoon } from '../support/noon.ts'
import { day, later } from '../support/signing-up.ts'

const app = await testApp()
const { context, db } = app
const { config } = context
const bearer = (secret: string) => clientWith(app.fetch, app.baseUrl, { Authorization: `Bearer ${secret}` })
const limitOf = async (secret: string) =>
  Number((await bearer(secret).get('/v1/cards')).headers.get('x-ratelimit-limit'))
const aKey = async (plan: Plan) => issueKey(db, await aUser(context), config, new Date(), plan)

describe('the tiers', () => {
  test('are those of the contract', async () => {
    const user = await aUser(context)
    const client = await issueCredential(db, 'oauth_client', user, config, new Date(), { scopes: ['read:published'] })
    const jwt = await context.tokens.issue({ id: 'one', clientId: client.id, scopes: ['read:published'] }, new Date())
    const pat = await issueCredential(db, 'personal_token', user, config, new Date(), { scopes: ['read:published'] })
    const session = await issueCredential(db, 'session', user, config, new Date())
    expect(await limitOf('nobody')).toBe(100)
    expect(await limitOf(jwt)).toBe(2000)
    expect(await limitOf(pat.secret)).toBe(2000)
    expect(await limitOf(session.secret)).toBe(2000)
    expect(await limitOf((await aKey('trial')).secret)).toBe(10_000)
    expect(await limitOf((await aKey('starter')).secret)).toBe(1000)
    expect(await limitOf((await aKey('pro')).secret)).toBe(10_000)
    await db.sql`update credentials set internal_pool = 'yes' where id = ${client.id}`
    expect(await limitOf(jwt)).toBe(60_000)
  })
  test('last an hour for tokens and addresses, a day for keys, from their first request', async () => {
    for (const [caller, seconds] of [
      [bearer((await aKey('starter')).secret), 86_400],
      [app.stranger(), 3600],
    ] as const) {
      const before = Math.floor(Date.now() / 1000)
      const { headers } = await caller.get('/v1/cards')
      expect(headers.get('x-ratelimit-window')).toBe(String(seconds))
      const reset = Number(headers.get('x-ratelimit-reset'))
      expect(reset - seconds).toBeWithin(before, Math.ceil(Date.now() / 1000) + 1)
    }
  })
  test('of two tokens of one client, and of two sessions of one user: each token its own, sessions together', async () => {
    const user = await aUser(context)
    const client = await issueCredential(db, 'oauth_client', user, config, new Date(), { scopes: ['read:published'] })
    const left = async (secret: string) =>
      Number((await bearer(secret).get('/v1/cards')).headers.get('x-ratelimit-remaining'))
    for (const id of ['a', 'b'])
      expect(
        await left(await context.tokens.issue({ id, clientId: client.id, scopes: ['read:published'] }, new Date())),
      ).toBe(1999)
    const [first, second] = [
      await issueCredential(db, 'session', user, config, new Date()),
      await issueCredential(db, 'session', user, config, new Date()),
    ]
    expect([await left(first.secret), await left(second.secret)]).toEqual([1999, 1998])
  })
})

describe('a window', () => {
  test('lets exactly its limit through among many requests at once', async () => {
    const stranger = app.stranger()
    const answers = await Promise.all(Array.from({ length: 300 }, () => stranger.get('/v1/stats/counts')))
    const passed = answers.filter(({ status }) => status === 200)
    expect(passed.length).toBe(100)
    expect(answers.filter(({ status }) => status === 429).length).toBe(200)
    const left = passed.map(({ headers }) => Number(headers.get('x-ratelimit-remaining'))).sort((a, b) => b - a)
    expect(left).toEqual(Array.from({ length: 100 }, (_, n) => 99 - n))
  })
  test('opens again after its length, which refused requests do not stretch', async () => {
    const stranger = app.stranger()
    for (let n = 0; n < 101; n++) await stranger.get('/v1/stats/counts')
    app.clock.offsetSeconds += 3000
    const refused = await stranger.get('/v1/stats/counts')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(500, 601)
    app.clock.offsetSeconds += 700
    const open = await stranger.get('/v1/stats/counts')
    expect([open.status, open.headers.get('x-ratelimit-remaining')]).toEqual([200, '99'])
    app.clock.offsetSeconds = 0
  })
  test('counts each address for itself, and a bad credential on its address', async () => {
    const [one, other] = [app.stranger(), app.stranger()]
    await one.get('/v1/cards', { Authorization: 'Bearer nope' })
    expect((await one.get('/v1/cards')).headers.get('x-ratelimit-remaining')).toBe('98')
    expect((await other.get('/v1/cards')).headers.get('x-ratelimit-remaining')).toBe('99')
  })
  test('counts 404, 405, 402 and 403 once each, and neither preflights nor what is outside of it', async () => {
    const { secret } = await aKey('starter')
    const caller = bearer(secret)
    await caller.get('/v1/nowhere')
    await caller.send('PUT', '/v1/cards')
    await caller.post('/v1/cards', {})
    await caller.send('OPTIONS', '/v1/cards')
    await caller.get('/health')
    const answer = await caller.get('/v1/cards')
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('996')
    expect((await caller.get('/health')).headers.get('x-ratelimit-limit')).toBeNull()
  })
  test('is exposed to browsers', async () => {
    const answer = await app.reader.get('/v1/cards', { Origin: 'https://elsewhere.example' })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-expose-headers')).toContain('X-RateLimit-Remaining')
  })
})

test('usage is counted for each credential and day', async () => {
  const { id, secret } = await aKey('pro')
  const noon = secondsToNoon()
  await later(app, noon, () => Promise.all(Array.from({ length: 7 }, () => bearer(secret).get('/v1/cards'))))
  await later(app, noon + day, () => bearer(secret).get('/v1/cards'))
  const days = await db.sql`select requests::int from usage_days where credential_id = ${id} order by day`
  expect(days.map(({ requests }) => requests)).toEqual([7, 1])
})

describe('an agreement', () => {
  const now = new Date()
  const options = { now, internalPoolLimit: config.internalPoolLimit }
  test('that is higher holds at once', async () => {
    const { id, secret } = await aKey('starter')
    await agree(db, id, { limit: 5000, windowSeconds: 3600 }, options)
    expect(await limitOf(secret)).toBe(5000)
  })
  test('that is higher, with a shorter window, also shortens the window that is open', async () => {
    const user = await aUser(context)
    const { id, secret } = await issueKey(db, user, config, now, 'starter')
    const { secret: token } = await issueCredential(db, 'personal_token', user, config, now, {
      scopes: ['read:published'],
    })
    for (const one of [secret, token]) await bearer(one).get('/v1/cards')
    await db.sql`
      update rate_windows set count = 1000 where key in (${`key ${user}`}, ${`account ${user}`})`
    await agree(db, id, { limit: 1000, windowSeconds: 60 }, options)
    for (const one of [secret, token]) {
      const answer = await bearer(one).get('/v1/cards')
      expect([answer.status, Number(answer.headers.get('retry-after')) <= 60]).toEqual([429, true])
    }
    app.clock.offsetSeconds = 61
    const usage = JSON.parse((await bearer(secret).get('/v1/user/usage')).text)
    expect(usage.windows).toEqual(
      ['api_key', 'billing_account'].map((type) => ({ type, limit: 1000, remaining: 1000, resets_at: null })),
    )
    for (const one of [secret, token]) {
      const answer = await bearer(one).get('/v1/cards')
      expect([answer.status, answer.headers.get('x-ratelimit-remaining')]).toEqual([200, '999'])
    }
    app.clock.offsetSeconds = 0
  })
  test('that allows fewer requests in any span waits 30 days: in a window, or a second', async () => {
    for (const fewer of [
      { limit: 900, windowSeconds: 3600 },
      { limit: 999, windowSeconds: 60 },
      { limit: 1001, windowSeconds: 7 * 86_400 },
      { limit: 1000, windowSeconds: 86_401 },
    ]) {
      const { id } = await aKey('starter')
      const agreed = await agree(db, id, fewer, options)
      expect([fewer, agreed?.from.getTime()]).toEqual([fewer, now.getTime() + 30 * 86_400_000])
    }
    const { id } = await aKey('starter')
    expect((await agree(db, id, { limit: 1000, windowSeconds: 3600 }, options))?.from.getTime()).toBe(now.getTime())
  })
  test('that is lower holds after 30 days', async () => {
    const { id, secret } = await aKey('starter')
    const agreed = await agree(db, id, { limit: 10, windowSeconds: 86_400 }, options)
    expect(agreed?.from.getTime()).toBe(now.getTime() + 30 * 86_400_000)
    expect(await limitOf(secret)).toBe(1000)
    app.clock.offsetSeconds = 30 * 86_400 + 60
    expect(await limitOf(secret)).toBe(10)
    app.clock.offsetSeconds = 0
  })
  test('that is lower is not put off by asking for it again', async () => {
    const { id } = await aKey('starter')
    const [lower, other] = [10, 20].map((limit) => ({ limit, windowSeconds: 86_400 }))
    const noticed = await agree(db, id, lower ?? null, options)
    const later = { ...options, now: new Date(now.getTime() + 86_400_000) }
    expect(await agree(db, id, lower ?? null, later)).toEqual({ ...noticed, isChanged: false } as typeof noticed)
    expect((await agree(db, id, other ?? null, later))?.from.getTime()).toBe(later.now.getTime() + 30 * 86_400_000)
  })
  test('with a client is counted for all of its tokens together', async () => {
    const user = await aUser(context)
    const client = await issueCredential(db, 'oauth_client', user, config, now, { scopes: ['read:published'] })
    const left = async (id: string) => {
      const token = await context.tokens.issue({ id, clientId: client.id, scopes: ['read:published'] }, now)
      return Number((await bearer(token).get('/v1/cards')).headers.get('x-ratelimit-remaining'))
    }
    expect([await left('c'), await left('d')]).toEqual([1999, 1999])
    await agree(db, client.id, { limit: 5000, windowSeconds: 3600 }, options)
    expect([await left('c'), await left('d')]).toEqual([4999, 4998])
  })
  test('begins at its date', async () => {
    const { id, secret } = await aKey('starter')
    await agree(
      db,
      id,
      { limit: 5000, windowSeconds: 3600 },
      { ...options, from: new Date(now.getTime() + 86_400_000) },
    )
    expect(await limitOf(secret)).toBe(1000)
    app.clock.offsetSeconds = 86_460
    expect(await limitOf(secret)).toBe(5000)
    app.clock.offsetSeconds = 0
  })
  test('ends after 30 days where the usual limit is lower, and goes over to the next key', async () => {
    const user = await aUser(context)
    const first = await issueKey(db, user, config, now, 'starter')
    await agree(db, first.id, { limit: 5000, windowSeconds: 3600 }, options)
    const { id, secret } = await issueKey(db, user, config, now, 'starter')
    expect(await limitOf(secret)).toBe(5000)
    await agree(db, id, null, options)
    expect(await limitOf(secret)).toBe(5000)
    app.clock.offsetSeconds = 31 * 86_400
    expect(await limitOf(secret)).toBe(1000)
    app.clock.offsetSeconds = 0
  })
})

test('a sweep removes all windows that have closed, however many there are, and none that is open', async () => {
  await db.sql`
    insert into rate_windows (key, opened_at, closes_at, count)
    select 'address swept ' || n, now() - interval '2 hours', now() + (n % 2 * 2 - 1) * interval '1 hour', 1
    from generate_series(1, 12000) n`
  await sweepWindows(db, context.clock)
  const [left] = await db.sql`
    select count(*)::int as all, count(*) filter (where closes_at < now())::int as closed
    from rate_windows where key like 'address swept %'`
  expect(left).toEqual({ all: 6000, closed: 0 })
})
