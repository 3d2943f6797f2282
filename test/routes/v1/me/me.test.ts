import { describe, expect, test } from 'bun:test'
import { issueCredential } from '../../../../src/access/credentials.ts'
import { testApp } from '../../../support/app.ts'
import { anAddress, asking, signingUp, withToken } from '../../../support/signing-up.ts'

const app = await testApp({ environment: { FOUNDING_SLOTS: 'unlimited' } })
const { db } = app
const { joinAndSignIn, inSession, signIn, join } = signingUp(app)

const byMethod = [
  ['GET', '/v1/me'],
  ['PATCH', '/v1/me'],
  ['DELETE', '/v1/me'],
  ['GET', '/user'],
] as const

describe('the account', () => {
  test('is shown to whoever signed in', async () => {
    const { email, id, person } = await joinAndSignIn()
    const { one, links } = await person.get('/v1/me')
    expect(one).toMatchObject({ type: 'users', id, links: { self: `${app.baseUrl}/v1/me` } })
    expect(Object.keys(one.attributes).sort()).toEqual(
      ['name', 'email', 'pending_email', 'operator', 'verified_at', 'trial_ends_at', 'created_at', 'updated_at'].sort(),
    )
    expect(one.attributes).toMatchObject({ name: null, email, pending_email: null, operator: false })
    expect(links.self).toBe(`${app.baseUrl}/v1/me`)
    expect((await person.get('/v1/me?fields[users]=email')).one.attributes).toEqual({ email })
    expect((await person.get('/v1/me?password=1')).faults).toEqual(['INVALID_PARAMETER password'])
  })

  test.each(byMethod)('%s %s is for sessions alone', async (method, path) => {
    expect((await app.subscriber.send(method, path)).faults).toEqual(['FORBIDDEN_NOT_INTERACTIVE_SESSION'])
    expect((await app.machine.send(method, path)).faults).toEqual(['FORBIDDEN_NOT_INTERACTIVE_SESSION'])
    for (const caller of [app.reader, app.anonymous, app.revoked])
      expect((await caller.send(method, path)).status).toBe(401)
  })

  test('stays open without a subscription', async () => {
    const { id, person } = await joinAndSignIn()
    await db.sql`update subscriptions set status = 'canceled' where user_id = ${id}`
    expect((await person.get('/v1/me')).status).toBe(200)
    expect((await person.get('/v1/cards')).status).toBe(402)
  })
})

describe('PATCH /v1/me', () => {
  test('changes the name, or takes it away, and may leave it', async () => {
    const { id, person } = await joinAndSignIn()
    const patch = async (attributes: object) =>
      (await person.patch('/v1/me', { data: { type: 'users', id, attributes } })).one.attributes
    expect(await patch({ name: 'Ana' })).toMatchObject({ name: 'Ana' })
    expect(await patch({})).toMatchObject({ name: 'Ana' })
    expect(await patch({ name: null })).toMatchObject({ name: null })
  })

  test('ignores what it shows and nobody writes: no one becomes an operator, or gets another address', async () => {
    const { email, person } = await joinAndSignIn()
    const { one } = await person.get('/v1/me')
    const attributes = { ...one.attributes, operator: true, email: 'eve@example.org', trial_ends_at: '2099-01-01' }
    const answer = await person.patch('/v1/me', asking('users', attributes))
    expect(answer.status).toBe(200)
    expect(answer.one.attributes).toMatchObject({ email, operator: false })
    expect(answer.one.attributes.trial_ends_at).toBe(one.attributes.trial_ends_at)
  })

  test.each([['password_hash'], ['password'], ['verified'], ['plan'], ['signed_up'], ['email_key']])(
    'refuses %s',
    async (name) => {
      const { person } = await joinAndSignIn()
      const answer = await person.patch('/v1/me', asking('users', { [name]: 'x' }))
      expect([answer.status, answer.faults]).toEqual([422, [`VALIDATION-FAILED /data/attributes/${name}`]])
    },
  )
})

describe('DELETE /v1/me', () => {
  const confirm = (email: unknown) => ({
    body: JSON.stringify(asking('users', { confirm_email: email })),
    headers: { 'Content-Type': 'application/vnd.api+json' },
  })

  test('deletes the account for good, and everything that opened it ends at once', async () => {
    const { email, id, key, person } = await joinAndSignIn()
    const other = await inSession(email)
    const { secret } = await issueCredential(db, 'personal_token', id, app.context.config, new Date(), {
      scopes: ['read:published'],
    })
    const token = withToken(app, secret)
    expect((await token.get('/v1/cards')).status).toBe(200)
    const answer = await person.send('DELETE', '/v1/me', confirm(email.toUpperCase()))
    expect(answer.status).toBe(204)
    expect(answer.headers.get('set-cookie')).toContain('Max-Age=0')
    for (const caller of [person, other, token, withToken(app, key)])
      expect((await caller.get('/v1/cards')).status).toBe(401)
    expect((await signIn(email)).status).toBe(401)
    for (const table of [
      ...['credentials', 'subscriptions', 'sign_ups', 'password_resets', 'email_changes', 'email_undos'],
      ...['sign_in_networks', 'usage_days'],
    ])
      expect([table, (await db.sql`select 1 from ${db.sql(table)} where user_id = ${id}`).length]).toEqual([table, 0])
  })

  test('lets the address sign up again', async () => {
    const { email, person } = await joinAndSignIn()
    await person.send('DELETE', '/v1/me', confirm(email))
    expect((await join(email)).key).toBeString()
  })

  test.each([[undefined], [''], [null], ['somebody@else.example'], [true]])(
    'wants its address, not %p',
    async (email) => {
      const { person } = await joinAndSignIn()
      const answer = await person.send('DELETE', '/v1/me', confirm(email))
      expect([answer.status, answer.faults]).toEqual([422, ['VALIDATION-FAILED /data/attributes/confirm_email']])
      expect((await person.get('/v1/me')).status).toBe(200)
    },
  )

  test('wants a document', async () => {
    const { email, person } = await joinAndSignIn()
    expect((await person.delete('/v1/me')).status).toBe(400)
    expect((await person.delete(`/v1/me?confirm_email=${email}`)).status).toBe(400)
    expect((await person.get('/v1/me')).status).toBe(200)
  })
})

test('/user is flat, and says that it is deprecated', async () => {
  const { email, id, person } = await joinAndSignIn(anAddress())
  const answer = await person.get('/user')
  expect(answer.document as unknown).toEqual({ id, name: null, email, created_at: expect.any(String) })
  expect(answer.headers.get('content-type')).toBe('application/json')
  const [, since] = /^@(\d+)$/.exec(answer.headers.get('deprecation') ?? '') ?? []
  expect(Date.parse(String(answer.headers.get('sunset')))).toBeGreaterThan(Number(since) * 1000)
  expect((await person.get('/v1/me')).headers.has('deprecation')).toBe(false)
})
