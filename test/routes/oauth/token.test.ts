import { describe, expect, test } from 'bun:test'
import type { Scope } from '../../../src/access/caller.ts'
import { approveInternal, issueCredential, revokeCredential } from '../../../src/access/credentials.ts'
import { testApp } from '../../support/app.ts'
import { aUser, clientWith } from '../../support/callers.ts'
import { later, standing } from '../../support/signing-up.ts'
import { aWorld } from '../../support/worlds.ts'

const app = await testApp()
const { context, db } = app

const aClient = async (scopes: Scope[], internalApproved = false) =>
  issueCredential(db, 'oauth_client', await aUser(context), context.config, new Date(), { scopes, internalApproved })

type Fields = Record<string, unknown>
const asJson = (fields: Fields) => ({
  body: JSON.stringify(fields),
  headers: { 'Content-Type': 'application/json' } as Record<string, string>,
})
const ask = async (sent: { body: string; headers: Record<string, string> }) => {
  const { status, headers, text } = await app.stranger().send('POST', '/oauth/token', sent)
  return { status, headers, flat: JSON.parse(text) as Record<string, string> }
}
const grantOf = ({ id, secret }: { id: string; secret: string }, scope?: string): Fields => ({
  grant_type: 'client_credentials',
  client_id: id,
  client_secret: secret,
  ...(scope === undefined ? {} : { scope }),
})
const bearer = (token: string | undefined) => clientWith(app.fetch, app.baseUrl, { Authorization: `Bearer ${token}` })

