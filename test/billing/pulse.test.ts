import { afterAll, describe, expect, setSystemTime, test } from 'bun:test'
import { openPulse } from '../../src/payments/pulse.ts'
import { runningCommands } from '../commands/running.ts'
import { testApp } from '../support/app.ts'
import { otherSettings } from '../support/other-settings.ts'
import { aPerson, flat } from '../support/people.ts'
import { soonest } from '../support/soonest.ts'
import { openStripeDouble } from '../support/stripe/double.ts'
import { until } from '../support/until.ts'

const stripe = openStripeDouble()
afterAll(stripe.close)

const app = await testApp()
const start = (environment: Record<string, string> = {}) =>
  otherSettings(app, { ...stripe.environment, STRIPE_TIMEOUT: '1', ...environment })

const healthOf = async ({ fetch }: ReturnType<typeof start>) => {
  const answer = await fetch(new Request(`${app.baseUrl}/health`))
  const { checks } = (await answer.json()) as { checks: { billing: string } }
  return `${answer.status} ${checks.billing}`
}

/** Where Stripe has not answered within half a second, a later question knows of its answer. */
const becomesWell = (service: ReturnType<typeof start>) => until(async () => (await healthOf(service)) === '200 ok')

describe('billing in /health', () => {
  test('is ok where Stripe answers, even if it does not know the price', async () => {
    await becomesWell(start())
    await becomesWell(start({ STRIPE_PRICE_STARTER: 'price_unknown' }))
  })
  test('is failed, with 200, where nobody answers, where Stripe is down, and where it does not know the key', async () => {
    expect(await healthOf(start({ STRIPE_API_BASE: 'http://127.0.0.1:9' }))).toBe('200 failed')
    expect(await healthOf(start({ STRIPE_SECRET_KEY: 'sk_test_other' }))).toBe('200 failed')
    stripe.fail('GET /v1/prices', 'down', 100)
    expect(await healthOf(start())).toBe('200 failed')
    stripe.fail('GET /v1/prices', 'down', 0)
  })
  test('hardly waits for a Stripe that is silent', async () => {
    stripe.fail('GET /v1/prices', 'silent', 100)
    const service = start()
    const waited = await soonest(async () => {
      const begun = performance.now()
      expect(await healthOf(service)).toBe('200 failed')
      return performance.now() - begun
    })
    expect(waited).toBeLessThan(1500)
    stripe.fail('GET /v1/prices', 'silent', 0)
  })
  test('knows of what was asked meanwhile, and asks for nothing itself', async () => {
    const service = start()
    const { person } = await aPerson(service)
    await becomesWell(service)
    const before = stripe.asked.length
    for (let n = 0; n < 20; n++) await healthOf(service)
    expect(stripe.asked.length).toBe(before)
    stripe.fail('POST /v1/customers', 'down', 2)
    await flat(person, 'POST', '/v1/billing/portal', {})
    expect(await healthOf(service)).toBe('200 failed')
    await flat(person, 'POST', '/v1/billing/portal', {})
    expect(await healthOf(service)).toBe('200 ok')
  })
})

test('a pulse is read at once while it is known, asked for anew behind it, and not trusted after a minute', async () => {
  let [now, asked] = [0, 0]
  const pulse = openPulse(
    async () => {
      asked++
      await Bun.sleep(10_000)
    },
    () => now,
  )
  pulse.heard(true)
  const read = async (at: number) => {
    now = at
    const reading = pulse.read()
    const isAtOnce = await Promise.race([reading.then(() => true), Bun.sleep(0).then(() => false)])
    return [await reading, isAtOnce, asked]
  }
  expect(await read(9000)).toEqual(['ok', true, 0])
  expect(await read(30_000)).toEqual(['ok', true, 1])
  expect(await read(61_000)).toEqual(['failed', false, 1])
})

test('a pulse does not age by a clock that jumps', async () => {
  let asked = 0
  const pulse = openPulse(async () => void asked++)
  pulse.heard(true)
  try {
    setSystemTime(Date.now() + 86_400_000)
    expect([await pulse.read(), asked]).toEqual(['ok', 0])
  } finally {
    setSystemTime()
  }
})

describe('doctor', () => {
  const told = async (environment: Record<string, string>) => {
    const { exit, out } = await runningCommands(start(environment).context)('doctor')
    return `${exit} ${/^(ok|FAULT) +stripe +(.*)$/m.exec(out)?.slice(1).join(' ')}`
  }
  test('asks Stripe for both prices', async () => {
    expect(await told({})).toMatch(/^0 ok answers at http:.* and has both prices$/)
    expect(await told({ STRIPE_PRICE_PRO: 'price_old' })).toBe(
      '1 FAULT STRIPE_PRICE_PRO names no price of this account',
    )
  })
  test('says what is wrong with the key or the way, without a secret', async () => {
    expect(await told({ STRIPE_SECRET_KEY: 'sk_test_other' })).toMatch(/^1 FAULT retrieve price: 401/)
    expect(await told({ STRIPE_API_BASE: 'http://127.0.0.1:9' })).toMatch(/^1 FAULT retrieve price: no answer/)
  })
})
