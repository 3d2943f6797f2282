import { afterEach, describe, expect, test } from 'bun:test'
import { issueCredential, issueKey } from '../../src/access/credentials.ts'
import { testApp } from '../support/app.ts'
import { agree, aUser } from '../support/callers.ts'
import { bearerOf, flat } from '../support/people.ts'
import { asking, day } from '../support/signing-up.ts'

const app = await testApp()
const { context, db, clock } = app
const { config } = context
afterEach(() => {
  clock.offsetSeconds = 0
})

const secondsUntilReset = ({ headers }: { headers: Headers }) =>
  Number(headers.get('x-ratelimit-reset')) - Date.now() / 1000

describe('after the clock was set back', () => {
  test('a window that opened in the future is closed, whoever it belongs to', async () => {
    const user = await aUser(context)
    const key = bearerOf(app, (await issueKey(db, user, config, clock.now(), 'starter')).secret)
    const scopes = { scopes: ['read:published' as const] }
    const token = bearerOf(app, (await issueCredential(db, 'personal_token', user, config, clock.now(), scopes)).secret)
    const stranger = app.stranger()
    clock.offsetSeconds = 30 * day
    for (const caller of [key, token, stranger]) await caller.get('/v1/cards')
    await db.sql`update rate_windows set count = 1000000 where opened_at > now() + interval '1 day'`
    for (const caller of [key, token, stranger]) expect((await caller.get('/v1/cards')).status).toBe(429)
    clock.offsetSeconds = 0
    const left = async () =>
      JSON.parse((await key.get('/v1/user/usage')).text).windows.map(
        (window: { remaining: number }) => window.remaining,
      )
    expect(await left()).toEqual([1000, 10_000])
    for (const [caller, seconds] of [
      [key, day],
      [token, 3600],
      [stranger, 3600],
    ] as const) {
      const answer = await caller.get('/v1/cards')
      expect(answer.status).not.toBe(429)
      expect(secondsUntilReset(answer)).toBeWithin(seconds - 60, seconds + 2)
    }
    expect(await left()).toEqual([999, 9999])
  })
  test('so is one of an OAuth endpoint, and one of wrong passwords', async () => {
    const user = await aUser(context)
    const person = bearerOf(app, (await issueCredential(db, 'session', user, config, clock.now())).secret)
    const stranger = app.stranger()
    const signIn = () => stranger.post('/v1/session', asking('sessions', { email: 'no@example.org', password: 'no' }))
    clock.offsetSeconds = 20 * day
    for (let n = 0; n < 6; n++) await flat(person, 'POST', '/oauth/clients', {})
    for (let n = 0; n < 11; n++) await signIn()
    expect((await signIn()).status).toBe(429)
    clock.offsetSeconds = 0
    const left = async () => (await person.get('/oauth/clients')).headers.get('x-oauth-ratelimit-remaining')
    expect(await left()).toBe('5')
    expect((await flat(person, 'POST', '/oauth/clients', {})).status).toBe(400)
    expect(await left()).toBe('4')
    expect((await signIn()).status).toBe(401)
  })
  test('a session from the future is not one that has just begun', async () => {
    const user = await aUser(context)
    clock.offsetSeconds = 2 * day
    const { secret } = await issueCredential(db, 'session', user, config, clock.now())
    clock.offsetSeconds = 0
    const change = asking('email_changes', { email: 'another@example.org' })
    const answer = await bearerOf(app, secret).patch('/v1/user/email', change)
    expect([answer.status, answer.faults]).toEqual([
      403,
      ['REAUTHENTICATION_REQUIRED /data/attributes/current_password'],
    ])
  })
})

describe('on replicas whose clocks differ', () => {
  const options = { now: new Date(), internalPoolLimit: config.internalPoolLimit }
  const allowance = { limit: 5000, windowSeconds: day }

  test('a new key takes over from the one that it replaces, not from the one that was created last', async () => {
    const user = await aUser(context)
    await issueKey(db, user, config, new Date(Date.now() + 300_000), 'starter')
    const { id, secret } = await issueKey(db, user, config, new Date(), 'starter')
    await agree(db, id, allowance, options)
    for (let n = 0; n < 3; n++) await bearerOf(app, secret).get('/v1/cards')
    const { secret: next } = await issueKey(db, user, config, new Date(), 'starter')
    const { headers } = await bearerOf(app, next).get('/v1/cards')
    expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['5000', '4996'])
  })
  test('the tokens of an account have the allowance of its live key', async () => {
    const user = await aUser(context)
    await issueKey(db, user, config, new Date(Date.now() + 300_000), 'pro')
    const { id, secret } = await issueKey(db, user, config, new Date(), 'pro')
    await agree(db, id, { limit: 20_000, windowSeconds: day }, options)
    const usage = JSON.parse((await bearerOf(app, secret).get('/v1/user/usage')).text)
    expect(usage.windows.at(-1)).toEqual({ type: 'billing_account', limit: 20_000, remaining: 20_000, resets_at: null })
  })
})
