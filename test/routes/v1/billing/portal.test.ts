import { expect, test } from 'bun:test'
import { testBilling } from '../../../support/billing.ts'
import { aPerson, flat } from '../../../support/people.ts'

const { app, stripe, aPayer, customerOf } = await testBilling()
const path = '/v1/billing/portal'
const portalOf = (url: string) => stripe.world.portals.get(url.split('/').at(-1) ?? '')

test('the portal of somebody who pays is that of their customer', async () => {
  const { user, person } = await aPayer()
  const before = stripe.world.customers.size
  const answer = await flat(person, 'POST', path, { return_url: `${app.baseUrl}/account` })
  expect([answer.status, Object.keys(answer.flat)]).toEqual([200, ['url']])
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(portalOf(answer.flat.url)).toMatchObject({
    customer: await customerOf(user),
    return_url: `${app.baseUrl}/account`,
  })
  expect(stripe.world.customers.size).toBe(before)
})

test('the portal makes the customer where there is none, once, whatever the subscription is', async () => {
  for (const status of ['none', 'trialing', 'past_due', 'canceled']) {
    const { user, person } = await aPerson(app, { status })
    const before = stripe.world.customers.size
    const answers = await Promise.all([flat(person, 'POST', path, {}), flat(person, 'POST', path, {})])
    expect(answers.map((answer) => answer.status)).toEqual([200, 200])
    expect(stripe.world.customers.size).toBe(before + 1)
    expect(portalOf(answers[0]?.flat.url)?.customer).toBe(await customerOf(user))
  }
})

test('the portal needs no body, and leads back to the service', async () => {
  const { person } = await aPerson(app)
  for (const body of [undefined, {}]) {
    const answer = await flat(person, 'POST', path, body)
    expect(answer.status).toBe(200)
    expect(portalOf(answer.flat.url)?.return_url).toStartWith(`${app.baseUrl}/`)
  }
  expect((await flat(person, 'POST', path, { customer: 'cus_1' })).faults).toEqual(['VALIDATION-FAILED /customer'])
})

test('the portal is for a person who signed in', async () => {
  expect((await flat(app.anonymous, 'POST', path, {})).status).toBe(401)
  expect((await flat(app.reader, 'POST', path, {})).status).toBe(401)
  expect((await flat(app.subscriber, 'POST', path, {})).faults).toEqual(['FORBIDDEN_NOT_INTERACTIVE_SESSION'])
  expect((await flat(app.operator, 'POST', path, {})).status).toBe(200)
})
