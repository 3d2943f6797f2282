import { describe, expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { aUser, clientWith } from '../support/callers.ts'
import { runningCommands } from './running.ts'

const app = await testApp()
const run = runningCommands(app.context)
const bearer = (secret: unknown) => clientWith(app.fetch, app.baseUrl, { Authorization: `Bearer ${secret}` })
const statusOf = async (secret: unknown) => (await bearer(secret).get('/v1/cards')).status

const nobodyYet = () => aUser(app.context, { status: 'none' })
const anOperator = () => aUser(app.context, { operator: true, status: 'none' })

describe('key create', () => {
  test('makes a key, and an account without a plan active', async () => {
    const { json } = await run('key', 'create', '--user', await nobodyYet(), '--json')
    expect(Object.keys(json)).toEqual(['key'])
    expect(json.key).toMatch(/^cardstock_test_[0-9A-Za-z]{43}$/)
    expect(await statusOf(json.key)).toBe(200)
  })
  test('ends the key before it, and writes the plan’s limit', async () => {
    const owner = await nobodyYet()
    const first = await run('key', 'create', '--user', owner, '--plan', 'pro', '--json')
    const second = await run('key', 'create', '--user', owner.toUpperCase(), '--plan', 'starter', '--json')
    expect(await statusOf(first.json.key)).toBe(401)
    expect((await bearer(second.json.key).get('/v1/cards')).headers.get('x-ratelimit-limit')).toBe('1000')
  })
  test('keeps the plan of an account, and warns where that does not entitle', async () => {
    const owner = await aUser(app.context, { status: 'canceled' })
    const { exit, err, json } = await run('key', 'create', '--user', owner, '--json')
    expect(exit).toBe(0)
    expect(err).toContain('402')
    expect(await statusOf(json.key)).toBe(402)
  })
  test('for nobody fails', async () => {
    expect((await run('key', 'create', '--user', 'nobody@example.org')).exit).toBe(1)
    expect((await run('key', 'create')).exit).toBe(2)
  })
  test('is ended by key revoke', async () => {
    const owner = await nobodyYet()
    const { json } = await run('key', 'create', '--user', owner, '--json')
    expect((await run('key', 'revoke', '--user', owner, '--json')).json.revoked).toBe(true)
    expect(await statusOf(json.key)).toBe(401)
    expect((await run('key', 'revoke', '--user', owner, '--json')).json).toEqual({ id: null, revoked: false })
  })
})

describe('token create', () => {
  test('makes a personal token with its scopes', async () => {
    const { json } = await run('token', 'create', '--user', await anOperator(), '--scope', 'read:draft write', '--json')
    expect(Object.keys(json)).toEqual(['token'])
    expect((await bearer(json.token).post('/v1/genres', {})).status).toBe(400)
    expect((await bearer(json.token).delete(`/v1/genres/${crypto.randomUUID()}`)).status).toBe(403)
    expect((await run('token', 'revoke', String(json.token))).exit).toBe(0)
    expect(await statusOf(json.token)).toBe(401)
  })
  test('refuses internal and what is no scope', async () => {
    const owner = await nobodyYet()
    for (const scope of ['internal', 'read', '', 'read:published nonsense'])
      expect((await run('token', 'create', '--user', owner, '--scope', scope)).exit).toBe(2)
  })
  test('warns where its owner is not entitled, and where it writes blindly', async () => {
    const { err } = await run('token', 'create', '--user', await nobodyYet(), '--scope', 'write')
    expect(err).toContain('402')
    expect(err).toContain('without a read scope')
  })
})

describe('client create', () => {
  const tokenFor = async ({ json }: { json: Record<string, unknown> }, scope: string) =>
    app.stranger().send('POST', '/oauth/token', {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ grant_type: 'client_credentials', ...json, scope }),
    })
  const create = async (...more: string[]) =>
    run(
      'client',
      'create',
      '--name',
      'Shop',
      '--user',
      await anOperator(),
      '--scope',
      'read:published internal',
      '--json',
      ...more,
    )

  test('makes a client whose tokens open the catalog', async () => {
    const client = await create()
    expect(Object.keys(client.json)).toEqual(['client_id', 'client_secret'])
    const answer = await tokenFor(client, 'read:published')
    expect(await statusOf(JSON.parse(answer.text).access_token)).toBe(200)
    expect((await run('client', 'delete', String(client.json.client_id))).exit).toBe(0)
    expect(await statusOf(JSON.parse(answer.text).access_token)).toBe(401)
    expect((await run('client', 'delete', String(client.json.client_id))).exit).toBe(1)
  })
  test('may use internal where it is approved', async () => {
    const client = await create()
    expect((await tokenFor(client, 'internal')).status).toBe(400)
    const id = String(client.json.client_id)
    expect(client.err).toContain(`cardstock client approve ${id}`)
    expect((await create('--approve-internal')).err).toBe('')
    expect((await run('client', 'approve', id, '--json')).json).toEqual({ client_id: id, internal_approved: true })
    expect((await tokenFor(client, 'internal')).status).toBe(200)
    await run('client', 'revoke', id)
    expect((await tokenFor(client, 'internal')).status).toBe(400)
    expect((await tokenFor(await create('--approve-internal'), 'internal')).status).toBe(200)
  })
})

