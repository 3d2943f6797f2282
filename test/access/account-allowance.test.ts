import { describe, expect, test } from 'bun:test'
import { issueCredential, issueKey } from '../../src/access/credentials.ts'
import type { Plan } from '../../src/limits.ts'
import { testApp } from '../support/app.ts'
import { agree, aUser } from '../support/callers.ts'
import { bearerOf } from '../support/people.ts'

const app = await testApp()
const { context, db, clock } = app
const { config, tokens } = context
const terms = () => ({ now: clock.now(), internalPoolLimit: config.internalPoolLimit })
const reading = { scopes: ['read:published' as const] }

/** An account on a plan, with what it makes. */
const anAccount = async (plan: Plan | null, { operator = false } = {}) => {
  const user = await aUser(context, { operator, status: plan ? 'active' : 'none' })
  if (plan) await db.sql`update subscriptions set plan = ${plan} where user_id = ${user}`
  const session = await issueCredential(db, 'session', user, config, clock.now())
  return {
    user,
    session: bearerOf(app, session.secret),
    key: () => issueKey(db, user, config, clock.now(), plan ?? 'pro'),
    personal: () => issueCredential(db, 'personal_token', user, config, clock.now(), reading),
    client: () => issueCredential(db, 'oauth_client', user, config, clock.now(), reading),
  }
}
type Account = Awaited<ReturnType<typeof anAccount>>

const accessToken = async (clientId: string, id: string = Bun.randomUUIDv7()) =>
  tokens.issue({ id, clientId, ...reading }, clock.now())
const ask = async (secret: string) => {
  const { status, headers } = await bearerOf(app, secret).get('/v1/genres')
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((one) =>
    Number(headers.get(`x-ratelimit-${one}`)),
  )
  return { status, limit, remaining, reset, wait: headers.get('retry-after') }
}
/** Requests that were counted on a window, so that a test need not send all of them. */
const count = (key: string, requests: number, seconds = 86_400) => db.sql`
  insert into rate_windows (key, opened_at, closes_at, count)
  values (${key}, now(), now() + make_interval(secs => ${seconds}), ${requests})
  on conflict (key) do update set count = excluded.count`
const windowOf = async (key: string) =>
  (await db.sql<{ count: number }[]>`select count::int from rate_windows where key = ${key}`)[0]?.count
const shared = async ({ session }: Account) =>
  JSON.parse((await session.get('/v1/user/usage')).text).windows[1] as Record<string, unknown>

