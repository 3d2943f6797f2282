import { describe, expect, test } from 'bun:test'
import { approveInternal } from '../../../src/access/credentials.ts'
import { testApp } from '../../support/app.ts'
import { aPerson, bearerOf, flat } from '../../support/people.ts'

const app = await testApp()
const path = '/oauth/clients'
const reading = { name: 'price-watcher', scope: 'read:published' }

const tokenOf = (client: { client_id: string; client_secret: string }, scope?: string) =>
  flat(app.stranger(), 'POST', '/oauth/token', {
    ...{ grant_type: 'client_credentials', client_id: client.client_id, client_secret: client.client_secret },
    ...(scope ? { scope } : {}),
  })

describe('POST /oauth/clients', () => {
  test('answers a client with its secret, flat, which gets tokens', async () => {
    const { person } = await aPerson(app)
    const made = await flat(person, 'POST', path, reading)
    expect(made.status).toBe(201)
    expect(made.headers.get('content-type')).toBe('application/json')
    expect(made.headers.get('cache-control')).toBe('no-store')
    expect(made.flat).toEqual({
      ...{ client_id: expect.any(String), client_secret: expect.stringMatching(/^cardstock_secret_\w{43}$/) },
      ...{ ...reading, internal_approved: false, created_at: expect.stringMatching(/\.\d{3}Z$/) },
    })
    const { access_token: token, scope } = (await tokenOf(made.flat)).flat
    expect(scope).toBe('read:published')
    expect((await bearerOf(app, token).get('/v1/genres')).status).toBe(200)
  })
  test('takes JSON:API’s media type too, and no other', async () => {
    const { person } = await aPerson(app)
    const body = JSON.stringify(reading)
    const as = (type: string) => person.send('POST', path, { body, headers: { 'Content-Type': type } })
    expect((await as('application/vnd.api+json')).status).toBe(201)
    expect((await as('application/x-www-form-urlencoded')).status).toBe(415)
  })
  test('refuses a body or a scope that is wrong in OAuth’s form', async () => {
    for (const [body, error] of [
      [[], 'invalid_request'],
      [{}, 'invalid_request'],
      [{ ...reading, name: 7 }, 'invalid_request'],
      [{ ...reading, name: ' ' }, 'invalid_request'],
      [{ ...reading, name: 'x'.repeat(256) }, 'invalid_request'],
      [{ ...reading, name: 'NUL \u0000' }, 'invalid_request'],
      [{ name: 'x' }, 'invalid_request'],
      [{ ...reading, scope: ['read:published'] }, 'invalid_request'],
      [{ ...reading, scope: '' }, 'invalid_scope'],
      [{ ...reading, scope: 'everything' }, 'invalid_scope'],
      [{ ...reading, scope: 'read:published write' }, 'invalid_scope'],
    ] as const) {
      const { person } = await aPerson(app)
      const answer = await flat(person, 'POST', path, body)
      expect([answer.status, answer.flat.error]).toEqual([400, error])
      expect(Object.keys(answer.flat)).toEqual(['error', 'error_description'])
      expect(answer.headers.get('x-oauth-ratelimit-remaining')).toBe('4')
    }
    const { person } = await aPerson(app)
    const broken = await person.send('POST', path, { body: '{', headers: { 'Content-Type': 'application/json' } })
    expect([broken.status, JSON.parse(broken.text).error]).toEqual([400, 'invalid_request'])
  })
  test('makes nothing of members that are not the sender’s to set', async () => {
    const [{ user, person }, other] = [await aPerson(app), await aPerson(app)]
    const { flat: made } = await flat(person, 'POST', path, {
      ...reading,
      ...{ internal_approved: true, internal_pool: true, user_id: other.user, client_id: crypto.randomUUID() },
      ...{ agreed_limit: 1e6, agreed_window_seconds: 1, client_secret: 'mine', scopes: ['write'], kind: 'session' },
    })
    expect(made).toMatchObject({ ...reading, internal_approved: false })
    const [row] = await app.db.sql`
      select user_id, kind, scopes, internal_approved, internal_pool, agreed_limit from credentials where id = ${made.client_id}`
    expect(row).toEqual({
      ...{ user_id: user, kind: 'oauth_client', scopes: ['read:published'] },
      ...{ internal_approved: false, internal_pool: false, agreed_limit: null },
    })
  })
  test('with the scope internal makes a client that gets no token for it until it is approved', async () => {
    const { person } = await aPerson(app, { operator: true, status: 'none' })
    const { status, flat: made } = await flat(person, 'POST', path, { ...reading, scope: 'read:draft internal' })
    expect([status, made.internal_approved]).toEqual([201, false])
    const refused = await tokenOf(made, 'internal')
    expect([refused.status, refused.flat.error]).toEqual([400, 'invalid_scope'])
    expect((await tokenOf(made)).flat.scope).toBe('read:draft')
    await approveInternal(app.db, made.client_id, true)
    expect((await tokenOf(made, 'internal')).flat.scope).toBe('internal')
  })
})

