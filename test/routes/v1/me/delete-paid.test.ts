import { expect, test } from 'bun:test'
import { testBilling } from '../../../support/billing.ts'
import { asking } from '../../../support/signing-up.ts'

const { stripe, deliverNews, aPayer, customerOf, heldBy } = await testBilling()

type Payer = Awaited<ReturnType<typeof aPayer>>
const remove = ({ user, person }: Payer, email = `${user}@example.org`) =>
  person.send('DELETE', '/v1/me', {
    body: JSON.stringify(asking('users', { confirm_email: email })),
    headers: { 'Content-Type': 'application/vnd.api+json' },
  })

test('deleting a paying account ends what it pays for at Stripe, and later events of it are taken', async () => {
  const payer = await aPayer()
  const customer = await customerOf(payer.user)
  expect((await remove(payer)).status).toBe(204)
  const held = [...stripe.world.subscriptions.values()].filter((one) => one.customer === customer)
  expect(held.map(({ status }) => status)).toEqual(['canceled'])
  expect((await payer.key.get('/v1/cards')).status).toBe(401)
  expect(new Set(await deliverNews())).toEqual(new Set([200]))
})

test('where Stripe fails the answer is 502, and account and subscription stay', async () => {
  const payer = await aPayer()
  stripe.fail('DELETE /v1/subscriptions', 'down', 100)
  const answer = await remove(payer)
  expect([answer.status, answer.faults]).toEqual([502, ['BILLING_UNAVAILABLE']])
  stripe.fail('DELETE /v1/subscriptions', 'down', 0)
  expect((await payer.person.get('/v1/me')).status).toBe(200)
  expect((await heldBy(payer.user)).map(({ status }) => status)).toEqual(['active'])
  expect((await remove(payer)).status).toBe(204)
})

test('an address that does not confirm it ends nothing', async () => {
  const payer = await aPayer()
  expect((await remove(payer, 'somebody@else.example')).status).toBe(422)
  expect((await heldBy(payer.user)).map(({ status }) => status)).toEqual(['active'])
})
