import { describe, expect, test } from 'bun:test'
import { issueCredential } from '../../../../../src/access/credentials.ts'
import { activatePlan } from '../../../../../src/accounts/subscriptions.ts'
import { testApp } from '../../../../support/app.ts'
import { agree, aUser, clientWith } from '../../../../support/callers.ts'

const app = await testApp()
const { context, db, clock } = app
const { config } = context
const bearer = (secret: unknown) => clientWith(app.fetch, app.baseUrl, { Authorization: `Bearer ${secret}` })
const path = '/v1/user/api-key'

const aPerson = async (standing: Parameters<typeof aUser>[1] = {}) => {
  const user = await aUser(context, standing)
  const { secret } = await issueCredential(db, 'session', user, config, clock.now())
  return { user, secret, person: bearer(secret) }
}
const liveKeys = (user: string) =>
  db.sql`select id from credentials where user_id = ${user} and kind = 'subscriber_key' and revoked_at is null`

describe('GET /v1/user/api-key', () => {
  test('answers null where there is no key', async () => {
    const { person } = await aPerson()
    const answer = await person.get(path)
    expect(answer.status).toBe(200)
    expect(answer.document.data).toBeNull()
  })
  test('shows the key masked', async () => {
    const { person } = await aPerson()
    const issued = await person.send('POST', path)
    const key = String(issued.meta.api_key)
    const answer = await person.get(path)
    expect(answer.one).toEqual({ ...issued.one, links: { self: `${app.baseUrl}${path}` } })
    expect(answer.one).toMatchObject({ type: 'api_keys', attributes: { last_four: key.slice(-4), last_used_at: null } })
    expect(answer.text).not.toContain(key)
    await bearer(key).get('/v1/genres')
    expect((await person.get(path)).one.attributes.last_used_at).toMatch(/^\d{4}-.*\.\d{3}Z$/)
  })
  test('takes fields, and no other parameter', async () => {
    const { person } = await aPerson()
    await person.send('POST', path)
    expect((await person.get(`${path}?fields[api_keys]=last_four`)).one.attributes).toEqual({
      last_four: expect.any(String),
    })
    expect((await person.get(`${path}?fields[api_keys]=secret_hash`)).status).toBe(400)
    expect((await person.get(`${path}?reveal=true`)).faults).toEqual(['INVALID_PARAMETER reveal'])
  })
})

describe('POST /v1/user/api-key', () => {
  test('answers a new key once, which nobody may keep, and ends the old one at once', async () => {
    const { user, person } = await aPerson()
    const first = await person.send('POST', path)
    expect(first.status).toBe(201)
    expect(first.headers.get('cache-control')).toBe('no-store')
    expect(first.headers.get('location')).toBe(`${app.baseUrl}${path}`)
    expect(first.meta.api_key).toMatch(/^cardstock_test_[0-9A-Za-z]{43}$/)
    expect((await bearer(first.meta.api_key).get('/v1/genres')).status).toBe(200)
    const second = await person.send('POST', path)
    expect(second.meta.api_key).not.toBe(first.meta.api_key)
    expect((await bearer(first.meta.api_key).get('/v1/genres')).status).toBe(401)
    expect((await bearer(second.meta.api_key).get('/v1/genres')).status).toBe(200)
    expect(await liveKeys(user)).toHaveLength(1)
  })
  test('gives the limit of the plan, of the smallest one without a plan, and no attribute that is sent', async () => {
    const { user, person } = await aPerson({ status: 'none' })
    const generous = { data: { type: 'api_keys', attributes: { limit: 1e6, plan_limit: 1e6, user_id: 'another' } } }
    expect((await person.post(path, generous)).one.attributes).toMatchObject({ limit: 1000, window_seconds: 86_400 })
    for (const [plan, limit] of [
      ['trial', 10_000],
      ['starter', 1000],
      ['pro', 10_000],
    ] as const) {
      await activatePlan(db, user, plan, 14, clock.now())
      const { one, meta } = await person.send('POST', path)
      expect(one.attributes).toMatchObject({ limit })
      expect((await bearer(meta.api_key).get('/v1/genres')).headers.get('x-ratelimit-limit')).toBe(String(limit))
    }
  })
  test('gives no new allowance: the key goes on in the window of the one before, deleted ones among them', async () => {
    const { person } = await aPerson()
    let key = bearer((await person.send('POST', path)).meta.api_key)
    await key.get('/v1/genres')
    const before = await key.get('/v1/genres')
    expect((await person.delete(path)).status).toBe(204)
    key = bearer((await person.send('POST', path)).meta.api_key)
    const after = await key.get('/v1/genres')
    for (const [name, less] of [
      ['x-ratelimit-remaining', 1],
      ['x-ratelimit-reset', 0],
    ] as const)
      expect(Number(before.headers.get(name)) - Number(after.headers.get(name))).toBe(less)
  })
  test('takes over an allowance by agreement', async () => {
    const { person } = await aPerson()
    const { one } = await person.send('POST', path)
    await agree(db, one.id, { limit: 77_000, windowSeconds: 3600 }, { now: clock.now(), internalPoolLimit: 1 })
    expect((await person.send('POST', path)).one.attributes).toMatchObject({ limit: 77_000, window_seconds: 3600 })
  })
  test('sent many times at once leaves exactly one live key, and fails nobody', async () => {
    const { user, person } = await aPerson()
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(Array.from({ length: 4 }, () => person.send('POST', path)))
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
      expect(await liveKeys(user)).toHaveLength(1)
      const statuses = await Promise.all(
        answers.map(async ({ meta }) => (await bearer(meta.api_key).get('/v1/genres')).status),
      )
      expect(statuses.sort()).toEqual([200, 401, 401, 401])
    }
  })
  test('by cookie is refused from a foreign page, and changes nothing', async () => {
    const { user, secret } = await aPerson()
    const cookie = { Cookie: `cardstock_session=${secret}` }
    const client = app.stranger()
    for (const headers of [cookie, { ...cookie, Origin: 'https://evil.example' }])
      expect((await client.send('POST', path, { headers })).status).toBe(403)
    expect(await liveKeys(user)).toHaveLength(0)
    expect((await client.send('POST', path, { headers: { ...cookie, Origin: app.baseUrl } })).status).toBe(201)
    expect((await client.delete(path, cookie)).status).toBe(403)
    expect(await liveKeys(user)).toHaveLength(1)
  })
})

describe('DELETE /v1/user/api-key', () => {
  test('ends the key at once, and answers 204 again and again', async () => {
    const { person } = await aPerson()
    const key = bearer((await person.send('POST', path)).meta.api_key)
    for (let n = 0; n < 3; n++) expect((await person.delete(path)).status).toBe(204)
    expect((await key.get('/v1/genres')).status).toBe(401)
    expect((await person.get(path)).document.data).toBeNull()
  })
  test('ends nobody else’s key', async () => {
    const [one, other] = [await aPerson(), await aPerson()]
    await other.person.send('POST', path)
    await one.person.delete(path)
    expect(await liveKeys(other.user)).toHaveLength(1)
  })
})

test('no key stands in the database or in a line of the log', async () => {
  const { person } = await aPerson()
  const key = String((await person.send('POST', path)).meta.api_key)
  await bearer(key).get('/v1/genres')
  const rows = await db.sql`select to_jsonb(c)::text as row from credentials c`
  expect(JSON.stringify([...rows])).not.toContain(key)
  expect(JSON.stringify(app.lines)).not.toContain(key)
})