describe('GET /oauth/clients', () => {
  test('lists one’s own that live, without secrets', async () => {
    const [{ person }, other] = [await aPerson(app), await aPerson(app)]
    await flat(other.person, 'POST', path, reading)
    expect((await flat(person, 'GET', path)).flat).toEqual({ clients: [] })
    const { flat: one } = await flat(person, 'POST', path, { ...reading, name: 'one' })
    const { flat: two } = await flat(person, 'POST', path, { ...reading, name: 'two' })
    await flat(person, 'DELETE', `${path}/${one.client_id}`)
    const listed = await flat(person, 'GET', path)
    const { client_secret: secret, ...shown } = two
    expect(listed.flat).toEqual({ clients: [{ ...shown, last_used_at: null }] })
    expect(listed.text).not.toContain(secret)
  })
  test('refuses parameters that it does not know', async () => {
    const { person } = await aPerson(app)
    const { status, flat: refused } = await flat(person, 'GET', `${path}?page=2`)
    expect([status, refused.error]).toEqual([400, 'invalid_request'])
    expect(refused.error_description).toStartWith('page: ')
  })
})

describe('DELETE /oauth/clients/{client_id}', () => {
  test('ends the client and every token of it at once', async () => {
    const { person } = await aPerson(app)
    const { flat: made } = await flat(person, 'POST', path, reading)
    const token = bearerOf(app, (await tokenOf(made)).flat.access_token)
    expect((await token.get('/v1/genres')).status).toBe(200)
    expect((await flat(person, 'DELETE', `${path}/${made.client_id}`)).status).toBe(204)
    expect((await token.get('/v1/genres')).status).toBe(401)
    expect((await tokenOf(made)).flat.error).toBe('invalid_client')
  })
  test('answers 404 for another’s, an unknown and an ended one, and for what is none, and ends nothing', async () => {
    const [{ person }, other] = [await aPerson(app), await aPerson(app)]
    const { flat: theirs } = await flat(other.person, 'POST', path, reading)
    const { flat: token } = await flat(person, 'POST', '/oauth/tokens', reading)
    for (const id of [theirs.client_id, token.id, crypto.randomUUID(), 'nothing']) {
      const answer = await flat(person, 'DELETE', `${path}/${id}`)
      expect([answer.status, answer.flat.error]).toEqual([404, 'not_found'])
    }
    expect((await flat(other.person, 'GET', path)).flat.clients).toHaveLength(1)
    expect((await flat(person, 'GET', '/oauth/tokens')).flat.tokens).toHaveLength(1)
    expect((await flat(other.person, 'DELETE', `${path}/${theirs.client_id}`)).status).toBe(204)
    expect((await flat(other.person, 'DELETE', `${path}/${theirs.client_id}`)).status).toBe(404)
  })
})
