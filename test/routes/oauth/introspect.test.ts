import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import type { Scope } from '../../../src/access/caller.ts'
import { approveInternal, issueCredential, issueKey, revokeCredential } from '../../../src/access/credentials.ts'
import { sign } from '../../../src/lib/secret.ts'
import { testApp } from '../../support/app.ts'
import { aUser } from '../../support/callers.ts'
import { bearerOf, flat } from '../../support/people.ts'

const app = await testApp()
const { context, db, clock } = app
const { config } = context

const aClient = async (scopes: Scope[] = ['read:published'], { user = '', internalApproved = false } = {}) => {
  const owner = user || (await aUser(context))
  const details = { scopes, internalApproved }
  const client = await issueCredential(db, 'oauth_client', owner, config, clock.now(), details)
  return { ...client, owner, proof: { client_id: client.id, client_secret: client.secret } }
}
type AClient = Awaited<ReturnType<typeof aClient>>
const tokenOf = async ({ proof }: AClient, scope?: string): Promise<string> => {
  const asked = { grant_type: 'client_credentials', ...proof, ...(scope ? { scope } : {}) }
  return (await flat(app.stranger(), 'POST', '/oauth/token', asked)).flat.access_token
}
const ask = async ({ proof }: AClient, token: string) =>
  (await flat(app.stranger(), 'POST', '/oauth/introspect', { ...proof, token })).flat
const inactive = { active: false }

describe('POST /oauth/introspect', () => {
  test('tells what an access token is good for', async () => {
    const client = await aClient(['read:published', 'read:draft'])
    const began = Math.floor(clock.now().getTime() / 1000)
    const told = await ask(client, await tokenOf(client, 'read:draft'))
    expect(told).toEqual({
      ...{ active: true, scope: 'read:draft', token_type: 'Bearer', client_id: client.id, sub: client.id },
      ...{ iss: app.baseUrl, jti: expect.any(String), exp: expect.any(Number), iat: expect.any(Number) },
    })
    expect(told.exp - told.iat).toBe(86_400)
    expect(told.iat).toBeWithin(began, clock.now().getTime() / 1000 + 1)
  })
  test('tells what a personal token and a key of the same owner are good for', async () => {
    const client = await aClient()
    const { owner } = client
    const details = { scopes: ['read:draft', 'write'] as Scope[] }
    const personal = await issueCredential(db, 'personal_token', owner, config, clock.now(), details)
    const key = await issueKey(db, owner, config, clock.now(), 'pro')
    const common = { active: true, token_type: 'Bearer', sub: owner, iss: app.baseUrl }
    expect(await ask(client, personal.secret)).toEqual({ ...common, scope: 'read:draft write' })
    expect(await ask(client, key.secret)).toEqual({ ...common, scope: 'read:published' })
  })
  test('says that all else is not active, and nothing more', async () => {
    const [client, other] = [await aClient(), await aClient()]
    const session = await issueCredential(db, 'session', client.owner, config, clock.now())
    const details = { scopes: ['read:published'] as Scope[] }
    const foreign = await issueCredential(db, 'personal_token', other.owner, config, clock.now(), details)
    for (const token of ['nothing', 'a.b.c', session.secret, client.secret, foreign.secret, await tokenOf(other)])
      expect(await ask(client, token)).toEqual(inactive)
  })
  test('follows what ends a token: its time, its revocation, its client, its approval', async () => {
    const [watching, client] = [await aClient(), await aClient()]
    const watched = await aClient(['read:published', 'internal'], { user: watching.owner, internalApproved: true })
    const [reading, internal] = [await tokenOf(watched, 'read:published'), await tokenOf(watched, 'internal')]
    expect((await ask(watching, internal)).active).toBe(true)
    await approveInternal(db, watched.id, false)
    expect(await ask(watching, internal)).toEqual(inactive)
    const gone = await tokenOf(watched, 'read:published')
    await flat(app.stranger(), 'POST', '/oauth/revoke', { ...watched.proof, token: gone })
    expect(await ask(watching, gone)).toEqual(inactive)
    expect(await ask(watching, reading)).toEqual(inactive)
    const fresh = await tokenOf(watched, 'read:published')
    expect((await ask(watching, fresh)).active).toBe(true)
    clock.offsetSeconds = 86_410
    expect(await ask(watching, fresh)).toEqual(inactive)
    clock.offsetSeconds = 0
    await revokeCredential(db, watched.id, clock.now())
    expect(await ask(watching, fresh)).toEqual(inactive)
    expect((await ask(client, await tokenOf(client))).active).toBe(true)
  })
  test('answers an approved internal client about everybody’s tokens, and an unapproved one not', async () => {
    const someone = await aClient()
    const token = await tokenOf(someone)
    expect(await ask(await aClient(['internal']), token)).toEqual(inactive)
    expect(await ask(await aClient(['internal'], { internalApproved: true }), token)).toMatchObject({ active: true })
  })
  test('counts on nobody’s window', async () => {
    const client = await aClient()
    const token = await tokenOf(client)
    for (let n = 0; n < 3; n++) await ask(client, token)
    const answer = await bearerOf(app, token).get('/v1/genres')
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('1999')
  })
})

test('a token of another algorithm, another key or none opens nothing, and is not active', async () => {
  const client = await aClient()
  const key = sign(context.secret, 'access tokens')
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(Date.now() / 1000) + 3600
  const claims = { sub: client.id, jti: crypto.randomUUID(), scope: 'read:published', exp }
  const forge = (header: object, secret: string, algorithm = 'sha256') => {
    const signed = `${part(header)}.${part(claims)}`
    return `${signed}.${createHmac(algorithm, secret).update(signed).digest('base64url')}`
  }
  const good = forge({ alg: 'HS256', typ: 'JWT' }, key)
  expect((await bearerOf(app, good).get('/v1/genres')).status).toBe(200)
  for (const token of [
    ...[`${part({ alg: 'none' })}.${part(claims)}.`, `${part({ alg: 'none' })}.${part(claims)}.x`],
    ...[forge({ alg: 'none' }, key), forge({ alg: 'HS512' }, key, 'sha512'), forge({ alg: 'RS256' }, key)],
    ...[
      forge({ alg: 'HS256' }, String(context.secret)),
      forge({ alg: 'HS256' }, client.secret),
      forge({ alg: 'HS256' }, ''),
    ],
    ...[`${good}A`, good.replace(/\.[^.]+\./, `.${part({ ...claims, scope: 'write' })}.`)],
  ]) {
    const answer = await bearerOf(app, token).get('/v1/genres')
    expect([answer.status, ...answer.faults]).toEqual([401, 'UNAUTHENTICATED'])
    expect(await ask(client, token)).toEqual(inactive)
  }
})
