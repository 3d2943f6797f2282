import { describe, expect, test } from 'bun:test'
import { issueCredential, issueKey } from '../../../../../src/access/credentials.ts'
import type { Plan } from '../../../../../src/limits.ts'
import { testApp } from '../../../../support/app.ts'
import { agree, aUser, type Client, clientWith } from '../../../../support/callers.ts'
import { secondsToNoon } from '../../../../support/noon.ts'

const app = await testApp()
const { context, db, clock } = app
const { config } = context
const bearer = (secret: string) => clientWith(app.fetch, app.baseUrl, { Authorization: `Bearer ${secret}` })

const aSubscriber = async ({ plan = 'starter' as Plan, status = 'active' } = {}) => {
  const user = await aUser(context, { status })
  const key = await issueKey(db, user, config, clock.now(), plan)
  const session = await issueCredential(db, 'session', user, config, clock.now())
  return { user, keyId: key.id, key: bearer(key.secret), session: bearer(session.secret) }
}
const usageOf = async (client: Client) => JSON.parse((await client.get('/v1/user/usage')).text)
const daysOf = async (client: Client): Promise<{ date: string; count: number }[]> =>
  JSON.parse((await client.get('/v1/user/usage/daily')).text).days

describe('GET /v1/user/usage', () => {
  test('tells the key and its owner the same window, flat, and does not count on it', async () => {
    const { key, session } = await aSubscriber()
    expect(await usageOf(key)).toMatchObject({ limit: 1000, remaining: 1000, resets_at: null })
    const counted = await key.get('/v1/genres')
    for (const client of [key, session, key]) {
      const usage = await usageOf(client)
      expect(usage).toMatchObject({ limit: 1000, remaining: 999 })
      expect(Math.ceil(Date.parse(usage.resets_at) / 1000)).toBe(Number(counted.headers.get('x-ratelimit-reset')))
      const { data, ...members } = usage
      expect(data).toEqual({ type: 'usage', id: 'usage', attributes: members })
      const { limit, remaining, resets_at } = usage
      expect(usage.windows).toEqual([
        { type: 'api_key', limit, remaining, resets_at },
        { type: 'billing_account', limit: 10_000, remaining: 10_000, resets_at: null },
      ])
    }
    expect((await key.get('/v1/genres')).headers.get('x-ratelimit-remaining')).toBe('998')
  })
  test('is application/json for whoever accepts anything', async () => {
    const { key } = await aSubscriber()
    const answer = await key.get('/v1/user/usage', { Accept: 'text/html' })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
  })
  test('tells an allowance by agreement, and a window that is used up or over', async () => {
    const { user, keyId, key } = await aSubscriber()
    const wanted = { limit: 3000, windowSeconds: 3600 }
    await agree(db, keyId, wanted, { now: clock.now(), internalPoolLimit: 1 })
    await key.get('/v1/genres')
    expect(await usageOf(key)).toMatchObject({ limit: 3000, remaining: 2999 })
    await db.sql`update rate_windows set count = 5000 where key = ${`key ${user}`}`
    expect((await key.get('/v1/genres')).status).toBe(429)
    expect(await usageOf(key)).toMatchObject({ limit: 3000, remaining: 0 })
    clock.offsetSeconds = 3601
    expect(await usageOf(key)).toMatchObject({ limit: 3000, remaining: 3000, resets_at: null })
    clock.offsetSeconds = 0
  })
  test('has nulls for a person without a key', async () => {
    const usage = await usageOf(app.operator)
    expect(usage).toMatchObject({ limit: null, remaining: null, resets_at: null })
    expect(usage.windows).toEqual([
      { type: 'api_key', limit: null, remaining: null, resets_at: null },
      { type: 'per_token', limit: 2000, remaining: null, resets_at: null },
    ])
  })
  test('is open to who does not pay', async () => {
    const { key, session } = await aSubscriber({ plan: 'trial', status: 'canceled' })
    expect((await key.get('/v1/user/usage')).status).toBe(200)
    expect((await session.get('/v1/user/usage')).status).toBe(200)
    expect((await session.get('/v1/user/usage/daily')).status).toBe(200)
  })
  test('is closed to personal tokens (401) and tokens of clients (403), which count where they always do', async () => {
    for (const path of ['/v1/user/usage', '/v1/user/usage/daily']) {
      const personal = await app.reader.get(path)
      expect([personal.status, ...personal.faults]).toEqual([401, 'UNAUTHENTICATED'])
      expect(personal.headers.get('x-ratelimit-limit')).toBe('1000000')
      const machine = await app.machine.get(path)
      expect([machine.status, ...machine.faults]).toEqual([403, 'FORBIDDEN'])
      const stranger = await app.stranger().get(path)
      expect([stranger.status, stranger.headers.get('x-ratelimit-remaining')]).toEqual([401, '99'])
    }
  })
  test('has a limiter of its own: 60 a minute and user, whichever of the two asks', async () => {
    const { key, session } = await aSubscriber()
    const statuses: number[] = []
    for (let n = 0; n < 30; n++) {
      statuses.push((await key.get('/v1/user/usage')).status)
      statuses.push((await session.get('/v1/user/usage')).status)
    }
    expect(statuses).toEqual(Array(60).fill(200))
    const refused = await key.get('/v1/user/usage')
    expect([refused.status, ...refused.faults]).toEqual([429, 'TOO-MANY-REQUESTS'])
    expect(refused.headers.get('x-ratelimit-limit')).toBe('60')
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61)
    expect((await key.get('/v1/genres')).headers.get('x-ratelimit-remaining')).toBe('999')
    clock.offsetSeconds = 61
    expect((await key.get('/v1/user/usage')).status).toBe(200)
    clock.offsetSeconds = 0
  })
  test('refuses parameters that it does not know', async () => {
    const { session } = await aSubscriber()
    expect((await session.get('/v1/user/usage?days=3')).faults).toEqual(['INVALID_PARAMETER days'])
    expect((await session.get('/v1/user/usage/daily?include=x')).faults).toEqual(['INVALID_PARAMETER include'])
  })
})

describe('GET /v1/user/usage/daily', () => {
  test('counts the requests of key, tokens and clients by day, of this account alone', async () => {
    clock.offsetSeconds = secondsToNoon()
    const { user, key, session } = await aSubscriber()
    const token = await issueCredential(db, 'personal_token', user, config, clock.now(), { scopes: ['read:published'] })
    const [start] = await daysOf(session)
    await key.get('/v1/genres')
    await key.get('/v1/nowhere')
    await bearer(token.secret).get('/v1/genres')
    await session.get('/v1/genres')
    const days = await daysOf(session)
    const today = clock.now().toISOString().slice(0, 10)
    expect(days).toHaveLength(30)
    expect(days.at(-1)).toEqual({ date: today, count: 3 })
    expect(days[0]).toEqual({
      date: new Date(Date.parse(today) - 29 * 86_400_000).toISOString().slice(0, 10),
      count: 0,
    })
    expect(start).toEqual(days[0])
    clock.offsetSeconds += 86_400
    await key.get('/v1/genres')
    expect((await daysOf(key)).slice(-2).map(({ count }) => count)).toEqual([3, 1])
    clock.offsetSeconds = 0
  })
})
