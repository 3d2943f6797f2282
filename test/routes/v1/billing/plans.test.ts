import { expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'
import { testBilling } from '../../../support/billing.ts'
import { flat } from '../../../support/people.ts'
import { prices } from '../../../support/stripe/world.ts'
import { until } from '../../../support/until.ts'

const { app, stripe } = await testBilling()
const asked = () => stripe.asked.filter(({ path }) => path.startsWith('/v1/prices/')).length
type Plan = { plan: string; limit: number; price: { amount: string; currency: string } | null }
const read = async () => {
  const answer = await flat(app.stranger(), 'GET', '/v1/billing/plans')
  expect(answer.status).toBe(200)
  return answer.flat as { plans: Plan[]; prices_read_at: string | null }
}
const amounts = async () => (await read()).plans.map(({ price }) => price?.amount)
const price = (id: string) => {
  const found = stripe.world.prices.get(id)
  if (!found) throw new Error(`no price ${id}`)
  return found
}

test('whoever asks gets the plans, what they allow, and what Stripe says they cost', async () => {
  const monthly = { currency: 'USD', interval: 'month', interval_count: 1 }
  expect((await read()).plans).toEqual([
    { plan: 'starter', limit: 1000, window_seconds: 86_400, price: { amount: '9.00', ...monthly } },
    { plan: 'pro', limit: 10_000, window_seconds: 86_400, price: { amount: '29.00', ...monthly } },
  ] as unknown as Plan[])
})

test('Stripe is asked once in ten minutes, however many ask here', async () => {
  const before = asked()
  price(prices.pro).unit_amount = 3900
  await Promise.all(Array.from({ length: 20 }, read))
  expect([asked(), await amounts()]).toEqual([before, ['9.00', '29.00']])
  app.clock.offsetSeconds += 601
  await until(async () => (await amounts())[1] === '39.00')
  expect(asked()).toBe(before + 2)
})

test('prices are read again after the clock was set back', async () => {
  price(prices.pro).unit_amount = 4900
  app.clock.offsetSeconds -= 700
  await until(async () => (await amounts())[1] === '49.00')
})

test('while Stripe does not answer the last prices are told for a day, then none', async () => {
  stripe.fail('GET /v1/prices', 'down', 1000)
  const { prices_read_at: at } = await read()
  app.clock.offsetSeconds += 80_000
  expect(await read()).toMatchObject({ prices_read_at: at, plans: [{ price: { amount: '9.00' } }, {}] })
  app.clock.offsetSeconds += 10_000
  expect(await read()).toMatchObject({ prices_read_at: null, plans: [{ price: null }, { price: null }] })
  stripe.fail('GET /v1/prices', 'down', 0)
  app.clock.offsetSeconds += 60
  await until(async () => (await amounts())[0] === '9.00')
})

test('amounts are in units of their currency, and a price that is archived is not on sale', async () => {
  Object.assign(price(prices.starter), { currency: 'jpy', unit_amount: 1200 })
  price(prices.pro).active = false
  app.clock.offsetSeconds += 601
  await until(async () => (await read()).plans.length === 1)
  expect((await read()).plans[0]?.price).toMatchObject({ amount: '1200', currency: 'JPY' })
})

test('a service without Stripe sells no plan', async () => {
  const closed = await testApp()
  const answer = await flat(closed.stranger(), 'GET', '/v1/billing/plans')
  expect(answer.flat).toEqual({ plans: [], prices_read_at: null })
})
