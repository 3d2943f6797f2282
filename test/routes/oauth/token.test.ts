import { describe, expect, test } from 'bun:test'
import type { Scope } from '../../../src/access/caller.ts'
import { approveInternal, issueCredential, revokeCredential } from '../../../src/access/credentials.ts'
import { testApp } from '../../support/app.ts'
import { aUser, clientWith } from '../../support/callers.ts'
import { later, standing } from '../../support/signing-up.ts'

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
  test('with the scope internal ends when its approval is withdrawn, and others of the client stay', async () => {
    const client = await aClient(['read:published', 'internal'], true)
    const [operators, readers] = [
      bearer(await tokenFor(client, 'read:published internal')),
      bearer(await tokenFor(client, 'read:published')),
    ]
    expect((await operators.get('/v1/cards')).status).toBe(200)
    await approveInternal(db, client.id, false)
    expect((await operators.get('/v1/cards')).status).toBe(401)
    expect((await readers.get('/v1/cards')).status).toBe(200)
  })
  test('ends after a day', async () => {
    await standing(app, async () => {
      const caller = bearer(await tokenFor(await aClient(['read:published'])))
      await later(app, 86_399, async () => expect((await caller.get('/v1/cards')).status).toBe(200))
      await later(app, 86_400, async () => expect((await caller.get('/v1/cards')).status).toBe(401))
    })
  })
})