describe('the clients and personal tokens of an account', () => {
  test('draw from one window of its billing account: Starter 1,000, trial and Pro 10,000 in 24 hours', async () => {
    for (const [plan, limit] of [
      ['starter', 1000],
      ['trial', 10_000],
      ['pro', 10_000],
    ] as const) {
      const account = await anAccount(plan)
      const { id } = await account.client()
      for (let n = 0; n < 3; n++) await ask(await accessToken(id))
      await ask((await account.personal()).secret)
      await ask((await account.personal()).secret)
      const { resets_at: resetsAt, ...left } = await shared(account)
      expect(left).toEqual({ type: 'billing_account', limit, remaining: limit - 5 })
      const hours = (Date.parse(String(resetsAt)) - Date.now()) / 3_600_000
      expect(hours).toBeWithin(23.9, 24.1)
    }
  })
  test('of a Starter get 1,000 through in 24 hours, however many tokens they have', async () => {
    const account = await anAccount('starter')
    const { id } = await account.client()
    const secrets = await Promise.all(Array.from({ length: 24 }, () => accessToken(id)))
    const answers = await Promise.all(Array.from({ length: 1200 }, (_, n) => ask(secrets[n % 24] ?? '')))
    expect(answers.filter(({ status }) => status === 200).length).toBe(1000)
    expect(answers.filter(({ status }) => status === 429).length).toBe(200)
    const left = answers.filter(({ status }) => status === 200).map(({ remaining }) => remaining)
    expect(new Set(left).size).toBe(1000)
    const refused = await ask((await account.personal()).secret)
    expect(refused).toMatchObject({ status: 429, limit: 1000, remaining: 0 })
    expect(Number(refused.wait)).toBeWithin(86_000, 86_401)
    clock.offsetSeconds = 86_460
    expect(await ask(await accessToken(id))).toMatchObject({ status: 200, limit: 1000, remaining: 999 })
    clock.offsetSeconds = 0
  })
  test('leave the key its own window, and the key leaves them theirs', async () => {
    const account = await anAccount('starter')
    const key = await account.key()
    await ask((await account.personal()).secret)
    expect(await ask(key.secret)).toMatchObject({ status: 200, limit: 1000, remaining: 999 })
    await count(`account ${account.user}`, 5000)
    expect(await ask(key.secret)).toMatchObject({ status: 200, remaining: 998 })
    await count(`key ${account.user}`, 5000)
    await count(`account ${account.user}`, 0)
    expect(await ask(key.secret)).toMatchObject({ status: 429 })
    expect(await ask((await account.personal()).secret)).toMatchObject({ status: 200, remaining: 999 })
  })
  test('have the allowance that the account agreed on, from its date, and after a new key', async () => {
    const account = await anAccount('starter')
    const { id } = await account.key()
    await agree(db, id, { limit: 1500, windowSeconds: 3600 }, terms())
    const { secret } = await account.personal()
    expect(await ask(secret)).toMatchObject({ limit: 1500, remaining: 1499 })
    const next = await account.key()
    expect(await ask(secret)).toMatchObject({ limit: 1500, remaining: 1498 })
    await agree(db, next.id, { limit: 7, windowSeconds: 3600 }, terms())
    expect(await ask(secret)).toMatchObject({ limit: 1500 })
    clock.offsetSeconds = 30 * 86_400 + 60
    expect(await ask(secret)).toMatchObject({ limit: 7, remaining: 6 })
    expect(await shared(account)).toMatchObject({ type: 'billing_account', limit: 7, remaining: 6 })
    clock.offsetSeconds = 0
  })
  test('have the allowance of another plan with the next request', async () => {
    const account = await anAccount('starter')
    const { secret } = await account.personal()
    await count(`account ${account.user}`, 1000)
    expect((await ask(secret)).status).toBe(429)
    await db.sql`update subscriptions set plan = 'pro' where user_id = ${account.user}`
    expect(await ask(secret)).toMatchObject({ status: 200, limit: 2000 })
  })
})