describe('POST /oauth/token', () => {
  test('answers a bearer token for a day, in JSON, a form, JSON:API’s media type and by Basic', async () => {
    const client = await aClient(['read:published', 'write'])
    const { id, secret } = client
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const basic = { Authorization: `Basic ${btoa(`${id}:${secret}`)}` }
    for (const sent of [
      asJson(grantOf(client, 'read:published')),
      { ...asJson(grantOf(client, 'read:published')), headers: { 'Content-Type': 'application/vnd.api+json' } },
      {
        body: new URLSearchParams(grantOf(client, 'read:published') as Record<string, string>).toString(),
        headers: form,
      },
      { body: 'grant_type=client_credentials&scope=read%3Apublished', headers: { ...form, ...basic } },
    ]) {
      const { status, flat, headers } = await ask(sent)
      expect(status).toBe(200)
      expect(flat).toMatchObject({ token_type: 'Bearer', expires_in: 86_400, scope: 'read:published' })
      expect(headers.get('content-type')).toBe('application/json')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-oauth-ratelimit-limit')).toBe('10')
      expect(headers.get('x-ratelimit-limit')).toBeNull()
      expect((await bearer(flat.access_token).get('/v1/cards')).status).toBe(200)
      expect((await bearer(flat.access_token).post('/v1/genres', {})).status).toBe(403)
    }
  })
  test('gives all of the client’s scopes where none is asked for', async () => {
    const { flat } = await ask(asJson(grantOf(await aClient(['read:draft', 'delete']))))
    expect(flat.scope).toBe('read:draft delete')
  })
  test('refuses in OAuth’s form', async () => {
    const client = await aClient(['read:published', 'internal'])
    for (const [fields, status, error] of [
      [{}, 400, 'invalid_request'],
      [{ ...grantOf(client), grant_type: 'password' }, 400, 'unsupported_grant_type'],
      [{ ...grantOf(client), client_secret: 'wrong' }, 401, 'invalid_client'],
      [{ ...grantOf(client), client_secret: '' }, 401, 'invalid_client'],
      [{ ...grantOf(client), client_id: 'nobody' }, 401, 'invalid_client'],
      [{ ...grantOf(client), client_id: crypto.randomUUID() }, 401, 'invalid_client'],
      [grantOf(client, 'write'), 400, 'invalid_scope'],
      [grantOf(client, 'everything'), 400, 'invalid_scope'],
      [grantOf(client, 'internal'), 400, 'invalid_scope'],
      [{ ...grantOf(client), scope: 7 }, 400, 'invalid_request'],
    ] as [Fields, number, string][]) {
      const answer = await ask(asJson(fields))
      expect([answer.status, answer.flat.error]).toEqual([status, error])
      expect(Object.keys(answer.flat)).toEqual(['error', 'error_description'])
      expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Basic realm="oauth"' : null)
    }
  })
  test('refuses what is no token request in the same form', async () => {
    for (const [sent, status] of [
      [{ body: '{', headers: { 'Content-Type': 'application/json' } }, 400],
      [{ body: '[]', headers: { 'Content-Type': 'application/json' } }, 400],
      [{ body: '', headers: { 'Content-Type': 'application/json' } }, 400],
      [{ body: 'scope=a&scope=b', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }, 400],
      [{ body: 'a&'.repeat(20_000), headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }, 413],
      [{ body: '['.repeat(20_000), headers: { 'Content-Type': 'application/json' } }, 413],
      [{ body: '<a/>', headers: { 'Content-Type': 'text/xml' } }, 415],
    ] as const) {
      const answer = await ask(sent)
      expect([answer.status, answer.flat.error]).toEqual([status, 'invalid_request'])
    }
  })
  test('ignores fields that it does not know, and takes empty ones for missing', async () => {
    const client = await aClient(['read:published'])
    expect((await ask(asJson({ ...grantOf(client), audience: ['https://cards.example.org'], n: 1 }))).status).toBe(200)
    const basic = Buffer.from(`${client.id}:${client.secret}`).toString('base64')
    const answer = await ask({
      body: 'grant_type=client_credentials&client_id=&client_secret=&scope=&audience=a&audience=b',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Authorization: `Basic ${basic}` },
    })
    expect([answer.status, answer.flat.scope]).toEqual([200, 'read:published'])
  })
  test('gives less than the client has: read:published of one with read:draft or read:all-status', async () => {
    for (const [has, asked] of [
      ['read:draft', 'read:published'],
      ['read:all-status', 'read:published'],
      ['read:all-status', 'read:draft read:published'],
    ] as [Scope, string][]) {
      const { status, flat } = await ask(asJson(grantOf(await aClient([has, 'write']), asked)))
      expect([status, flat.scope]).toEqual([200, asked])
      expect((await bearer(flat.access_token).get('/v1/cards')).status).toBe(200)
      expect((await bearer(flat.access_token).post('/v1/genres', {})).status).toBe(403)
    }
    for (const [has, asked] of [
      ['read:published', 'read:draft'],
      ['read:draft', 'read:all-status'],
      ['write', 'read:published'],
      ['delete', 'write'],
    ] as [Scope, string][])
      expect((await ask(asJson(grantOf(await aClient([has]), asked)))).flat.error).toBe('invalid_scope')
  })
  test('shows less to a token that asked for less: no drafts', async () => {
    const client = await aClient(['read:all-status'])
    const draft = await aWorld(app, 'draft')
    const [all, published] = [
      bearer((await ask(asJson(grantOf(client)))).flat.access_token),
      bearer((await ask(asJson(grantOf(client, 'read:published')))).flat.access_token),
    ]
    expect((await all.get(`/v1/sets/${draft.sets.id}`)).status).toBe(200)
    expect((await published.get(`/v1/sets/${draft.sets.id}`)).status).toBe(404)
  })
  test('counts failed proofs by client and address: a stranger with a client id does not lock its owner out', async () => {
    const [client, other] = [await aClient(['read:published']), await aClient(['read:published'])]
    const from = (address: string, fields: Fields) => {
      const { body, headers } = asJson(fields)
      return ask({ body, headers: { ...headers, 'X-Forwarded-For': address } })
    }
    const wrong = { ...grantOf(client), client_secret: 'a guess' }
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) statuses.push((await from('203.0.113.40', wrong)).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
    expect((await from('203.0.113.41', wrong)).status).toBe(401)
    expect((await from('203.0.113.40', { ...grantOf(other), client_secret: 'a guess' })).status).toBe(401)
    for (const address of ['203.0.113.40', '203.0.113.42']) {
      const { status, headers } = await from(address, grantOf(client))
      expect([status, headers.get('x-oauth-ratelimit-limit')]).toEqual([200, '10'])
    }
  })
  test('counts who names no client that there is by address, and IPv6 by its /64', async () => {
    const from = async (address: string) => {
      const { body, headers } = asJson({ ...grantOf({ id: crypto.randomUUID(), secret: 'x' }) })
      return (await ask({ body, headers: { ...headers, 'X-Forwarded-For': address } })).status
    }
    for (let n = 0; n < 10; n++) expect(await from(`2001:db8:7:7:${n}::1`)).toBe(401)
    expect(await from('2001:db8:7:7:ffff::1')).toBe(429)
    expect(await from('2001:db8:7:8::1')).toBe(401)
  })
  test('is limited to 10 a minute and client, wherever they come from', async () => {
    const client = await aClient(['read:published'])
    const statuses: number[] = []
    for (let n = 0; n < 11; n++) statuses.push((await ask(asJson(grantOf(client)))).status)
    expect(statuses).toEqual([...Array(10).fill(200), 429])
    const refused = await ask(asJson(grantOf(client)))
    expect(refused.flat.error).toBe('too_many_requests')
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61)
    app.clock.offsetSeconds = 61
    expect((await ask(asJson(grantOf(client)))).status).toBe(200)
    app.clock.offsetSeconds = 0
  })
})

