import { describe, expect, test } from 'bun:test'
import { revokeCredential } from '../../src/access/credentials.ts'
import { testApp } from '../support/app.ts'
import { aToken, aUser, clientWith } from '../support/callers.ts'

const app = await testApp()
const bearer = (secret: string) => clientWith(app.fetch, app.baseUrl, { Authorization: `Bearer ${secret}` })
const limits = (headers: Headers) => ['limit', 'remaining', 'reset'].map((one) => headers.get(`x-ratelimit-${one}`))

describe('a credential', () => {
  test('that is missing, unknown, revoked or malformed answers 401 with WWW-Authenticate', async () => {
    for (const headers of [
      {},
      { Authorization: 'Bearer cardstock_test_nope' },
      { Authorization: 'Bearer' },
      { Authorization: 'Bearer a b' },
      { Authorization: 'Basic YTpi' },
      { Authorization: `Bearer ${'x'.repeat(5000)}` },
      { Authorization: 'Bearer é' },
      { Cookie: 'cardstock_session=nope' },
    ]) {
      const answer = await app.stranger().get('/v1/cards', headers as Record<string, string>)
      expect(answer.status).toBe(401)
      expect(answer.faults).toEqual(['UNAUTHENTICATED'])
      expect(answer.headers.get('www-authenticate')).toStartWith('Bearer')
      expect(limits(answer.headers)).not.toContain(null)
    }
  })
  test('ends with the next request after it is revoked', async () => {
    const { id, secret } = await aToken(app.context, await aUser(app.context), ['read:published'])
    expect((await bearer(secret).get('/v1/cards')).status).toBe(200)
    await revokeCredential(app.db, id, new Date())
    expect((await bearer(secret).get('/v1/cards')).status).toBe(401)
  })
  test('ends when it expires', async () => {
    const { id, secret } = await aToken(app.context, await aUser(app.context), ['read:published'])
    await app.db.sql`update credentials set expires_at = now() + interval '1 hour' where id = ${id}`
    expect((await bearer(secret).get('/v1/cards')).status).toBe(200)
    app.clock.offsetSeconds += 3700
    expect((await bearer(secret).get('/v1/cards')).status).toBe(401)
    app.clock.offsetSeconds = 0
  })
  test('of a client that is not a token does not open anything', async () => {
    const { id } = await aToken(app.context, await aUser(app.context), ['read:published'])
    const secret = 'cardstock_secret_of_a_client'
    await app.db.sql`
      update credentials set kind = 'oauth_client', secret_hash = ${new Bun.CryptoHasher('sha256').update(secret).digest()}
      where id = ${id}`
    expect((await bearer(secret).get('/v1/cards')).status).toBe(401)
  })
})

describe('a subscription', () => {
  test('answers 402 for every status but active and trialing, and for none', async () => {
    for (const [status, expected] of Object.entries({
      active: 200,
      trialing: 200,
      past_due: 402,
      canceled: 402,
      paused: 402,
      none: 402,
    })) {
      const { secret } = await aToken(app.context, await aUser(app.context, { status }), ['read:published'])
      const answer = await bearer(secret).get('/v1/cards')
      expect([status, answer.status]).toEqual([status, expected])
      if (expected === 402) expect(answer.faults).toEqual(['SUBSCRIPTION_REQUIRED'])
      expect(limits(answer.headers)).not.toContain(null)
    }
  })
  test('is not asked of an operator', async () => {
    const { secret } = await aToken(app.context, await aUser(app.context, { operator: true, status: 'none' }), [
      'read:published',
    ])
    expect((await bearer(secret).get('/v1/cards')).status).toBe(200)
  })
  test('is not asked on public routes, and a bad credential is no hindrance there', async () => {
    expect((await app.unpaid.get('/v1/stats/counts')).status).toBe(200)
    expect((await app.revoked.get('/v1/stats/counts')).status).toBe(200)
  })
})

describe('a scope', () => {
  test('that is missing answers 403 INSUFFICIENT_SCOPE', async () => {
    for (const answer of [
      await app.subscriber.post('/v1/genres', {}),
      await app.reader.post('/v1/genres', {}),
      await app.visitor.post('/v1/genres', {}),
      await app.writer.delete(`/v1/genres/${crypto.randomUUID()}`),
      await app.blindWriter.get('/v1/genres'),
    ]) {
      expect(answer.status).toBe(403)
      expect(answer.faults).toEqual(['INSUFFICIENT_SCOPE'])
    }
  })
})

describe('a cookie', () => {
  const withCookie = (headers: Record<string, string> = {}) =>
    clientWith(app.fetch, app.baseUrl, {
      Cookie: `a=b; cardstock_session=${app.headers.operator.Authorization?.slice(7)}`,
      ...headers,
    })
  test('opens a session', async () => {
    expect((await withCookie().get('/v1/genres')).status).toBe(200)
  })
  test('vouches for a write only from the service’s own origin', async () => {
    for (const origin of [undefined, 'https://evil.example', 'null', `${app.baseUrl}.evil`])
      expect((await withCookie(origin === undefined ? {} : { Origin: origin }).post('/v1/genres', {})).status).toBe(403)
    expect((await withCookie({ Origin: app.baseUrl }).post('/v1/genres', {})).status).toBe(400)
  })
  test('does not matter where nobody has to sign in', async () => {
    for (const caller of [withCookie(), withCookie({ Origin: 'https://evil.example' })])
      for (const path of ['/v1/session', '/v1/signup', '/v1/signup/verify', '/v1/user/password/forgot'])
        expect((await caller.post(path, {})).status).toBe(400)
  })
})
