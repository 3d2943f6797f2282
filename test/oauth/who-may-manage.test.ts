import { describe, expect, test } from 'bun:test'
import { issueCredential } from '../../src/access/credentials.ts'
import { testApp } from '../support/app.ts'
import type { CallerName } from '../support/callers.ts'
import { aPerson, bearerOf, flat } from '../support/people.ts'

const app = await testApp()

type Claim = [method: string, path: string, body?: object]

const id = crypto.randomUUID()
const reading = { name: 'x', scope: 'read:published' }
const sessionOnly: Claim[] = [
  ['GET', '/v1/user/api-key'],
  ['POST', '/v1/user/api-key'],
  ['DELETE', '/v1/user/api-key'],
  ['GET', '/v1/user/subscription'],
  ['GET', '/oauth/clients'],
  ['POST', '/oauth/clients', reading],
  ['DELETE', `/oauth/clients/${id}`],
  ['GET', '/oauth/tokens'],
  ['POST', '/oauth/tokens', reading],
  ['DELETE', `/oauth/tokens/${id}`],
]

const closed: Partial<Record<CallerName, [number, string]>> = {
  anonymous: [401, 'UNAUTHENTICATED'],
  revoked: [401, 'UNAUTHENTICATED'],
  reader: [401, 'UNAUTHENTICATED'],
  writer: [401, 'UNAUTHENTICATED'],
  unpaidWriter: [401, 'UNAUTHENTICATED'],
  subscriber: [403, 'FORBIDDEN_NOT_INTERACTIVE_SESSION'],
  unpaid: [403, 'FORBIDDEN_NOT_INTERACTIVE_SESSION'],
  machine: [403, 'FORBIDDEN_NOT_INTERACTIVE_SESSION'],
  internalMachine: [403, 'FORBIDDEN_NOT_INTERACTIVE_SESSION'],
}

describe('a route of a person who signed in', () => {
  for (const [method, path, body] of sessionOnly)
    test(`is closed to every other credential: ${method} ${path.replace(id, '{id}')}`, async () => {
      for (const [name, [status, code]] of Object.entries(closed)) {
        const answer = await flat(app[name as CallerName], method, path, body)
        const said = path.startsWith('/oauth/') ? [answer.flat.error] : answer.faults
        const wanted = path.startsWith('/oauth/') && status === 401 ? 'invalid_token' : code
        expect([name, answer.status, ...said]).toEqual([name, status, wanted])
      }
    })
  test('is closed to a session that has expired', async () => {
    const { user } = await aPerson(app)
    const { db, config, clock } = app.context
    const details = { expiresAt: new Date(clock.now().getTime() - 1000) }
    const { secret } = await issueCredential(db, 'session', user, config, clock.now(), details)
    for (const [method, path, body] of sessionOnly)
      expect((await flat(bearerOf(app, secret), method, path, body)).status).toBe(401)
  })
})

describe('a subscription that is not active', () => {
  for (const status of ['none', 'canceled', 'past_due', 'paused'])
    test(`(${status}) closes the catalog and none of these`, async () => {
      const { user, person } = await aPerson(app, { status })
      for (const [method, path, body] of sessionOnly)
        expect((await flat(person, method, path, body)).status).toBeOneOf([200, 201, 204, 404])
      for (const path of ['/v1/user/usage', '/v1/user/usage/daily']) expect((await person.get(path)).status).toBe(200)
      const key = bearerOf(app, (await person.send('POST', '/v1/user/api-key')).meta.api_key)
      expect((await key.get('/v1/user/usage')).status).toBe(200)
      for (const caller of [key, person]) expect((await caller.get('/v1/cards')).status).toBe(402)
      const { flat: token } = await flat(person, 'POST', '/oauth/tokens', reading)
      expect((await bearerOf(app, token.token).get('/v1/cards')).status).toBe(402)
      await app.db.sql`
        insert into subscriptions (user_id, plan, status, created_at, updated_at)
        values (${user}, 'pro', 'active', now(), now()) on conflict (user_id) do update set status = 'active'`
      for (const caller of [key, person, bearerOf(app, token.token)])
        expect((await caller.get('/v1/cards')).status).toBe(200)
    })
})
