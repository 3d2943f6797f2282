import { describe, expect, test } from 'bun:test'
import { testBilling } from '../../../support/billing.ts'
import { otherSettings } from '../../../support/other-settings.ts'
import { aPerson, bearerOf, flat } from '../../../support/people.ts'
import { type Fault, faults } from '../../../support/stripe/faults.ts'
import { until } from '../../../support/until.ts'

const { app, stripe, checkout } = await testBilling({ STRIPE_TIMEOUT: '60' })
/** Waits a second for Stripe, which a busy machine may need for an answer that is well, too. */
const hasty = otherSettings(app, { ...stripe.environment, STRIPE_TIMEOUT: '1' })
const calls = ['POST /v1/customers', 'POST /v1/checkout', 'POST /v1/billing_portal']
const everything = 1000

describe.each(Object.keys(faults) as Fault[])('a Stripe that is %s', (fault) => {
  test('is a 502 that tells nothing of it, and the next request finds it well', async () => {
    for (const where of calls) {
      const { session } = await aPerson(app, { status: 'trialing' })
      const person = bearerOf(fault === 'silent' ? hasty : app, session)
      const path = where.includes('portal') ? '/v1/billing/portal' : '/v1/billing/checkout'
      const body = where.includes('portal') ? {} : { plan: 'pro' }
      stripe.fail(where, fault, everything)
      const answer = await flat(person, 'POST', path, body)
      stripe.fail(where, fault, 0)
      // An answer that is no customer, but has an id, cannot be told from one.
      if (fault === 'blank' && where === 'POST /v1/customers') continue
      expect([where, answer.status, answer.faults]).toEqual([where, 502, ['BILLING_UNAVAILABLE']])
      for (const word of ['sk_test', 'declined', 'broke', 'api_error']) expect(answer.text).not.toContain(word)
      const isWell = async () => (await flat(person, 'POST', path, body)).status === 200
      if (fault === 'silent') await until(isWell)
      else expect([where, await isWell()]).toEqual([where, true])
    }
  })
})

test('a first answer that goes wrong is asked for again, with the same key', async () => {
  const person = await aPerson(app)
  stripe.fail('POST /v1/checkout/sessions', 'down', 1)
  expect((await checkout(person)).status).toBe(200)
  const [first, second] = stripe.asked
    .filter(({ method, path }) => `${method} ${path}` === 'POST /v1/checkout/sessions')
    .slice(-2)
  expect(first?.key).toBe(second?.key ?? '')
})

test('a Stripe that fails is told of in the log, without its words, an address or a key', () => {
  const told = app.lines.filter(({ event }) => event === 'payments_failed')
  expect(told.length).toBeGreaterThan(10)
  const text = JSON.stringify(app.lines)
  for (const secret of ['sk_test', 'whsec', 'example.org', 'cus_', 'declined.']) expect(text).not.toContain(secret)
})

test('a key that Stripe does not know is a 502', async () => {
  const other = otherSettings(app, { ...stripe.environment, STRIPE_SECRET_KEY: 'sk_test_other' })
  const { person } = await aPerson(other)
  expect((await flat(person, 'POST', '/v1/billing/portal', {})).faults).toEqual(['BILLING_UNAVAILABLE'])
  expect(JSON.stringify(other.lines)).not.toContain('sk_test_other')
})

test('without a key, billing answers 502 and says that it is not configured', async () => {
  const bare = otherSettings(app, {})
  const { person } = await aPerson(bare)
  for (const [path, body] of [
    ['/v1/billing/checkout', { plan: 'pro' }],
    ['/v1/billing/portal', {}],
  ] as const) {
    const answer = await flat(person, 'POST', path, body)
    expect([answer.status, answer.faults]).toEqual([502, ['BILLING_UNAVAILABLE']])
    expect(answer.text).toContain('Billing is not configured')
  }
})
