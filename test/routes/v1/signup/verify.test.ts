import { describe, expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'
import { clientWith } from '../../../support/callers.ts'
import { anAddress, asking, day, later, mailsOf, signingUp, standing } from '../../../support/signing-up.ts'

const app = await testApp({ environment: { FOUNDING_SLOTS: 'unlimited' } })
const { signUp, lastToken, verify, resend, join } = signingUp(app)

const byKey = (key: unknown) => clientWith(app.fetch, app.baseUrl, { Authorization: `Bearer ${key}` })
const subscriptionOf = async (id: string) => {
  const [row] = await app.db.sql`select plan, status, trial_ends_at from subscriptions where user_id = ${id}`
  return row
}

describe('POST /v1/signup/verify', () => {
  test('verifies the account, starts its trial and shows the key once', async () => {
    const email = anAddress()
    await signUp(email, { name: 'Ana' })
    const answer = await verify(await lastToken(email))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.one).toMatchObject({ type: 'users', attributes: { email, name: 'Ana', operator: false } })
    expect(answer.meta.api_key).toMatch(/^cardstock_test_[0-9A-Za-z]{43}$/)
    const left = Date.parse(String(answer.meta.trial_ends_at)) - app.clock.now().getTime()
    expect(left / 1000).toBeWithin(14 * day - 60, 14 * day + 1)
    expect(answer.one.attributes.trial_ends_at).toBe(answer.meta.trial_ends_at)
    expect(await subscriptionOf(answer.one.id)).toMatchObject({ plan: 'trial', status: 'trialing' })
  })

  test('the key has the limit of the trial and reads published data at once', async () => {
    const { key } = await join()
    const answer = await byKey(key).get('/v1/cards')
    expect([answer.status, answer.headers.get('x-ratelimit-limit')]).toEqual([200, '10000'])
    expect((await byKey(key).post('/v1/brands', asking('brands', { name: 'Mine' }))).status).toBe(403)
  })

  test('sends one welcome, which does not hold the key', async () => {
    const { email, key } = await join()
    const [mail, ...others] = await mailsOf(app, email, 'welcome')
    expect(others).toEqual([])
    expect(mail?.text).not.toContain(String(key))
  })

  test('works once: 422 afterwards, and nothing is issued', async () => {
    const email = anAddress()
    await signUp(email)
    const token = await lastToken(email)
    expect((await verify(token)).status).toBe(200)
    const again = await verify(token)
    expect([again.status, again.faults]).toEqual([422, ['VALIDATION-FAILED /data/attributes/token']])
    expect(
      await app.db.sql`
      select c.id from credentials c join users u on u.id = c.user_id where u.email = ${email}`,
    ).toHaveLength(1)
  })

  test('two requests with one token at once: one verifies', async () => {
    const email = anAddress()
    await signUp(email)
    const token = await lastToken(email)
    const answers = await Promise.all([verify(token), verify(token), verify(token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
  })

  test('after 24 hours answers 410 token_expired, leaves the token as it is, and resend takes it', async () => {
    const email = anAddress()
    await signUp(email)
    const token = await lastToken(email)
    await later(app, day + 1, async () => {
      for (let n = 0; n < 2; n++) {
        const answer = await verify(token)
        expect([answer.status, answer.faults]).toEqual([410, ['token_expired /data/attributes/token']])
      }
      expect((await resend(token)).status).toBe(202)
      expect((await verify(await lastToken(email))).status).toBe(200)
    })
  })

  test('just before its 24 hours are over it still works', async () => {
    await standing(app, async () => {
      const email = anAddress()
      await signUp(email)
      const token = await lastToken(email)
      await later(app, day - 1, async () => expect((await verify(token)).status).toBe(200))
    })
  })

  test.each([[''], ['x'], ['0'.repeat(64)], ["'; drop table users; --"]])('refuses %p with 422', async (token) => {
    const answer = await verify(token)
    expect([answer.status, answer.faults]).toEqual([422, ['VALIDATION-FAILED /data/attributes/token']])
  })

  test('takes the token from the body alone', async () => {
    const email = anAddress()
    await signUp(email)
    const token = await lastToken(email)
    const caller = app.stranger()
    expect((await caller.post(`/v1/signup/verify?token=${token}`, asking('verifications', {}))).status).toBe(400)
    expect((await caller.post('/v1/signup/verify', asking('verifications', {}))).status).toBe(422)
    expect((await caller.get(`/v1/signup/verify?token=${token}`)).status).toBe(405)
  })

  test('is limited to 30 an hour and address', async () => {
    const caller = app.stranger()
    const ask = () => caller.post('/v1/signup/verify', asking('verifications', { token: 'x' }))
    for (let n = 0; n < 30; n++) expect((await ask()).status).toBe(422)
    const refused = await ask()
    expect([refused.status, refused.faults]).toEqual([429, ['TOO-MANY-REQUESTS']])
  })
})