describe('an access token', () => {
  const tokenFor = async (client: { id: string; secret: string }, scope?: string) =>
    (await ask(asJson(grantOf(client, scope)))).flat.access_token
  test('ends at once with its client', async () => {
    const client = await aClient(['read:published'])
    const caller = bearer(await tokenFor(client))
    expect((await caller.get('/v1/cards')).status).toBe(200)
    await revokeCredential(db, client.id, new Date())
    expect((await caller.get('/v1/cards')).status).toBe(401)
  })
  test('carries its client’s generation: approval, withdrawal and revocation begin a new one', async () => {
    const client = await aClient(['read:published', 'internal'])
    const generationOf = async () =>
      (await db.sql<{ generation: number }[]>`select generation from credentials where id = ${client.id}`)[0]
        ?.generation
    const carried = async () => {
      const token = await tokenFor(client, 'read:published')
      return (await context.tokens.verify(token ?? '', context.clock.now()))?.generation
    }
    expect([await carried(), await generationOf()]).toEqual([0, 0])
    await approveInternal(db, client.id, true)
    expect([await carried(), await generationOf()]).toEqual([1, 1])
    await approveInternal(db, client.id, false)
    expect([await carried(), await generationOf()]).toEqual([2, 2])
    await revokeCredential(db, client.id, new Date())
    expect(await generationOf()).toBe(3)
  })
  test('of an earlier generation is refused for good, whatever its scopes', async () => {
    const client = await aClient(['read:published', 'internal'])
    const before = bearer(await tokenFor(client, 'read:published'))
    expect((await before.get('/v1/cards')).status).toBe(200)
    await approveInternal(db, client.id, true)
    expect((await before.get('/v1/cards')).status).toBe(401)
    const [operators, readers] = [
      bearer(await tokenFor(client, 'read:published internal')),
      bearer(await tokenFor(client, 'read:published')),
    ]
    for (const caller of [operators, readers]) expect((await caller.get('/v1/cards')).status).toBe(200)
    await approveInternal(db, client.id, false)
    for (const caller of [before, operators, readers]) expect((await caller.get('/v1/cards')).status).toBe(401)
    await approveInternal(db, client.id, true)
    for (const caller of [before, operators, readers]) expect((await caller.get('/v1/cards')).status).toBe(401)
    expect((await bearer(await tokenFor(client, 'internal read:published')).get('/v1/cards')).status).toBe(200)
  })
  test('stays good when its client is renamed, gets another limit, or is told again what it is', async () => {
    const client = await aClient(['read:published', 'internal'], true)
    const caller = bearer(await tokenFor(client))
    const path = `/internal/clients/${client.id}`
    const change = (attributes: object) =>
      app.internalMachine.patch(path, { data: { type: 'oauth_clients', id: client.id, attributes } })
    await db.sql`update credentials set name = 'another name' where id = ${client.id}`
    for (const attributes of [
      { internal_approved: true },
      { rate_limit: { limit: 5000, window_seconds: 3600 } },
      { internal_pool: true },
      { internal_pool: false, rate_limit: null },
    ]) {
      expect((await change(attributes)).status).toBe(200)
      expect((await caller.get('/v1/cards')).status).toBe(200)
    }
    expect((await change({ internal_approved: false })).status).toBe(200)
    expect((await caller.get('/v1/cards')).status).toBe(401)
    expect((await change({ internal_approved: true })).status).toBe(200)
    expect((await caller.get('/v1/cards')).status).toBe(401)
  })
  test('ends after a day', async () => {
    await standing(app, async () => {
      const caller = bearer(await tokenFor(await aClient(['read:published'])))
      await later(app, 86_399, async () => expect((await caller.get('/v1/cards')).status).toBe(200))
      await later(app, 86_400, async () => expect((await caller.get('/v1/cards')).status).toBe(401))
    })
  })
})