describe('where either window is spent', () => {
  test('the answer is 429, and the headers tell the one with fewer requests left', async () => {
    const account = await anAccount('pro')
    const personal = await account.personal()
    expect(await ask(personal.secret)).toMatchObject({ status: 200, limit: 2000, remaining: 1999 })
    await count(`account ${account.user}`, 9000)
    expect(await ask(personal.secret)).toMatchObject({ status: 200, limit: 10_000, remaining: 999 })
    await count(`credential ${personal.id}`, 2000, 3600)
    const own = await ask(personal.secret)
    expect(own).toMatchObject({ status: 429, limit: 2000, remaining: 0 })
    expect(Number(own.wait)).toBeWithin(3500, 3601)
    await count(`credential ${personal.id}`, 100, 3600)
    await count(`account ${account.user}`, 10_000)
    const ofAccount = await ask(personal.secret)
    expect(ofAccount).toMatchObject({ status: 429, limit: 10_000, remaining: 0 })
    expect(Number(ofAccount.wait)).toBeWithin(86_000, 86_401)
  })
  test('Retry-After is that of the one that resets later where both are', async () => {
    const account = await anAccount('pro')
    const { id, secret } = await account.personal()
    for (const [ofToken, ofAccount] of [
      [3600, 86_400],
      [3600, 600],
    ] as const) {
      await db.sql`delete from rate_windows where key in (${`credential ${id}`}, ${`account ${account.user}`})`
      await count(`credential ${id}`, 2000, ofToken)
      await count(`account ${account.user}`, 10_000, ofAccount)
      const { status, wait, reset } = await ask(secret)
      expect(status).toBe(429)
      expect(Number(wait)).toBeWithin(Math.max(ofToken, ofAccount) - 100, Math.max(ofToken, ofAccount) + 1)
      expect(Math.abs((reset ?? 0) - Date.now() / 1000 - Number(wait))).toBeLessThan(60)
    }
  })
  test('what a token’s own window refuses takes nothing from the account, and every request counts once', async () => {
    const account = await anAccount('pro')
    const { id, secret } = await account.personal()
    await count(`credential ${id}`, 1990, 3600)
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(secret)))
    expect(answers.filter(({ status }) => status === 200).length).toBe(10)
    expect(await windowOf(`account ${account.user}`)).toBe(10)
    expect(await windowOf(`credential ${id}`)).toBe(2030)
    const [used] = await db.sql`select sum(requests)::int as requests from usage_days where credential_id = ${id}`
    expect(used?.requests).toBe(40)
  })
  test('a refused request does not extend either of them', async () => {
    const account = await anAccount('starter')
    const { secret } = await account.personal()
    const { reset } = await ask(secret)
    await count(`account ${account.user}`, 1000)
    clock.offsetSeconds = 4000
    const refused = await ask(secret)
    expect(refused.status).toBe(429)
    expect(await shared(account)).toMatchObject({ remaining: 0 })
    clock.offsetSeconds = 86_460
    expect(await ask(secret)).toMatchObject({ status: 200, remaining: 999 })
    expect(refused.reset).toBeLessThan((reset ?? 0) + 86_400)
    clock.offsetSeconds = 0
  })
})

describe('windows of their own alone have', () => {
  test('the tokens of operators', async () => {
    const account = await anAccount('starter', { operator: true })
    await count(`account ${account.user}`, 5000)
    const { id } = await account.client()
    for (const secret of [(await account.personal()).secret, await accessToken(id)])
      expect(await ask(secret)).toMatchObject({ status: 200, limit: 2000, remaining: 1999 })
    expect(await shared(account)).toEqual({ type: 'per_token', limit: 2000, remaining: null, resets_at: null })
  })
  test('the tokens of the internal pool', async () => {
    const account = await anAccount('starter')
    await count(`account ${account.user}`, 5000)
    const { id } = await account.client()
    expect(await ask(await accessToken(id))).toMatchObject({ status: 429 })
    await db.sql`update credentials set internal_pool = true where id = ${id}`
    expect(await ask(await accessToken(id))).toMatchObject({ status: 200, limit: 60_000, remaining: 59_999 })
  })
  test('the tokens of a client that has an agreement of its own', async () => {
    const account = await anAccount('starter')
    await count(`account ${account.user}`, 5000)
    const { id } = await account.client()
    await agree(db, id, { limit: 3000, windowSeconds: 3600 }, terms())
    expect(await ask(await accessToken(id))).toMatchObject({ status: 200, limit: 3000, remaining: 2999 })
    expect(await windowOf(`account ${account.user}`)).toBe(5000)
  })
  test('the tokens of an account without a plan, whose usage tells of per_token', async () => {
    const account = await anAccount(null)
    const refused = await ask((await account.personal()).secret)
    expect(refused).toMatchObject({ status: 402, limit: 2000, remaining: 1999 })
    expect(await shared(account)).toEqual({ type: 'per_token', limit: 2000, remaining: null, resets_at: null })
  })
  test('sessions', async () => {
    const account = await anAccount('starter')
    await count(`account ${account.user}`, 5000)
    const { status, headers } = await account.session.get('/v1/genres')
    expect([status, headers.get('x-ratelimit-limit')]).toEqual([200, '2000'])
  })
})
