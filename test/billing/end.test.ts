import { describe, expect, test } from 'bun:test'
import { endBilling } from '../../src/billing/end.ts'
import type { Context } from '../../src/context.ts'
import { testBilling } from '../support/billing.ts'
import { aPerson } from '../support/people.ts'
import { subscribe } from '../support/stripe/moves.ts'

const { app, stripe, deliverNews, checkout, aPayer, customerOf, heldBy, payAt, standing } = await testBilling()
const ending = (user: string, context: Context = app.context) =>
  endBilling(context, user).then(
    () => 'ended',
    (error) => error.status,
  )

describe('ending what an account pays for', () => {
  test('cancels every subscription at Stripe at once, and removes the customer', async () => {
    const payer = await aPayer()
    const customer = await customerOf(payer.user)
    for (const status of ['past_due', 'trialing', 'paused', 'incomplete', 'unpaid'])
      subscribe(stripe.world, customer, 'price_pro', status)
    const other = await aPayer()
    expect(await ending(payer.user)).toBe('ended')
    expect((await heldBy(payer.user)).map(({ status }) => status)).toEqual(Array(6).fill('canceled'))
    expect(stripe.world.customers.get(customer)?.deleted).toBe(true)
    expect((await heldBy(other.user)).map(({ status }) => status)).toEqual(['active'])
  })
  test('is told of by Stripe as any other end', async () => {
    const payer = await aPayer()
    await ending(payer.user)
    await deliverNews()
    expect(await standing(payer)).toBe('starter canceled')
  })
  test('may be done again, and by somebody who pays for nothing', async () => {
    const payer = await aPayer()
    expect([await ending(payer.user), await ending(payer.user)]).toEqual(['ended', 'ended'])
    const before = stripe.asked.length
    expect(await ending((await aPerson(app)).user)).toBe('ended')
    expect(stripe.asked.length).toBe(before)
  })
  test('closes a checkout page that is still open', async () => {
    const person = await aPerson(app, { status: 'none' })
    const { url } = (await checkout(person)).flat
    await ending(person.user)
    expect(stripe.world.customers.get(await customerOf(person.user))?.deleted).toBe(true)
    expect((await payAt(url)).status).toBe(404)
  })
  test('fails with 502 where Stripe does not do it, and can be done later', async () => {
    for (const where of ['GET /v1/subscriptions', 'DELETE /v1/subscriptions']) {
      const payer = await aPayer()
      stripe.fail(where, 'down', 100)
      expect([where, await ending(payer.user)]).toEqual([where, 502])
      stripe.fail(where, 'down', 0)
      expect([where, await ending(payer.user)]).toEqual([where, 'ended'])
      expect((await heldBy(payer.user)).map(({ status }) => status)).toEqual(['canceled'])
    }
  })
  test('is done though the customer cannot be removed', async () => {
    const payer = await aPayer()
    stripe.fail('DELETE /v1/customers', 'down', 100)
    expect(await ending(payer.user)).toBe('ended')
    stripe.fail('DELETE /v1/customers', 'down', 0)
    expect((await heldBy(payer.user)).map(({ status }) => status)).toEqual(['canceled'])
  })
  test('without a key fails while something is paid for, and only then', async () => {
    const bare = { ...app.context, payments: undefined }
    const payer = await aPayer()
    expect(await ending(payer.user, bare)).toBe(502)
    await ending(payer.user)
    await deliverNews()
    expect(await ending(payer.user, bare)).toBe('ended')
  })
})

test('an event of an account that is gone is taken', async () => {
  const payer = await aPayer()
  await ending(payer.user)
  await app.db.sql`delete from users where id = ${payer.user}`
  expect(await deliverNews()).toEqual([200])
})
