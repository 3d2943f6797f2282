import { expect, test } from 'bun:test'
import { deleteAccount } from '../../../../src/accounts/me/account.ts'
import { withCustomer } from '../../../../src/billing/customers.ts'
import { testBilling } from '../../../support/billing.ts'
import { aPerson, type Person } from '../../../support/people.ts'
import { asking } from '../../../support/signing-up.ts'

const { app, stripe, deliverNews, aPayer, checkout, customerOf, heldBy } = await testBilling()

const { payments, clock } = app.context
if (!payments) throw new Error('no payments')

const remove = ({ user, person }: Pick<Person, 'user' | 'person'>, email = `${user}@example.org`) =>
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

const customersOf = (user: string) =>
  [...stripe.world.customers.values()].filter(({ metadata }) => metadata.user_id === user)

test('a customer that is created while the account is deleted is removed, and no page is opened', async () => {
  const person = await aPerson(app, { status: 'none' })
  const createCustomer: typeof payments.createCustomer = async (customer) => {
    const id = await payments.createCustomer(customer)
    expect((await remove(person)).status).toBe(204)
    return id
  }
  const opened = withCustomer(
    app.context,
    { ...payments, createCustomer },
    person.user,
    clock.now(),
    async () => 'a page',
  )
  expect(await opened.catch(({ status }) => status)).toBe(401)
  expect(customersOf(person.user).map(({ deleted }) => deleted)).toEqual([true])
})

test('a checkout that is opened while the account is deleted is closed, too', async () => {
  const person = await aPerson(app, { status: 'none' })
  await checkout(person)
  const [session] = await app.db.sql<{ id: string }[]>`
    select id from credentials where user_id = ${person.user} and kind = 'session'`
  const opened: number[] = []
  const removeCustomer: typeof payments.removeCustomer = async (id) => {
    await payments.removeCustomer(id)
    if (opened.length === 0) opened.push((await checkout(person)).status)
  }
  const context = { ...app.context, payments: { ...payments, removeCustomer } }
  const caller = { userId: person.user, credentialId: session?.id ?? null }
  await deleteAccount(context, caller, `${person.user}@example.org`, { agent: null, now: clock.now() })
  expect(opened).toEqual([200])
  expect(customersOf(person.user).map(({ deleted }) => deleted)).toEqual([true, true])
})

test('deleting it twice at once deletes it', async () => {
  const payer = await aPayer()
  const answers = await Promise.all([remove(payer), remove(payer), remove(payer)])
  expect(answers.map(({ status }) => status)).toContain(204)
  expect(answers.filter(({ status }) => status !== 204 && status !== 401)).toEqual([])
})

test('deleting an account that has just been deleted is a 401, whatever address confirms it', async () => {
  const { user } = await aPayer()
  await app.db.sql`delete from users where id = ${user}`
  const act = { agent: null, now: clock.now() }
  const again = deleteAccount(app.context, { userId: user, credentialId: null }, `${user}@example.org`, act)
  expect(await again.catch(({ status }) => status)).toBe(401)
})
