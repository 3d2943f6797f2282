import { describe, expect, test } from 'bun:test'
import { issueCredential, issueKey, revokeCredential } from '../../../../src/access/credentials.ts'
import { testApp } from '../../../support/app.ts'
import { aToken, aUser } from '../../../support/callers.ts'
import { secondsToNoon } from '../../../support/noon.ts'
import { aPerson, bearerOf } from '../../../support/people.ts'

const app = await testApp({ offsetSeconds: secondsToNoon() })
const { context, db, clock, operator } = app
const path = '/internal/analytics/customer-usage'

const day = (ago: number) => new Date(clock.now().getTime() - ago * 86_400_000).toISOString().slice(0, 10)
const rowOf = async (user: string, query = '') => (await operator.get(`${path}?user=${user}${query}`)).many[0]
const aKey = (user: string) => issueKey(db, user, context.config, clock.now(), 'pro')
const used = (credential: string, user: string, requests: number, ago: number) => db.sql`
  insert into usage_days (credential_id, day, user_id, requests, last_request_at)
  values (${credential}, ${day(ago)}::date, ${user}, ${requests}, ${`${day(ago)}T10:00:00.000Z`}::timestamptz)`

describe('GET /internal/analytics/customer-usage', () => {
  test('shows what a customer asked, by credential, with the last time of each and the key that lives', async () => {
    const user = await aUser(context)
    const replaced = await aKey(user)
    const key = await aKey(user)
    const token = await aToken(context, user, ['read:published'])
    await used(replaced.id, user, 40, 3)
    const began = clock.now().getTime()
    for (const secret of [key.secret, key.secret, token.secret]) await bearerOf(app, secret).get('/v1/sets')
    const row = await rowOf(user)
    expect(row).toEqual({
      ...{ type: 'customer-usage', id: user },
      attributes: {
        ...{ user_id: user, email: `${user}@example.org`, plan: 'pro', subscription_status: 'active' },
        ...{ request_count: 43, last_request_at: expect.any(String) },
        requests_by_credential: [
          { id: replaced.id, kind: 'subscriber_key', request_count: 40, last_request_at: `${day(3)}T10:00:00.000Z` },
          { id: key.id, kind: 'subscriber_key', request_count: 2, last_request_at: expect.any(String) },
          { id: token.id, kind: 'personal_token', request_count: 1, last_request_at: expect.any(String) },
        ].map((one) => ({ ...one, name: null, last_four: expect.stringMatching(/^.{4}$/) })),
        api_key: { id: key.id, last_four: key.secret.slice(-4), created_at: expect.any(String) },
      },
    } as never)
    const last = Date.parse(row?.attributes.last_request_at as string)
    expect(last).toBeGreaterThanOrEqual(began)
    expect(last).toBeLessThanOrEqual(clock.now().getTime())
  })
  test('has one row for each customer, those without a request too, and none for who never proved an address', async () => {
    const [idle, stranger] = [await aUser(context, { status: 'none' }), await aUser(context)]
    await db.sql`update users set verified_at = null where id = ${stranger}`
    const all = await operator.get(path)
    const ids = all.many.map(({ id }) => id)
    const [users] = await db.sql<{ ids: string[] }[]>`
      select array_agg(id::text order by id) as ids from users where verified_at is not null`
    expect(ids).toEqual(users?.ids ?? [])
    expect(ids).not.toContain(stranger)
    expect(all.meta).toMatchObject({ total: ids.length, from: day(6), to: day(0) })
    expect(all.many.find(({ id }) => id === idle)?.attributes).toMatchObject({
      ...{ plan: null, subscription_status: null, request_count: 0, last_request_at: null, api_key: null },
      requests_by_credential: [],
    })
  })
  test('leaves out what somebody does on the service’s own pages', async () => {
    const { user, person } = await aPerson(app)
    await person.get('/v1/sets')
    expect((await rowOf(user))?.attributes).toMatchObject({ request_count: 0, requests_by_credential: [] })
  })
  test('counts both ends of the range, whose default is the last seven days', async () => {
    const user = await aUser(context)
    const { id } = await aKey(user)
    for (const [requests, ago] of [
      [1, 0],
      [10, 6],
      [100, 7],
      [1000, 30],
      [10_000, 31],
    ] as const)
      await used(id, user, requests, ago)
    const count = async (query: string) => (await rowOf(user, query))?.attributes.request_count
    expect(await count('')).toBe(11)
    expect(await count(`&from=${day(7)}`)).toBe(111)
    expect(await count(`&to=${day(1)}`)).toBe(110)
    expect(await count(`&from=${day(6)}&to=${day(6)}`)).toBe(10)
    expect(await count(`&from=${day(30)}`)).toBe(1111)
    expect(await count(`&to=${day(-100)}`)).toBe(0)
    expect(await count('&from=0001-01-01&to=0001-01-31')).toBe(0)
    expect(await count('&to=0001-01-01')).toBe(0)
    expect(await count('&to=9999-12-31')).toBe(0)
  })
  test('shows nothing of before the 30 days that the log keeps, and says where the log begins', async () => {
    const user = await aUser(context)
    const { id } = await aKey(user)
    await used(id, user, 5, 31)
    expect((await rowOf(user, `&from=${day(31)}&to=${day(25)}`))?.attributes.request_count).toBe(0)
    const { meta } = await operator.get(`${path}?user=${user}`)
    expect(meta.oldest_log_at).toBe(`${day(30)}T00:00:00.000Z`)
  })
  test('shows paying customers alone where they are asked for', async () => {
    const [paying, late] = [await aUser(context), await aUser(context, { status: 'past_due' })]
    const trial = await aUser(context)
    await db.sql`update subscriptions set plan = 'trial' where user_id = ${trial}`
    const ids = async (value: string) => (await operator.get(`${path}?paying_only=${value}`)).many.map(({ id }) => id)
    for (const value of ['true', '1']) {
      expect(await ids(value)).toContain(paying)
      for (const user of [late, trial]) expect(await ids(value)).not.toContain(user)
    }
    expect(await ids('false')).toContain(late)
  })
  test('has no row for an unknown user', async () => {
    const answer = await operator.get(`${path}?user=${crypto.randomUUID()}`)
    expect([answer.status, answer.many, answer.meta.total]).toEqual([200, [], 0])
  })
  test('shows the key of today, and none where it was revoked', async () => {
    const user = await aUser(context)
    const { id } = await aKey(user)
    expect((await rowOf(user.toUpperCase()))?.attributes.api_key).toMatchObject({ id })
    await revokeCredential(db, id, clock.now())
    expect((await rowOf(user))?.attributes.api_key).toBeNull()
  })
  test('thins its rows by fields', async () => {
    const user = await aUser(context)
    const row = await rowOf(user, '&fields[customer-usage]=email,request_count')
    expect(row?.attributes).toEqual({ email: `${user}@example.org`, request_count: 0 })
  })
  test('refuses a bad parameter with 422, and one that it does not know with 400', async () => {
    const refused = async (query: string) => {
      const { status, faults } = await operator.get(`${path}?${query}`)
      return [status, ...faults.map((fault) => fault.split(' ')[1])]
    }
    for (const value of ['21.11.2026', '2026-02-30', '2026-1-1', '', '2026-11-21T00:00:00Z', '0000-01-01', '%00'])
      expect(await refused(`from=${value}`)).toEqual([422, 'from'])
    for (const value of ['nobody', '', '%FF']) expect(await refused(`user=${value}`)).toEqual([422, 'user'])
    for (const value of ['yes', '', '2', 'constructor'])
      expect(await refused(`paying_only=${value}`)).toEqual([422, 'paying_only'])
    expect(await refused(`from=${day(30)}&to=${day(0)}`)).toEqual([200])
    expect(await refused(`from=${day(31)}&to=${day(0)}`)).toEqual([422, 'from'])
    expect(await refused(`from=${day(0)}&to=${day(1)}`)).toEqual([422, 'from'])
    expect(await refused(`from=${day(-1)}`)).toEqual([422, 'from'])
    expect(await refused('from=x&to=y&user=z&paying_only=w')).toEqual([422, 'from', 'to', 'user', 'paying_only'])
    expect(await refused('page=1&include=users')).toEqual([400, 'page', 'include'])
    expect(await refused('fields[customer-usage]=nothing')).toEqual([400, 'fields[customer-usage]'])
  })
  test('reads more customers than a statement takes, each once', async () => {
    const many = Array.from({ length: 2100 }, () => Bun.randomUUIDv7())
    await db.sql`
      insert into users (id, email, email_key, verified_at, created_at, updated_at)
      select id::uuid, id || '@example.net', id || '@example.net', now(), now(), now() from unnest(${many}::text[]) as u (id)`
    const ids = (await operator.get(path)).many.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const known = new Set(ids)
    expect(many.filter((id) => !known.has(id))).toEqual([])
  })
  test('answers HEAD without a body', async () => {
    const answer = await operator.send('HEAD', path)
    expect([answer.status, answer.text]).toEqual([200, ''])
  })
})

test('an owner’s machine client is among the credentials, under its name', async () => {
  const user = await aUser(context)
  const details = { name: 'importer', scopes: ['read:published' as const] }
  const client = await issueCredential(db, 'oauth_client', user, context.config, clock.now(), details)
  const token = await context.tokens.issue(
    { id: Bun.randomUUIDv7(), clientId: client.id, scopes: ['read:published'] },
    clock.now(),
  )
  await bearerOf(app, token).get('/v1/sets')
  expect((await rowOf(user))?.attributes.requests_by_credential).toMatchObject([
    { id: client.id, kind: 'oauth_client', name: 'importer', request_count: 1 },
  ])
})
