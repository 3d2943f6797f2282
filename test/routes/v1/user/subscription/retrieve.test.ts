import { describe, expect, test } from 'bun:test'
import { issueCredential } from '../../../../../src/access/credentials.ts'
import { activatePlan } from '../../../../../src/accounts/subscriptions.ts'
import { testApp } from '../../../../support/app.ts'
import { aUser, clientWith } from '../../../../support/callers.ts'

const app = await testApp()
const { context, db, clock } = app
const path = '/v1/user/subscription'

const aPerson = async (standing: Parameters<typeof aUser>[1] = {}) => {
  const user = await aUser(context, standing)
  const { secret } = await issueCredential(db, 'session', user, context.config, clock.now())
  return { user, person: clientWith(app.fetch, app.baseUrl, { Authorization: `Bearer ${secret}` }) }
}

describe('GET /v1/user/subscription', () => {
  test('tells plan, status and dates', async () => {
    const { user, person } = await aPerson({ status: 'none' })
    await activatePlan(db, user, 'trial', 14, clock.now())
    const { status, one } = await person.get(path)
    expect(status).toBe(200)
    expect(one).toMatchObject({ type: 'subscriptions', id: user, links: { self: `${app.baseUrl}${path}` } })
    const { trial_ends_at: endsAt, ...rest } = one.attributes
    expect(rest).toEqual({
      ...{ plan: 'trial', status: 'trialing', current_period_end: null, cancel_at: null, cancel_at_period_end: false },
    })
    expect(endsAt).toMatch(/^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/)
    expect(Date.parse(String(endsAt)) - clock.now().getTime()).toBeWithin(14 * 86_400_000 - 60_000, 14 * 86_400_000 + 1)
  })
  test('tells a subscription that has ended, and asks for none', async () => {
    for (const status of ['past_due', 'canceled', 'paused']) {
      const { person } = await aPerson({ status })
      const answer = await person.get(path)
      expect([answer.status, answer.one.attributes.status]).toEqual([200, status])
    }
  })
  test('is a resource without a plan for who has none', async () => {
    const { user, person } = await aPerson({ status: 'none' })
    const { status, one } = await person.get(path)
    expect([status, one.id]).toEqual([200, user])
    expect(one.attributes).toEqual({
      plan: null,
      status: null,
      trial_ends_at: null,
      current_period_end: null,
      cancel_at: null,
      cancel_at_period_end: false,
    })
  })
  test('never shows what the payment processor calls it', async () => {
    const { user, person } = await aPerson()
    await db.sql`update subscriptions set stripe_subscription_id = 'sub_1', current_period_end = now() where user_id = ${user}`
    const answer = await person.get(path)
    expect(answer.text).not.toContain('sub_1')
    expect(answer.one.attributes.current_period_end).toMatch(/Z$/)
  })
  test('takes fields, and no other parameter', async () => {
    const { person } = await aPerson()
    expect((await person.get(`${path}?fields[subscriptions]=status`)).one.attributes).toEqual({ status: 'active' })
    expect((await person.get(`${path}?user=1`)).faults).toEqual(['INVALID_PARAMETER user'])
  })
})
