import { describe, expect, test } from 'bun:test'
import { issueCredential, issueKey } from '../../../src/access/credentials.ts'
import { testApp } from '../../support/app.ts'
import { aUser } from '../../support/callers.ts'
import { bearerOf, flat } from '../../support/people.ts'

const app = await testApp()
const { context, db, clock } = app
const { config } = context

const aClient = async (user?: string) => {
  const owner = user ?? (await aUser(context))
  const details = { scopes: ['read:published' as const] }
  const client = await issueCredential(db, 'oauth_client', owner, config, clock.now(), details)
  const proof = { client_id: client.id, client_secret: client.secret }
  return { ...client, owner, proof, basic: { Authorization: `Basic ${btoa(`${client.id}:${client.secret}`)}` } }
}
type AClient = Awaited<ReturnType<typeof aClient>>
const tokenOf = async ({ proof }: AClient): Promise<string> => {
  const asked = { grant_type: 'client_credentials', ...proof }
  return (await flat(app.stranger(), 'POST', '/oauth/token', asked)).flat.access_token
}
const revoke = (body: object) => flat(app.stranger(), 'POST', '/oauth/revoke', body)
const opens = async (secret: string) => (await bearerOf(app, secret).get('/v1/genres')).status

describe('POST /oauth/revoke', () => {
  test('ends an access token of the client with its next request, as a form, JSON or by Basic', async () => {
    const client = await aClient()
    const [first, second, third, kept] = [
      ...[await tokenOf(client), await tokenOf(client)],
      ...[await tokenOf(client), await tokenOf(client)],
    ]
    const json = await revoke({ ...client.proof, token: first, token_type_hint: 'access_token' })
    expect([json.status, json.text, json.headers.get('content-type')]).toEqual([200, '{}', 'application/json'])
    expect(json.headers.get('x-oauth-ratelimit-limit')).toBe('300')
    expect(json.headers.get('x-ratelimit-limit')).toBeNull()
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const fields = new URLSearchParams({ ...client.proof, token: second ?? '' }).toString()
    expect((await app.stranger().send('POST', '/oauth/revoke', { body: fields, headers: form })).status).toBe(200)
    const sent = { body: `token=${third}`, headers: { ...form, ...client.basic } }
    expect((await app.stranger().send('POST', '/oauth/revoke', sent)).status).toBe(200)
    for (const token of [first, second, third]) expect(await opens(token ?? '')).toBe(401)
    expect(await opens(kept ?? '')).toBe(200)
  })
  test('ends a personal token of the client’s owner', async () => {
    const client = await aClient()
    const details = { scopes: ['read:published' as const] }
    const { secret } = await issueCredential(db, 'personal_token', client.owner, config, clock.now(), details)
    expect((await revoke({ ...client.proof, token: secret })).status).toBe(200)
    expect(await opens(secret)).toBe(401)
  })
  test('answers 200 for what is no token, or no more', async () => {
    const client = await aClient()
    const token = await tokenOf(client)
    for (const text of ['nothing', 'a.b.c', `${token}x`, token, token])
      expect((await revoke({ ...client.proof, token: text })).status).toBe(200)
  })
  test('refuses another’s token, and leaves it alive', async () => {
    const [client, other] = [await aClient(), await aClient()]
    const sibling = await aClient(client.owner)
    const details = { scopes: ['read:published' as const] }
    const personal = await issueCredential(db, 'personal_token', other.owner, config, clock.now(), details)
    for (const token of [await tokenOf(other), await tokenOf(sibling), personal.secret]) {
      const answer = await revoke({ ...client.proof, token })
      expect([answer.status, answer.flat.error]).toEqual([400, 'unauthorized_client'])
      expect(await opens(token)).toBe(200)
    }
  })
  test('refuses keys and sessions, and leaves them alive', async () => {
    const client = await aClient()
    const key = await issueKey(db, client.owner, config, clock.now(), 'pro')
    const session = await issueCredential(db, 'session', client.owner, config, clock.now())
    for (const { secret } of [key, session]) {
      const answer = await revoke({ ...client.proof, token: secret })
      expect([answer.status, answer.flat.error]).toEqual([400, 'unsupported_token_type'])
      expect(await opens(secret)).toBe(200)
    }
  })
})

for (const path of ['/oauth/revoke', '/oauth/introspect'])
  describe(`POST ${path}`, () => {
    test('is for clients that prove themselves', async () => {
      const client = await aClient()
      const token = await tokenOf(client)
      for (const proof of [
        ...[{}, { ...client.proof, client_secret: 'wrong' }, { client_id: client.id }, { client_id: 'nobody' }],
        ...[
          { ...client.proof, client_id: crypto.randomUUID() },
          { ...client.proof, client_id: (await aClient()).id },
        ],
      ]) {
        const answer = await flat(app.stranger(), 'POST', path, { ...proof, token })
        expect([answer.status, answer.flat.error]).toEqual([401, 'invalid_client'])
        expect(answer.headers.get('cache-control')).toBe('no-store')
      }
      const sent = { body: 'token=x', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }
      const basic = { ...sent.headers, Authorization: `Basic ${btoa(`${client.id}:wrong`)}` }
      const answer = await app.stranger().send('POST', path, { ...sent, headers: basic })
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="oauth"'])
      expect(await opens(token)).toBe(200)
    })
    test('wants a token, in a body that it can read', async () => {
      const { proof } = await aClient()
      for (const body of [proof, { ...proof, token: '' }, { ...proof, token: 7 }, []]) {
        const answer = await flat(app.stranger(), 'POST', path, body)
        expect([answer.status, answer.flat.error]).toEqual([400, 'invalid_request'])
      }
      const wrong = await app.stranger().send('POST', path, { body: '<a/>', headers: { 'Content-Type': 'text/xml' } })
      expect([wrong.status, JSON.parse(wrong.text).error]).toEqual([415, 'invalid_request'])
    })
    test('lets an address guess ten times a minute, which shuts out no client', async () => {
      const client = await aClient()
      const guesser = app.stranger()
      const guess = { client_id: client.id, client_secret: 'a guess', token: 'x' }
      const statuses: number[] = []
      for (let n = 0; n < 12; n++) statuses.push((await flat(guesser, 'POST', path, guess)).status)
      expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
      const refused = await flat(guesser, 'POST', path, guess)
      expect(refused.flat.error).toBe('too_many_requests')
      expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61)
      expect((await flat(guesser, 'POST', path, { ...client.proof, token: 'x' })).status).toBe(200)
    })
  })