describe('limit set and clear', () => {
  const limitOf = async (key: unknown) => (await bearer(key).get('/v1/cards')).headers.get('x-ratelimit-limit')
  test('raise a key’s limit at once and lower it after 30 days', async () => {
    const owner = await nobodyYet()
    const { json } = await run('key', 'create', '--user', owner, '--plan', 'starter', '--json')
    const set = await run('limit', 'set', '--user', owner, '--limit', '7000', '--window', '3600', '--json')
    expect(set.json).toMatchObject({ limit: 7000, window_seconds: 3600 })
    expect(await limitOf(json.key)).toBe('7000')
    const cleared = await run('limit', 'clear', '--user', owner, '--json')
    expect(cleared.json).toMatchObject({ limit: 1000, window_seconds: 86_400 })
    expect(await limitOf(json.key)).toBe('7000')
    expect(new Date(String(cleared.json.from)).getTime()).toBeGreaterThan(Date.now() + 29.9 * 86_400_000)
  })
  test('move the window of an account’s tokens where it has a plan and no key, and its next key takes that over', async () => {
    const owner = await aUser(app.context)
    await app.db.sql`update subscriptions set plan = 'starter' where user_id = ${owner}`
    const { json: made } = await run('token', 'create', '--user', owner, '--scope', 'read:published', '--json')
    expect(await limitOf(made.token)).toBe('1000')
    for (const limit of ['500', '1500'])
      expect((await run('limit', 'set', '--user', owner, '--limit', limit, '--window', '86400')).exit).toBe(0)
    expect(await limitOf(made.token)).toBe('1500')
    const live = await app.db.sql`
      select id from credentials where user_id = ${owner} and kind = 'subscriber_key' and revoked_at is null`
    expect(live).toHaveLength(0)
    const { json } = await run('key', 'create', '--user', owner, '--json')
    expect([await limitOf(json.key), await limitOf(made.token)]).toEqual(['1500', '1500'])
  })
  test('are used in one way only', async () => {
    const owner = await nobodyYet()
    for (const words of [
      ['set', '--limit', '5', '--window', '5'],
      ['set', '--user', owner, '--client', 'x', '--limit', '5', '--window', '5'],
      ['set', '--user', owner, '--limit', '0', '--window', '5'],
      ['set', '--user', owner, '--limit', '5'],
      ['set', '--user', owner, '--limit', '5', '--window', '5', '--from', 'soon'],
      ['set', '--user', owner, '--limit', '5', '--window', '5', '--from', '2027-02-31'],
      ['set', '--user', owner, '--limit', '5', '--window', '5', '--from', '9999-12-31T23:59:59-12:00'],
      ['clear'],
    ])
      expect((await run('limit', ...words)).exit).toBe(2)
    expect((await run('limit', 'clear', '--user', owner)).exit).toBe(1)
  })
})
