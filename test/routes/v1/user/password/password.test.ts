import { describe, expect, test } from 'bun:test'
import { testApp } from '../../../../support/app.ts'
import {
  anAddress,
  asking,
  goodPassword,
  later,
  mailsOf,
  signingUp,
  standing,
  tokenIn,
} from '../../../../support/signing-up.ts'

const app = await testApp({ environment: { FOUNDING_SLOTS: 'unlimited' } })
const { signUp, signIn, joinAndSignIn, inSession } = signingUp(app)
const other = 'a better password'

const forget = (email: unknown) => app.stranger().post('/v1/user/password/forgot', asking('password_resets', { email }))
const reset = (token: string, password = other) =>
  app.stranger().post('/v1/user/password/reset', asking('password_resets', { token, password }))
const resetToken = async (email: string) => {
  await forget(email)
  return tokenIn((await mailsOf(app, email, 'reset_password')).at(-1))
}

describe('PATCH /v1/user/password', () => {
  const change = (current_password: unknown, password: unknown = other) =>
    asking('passwords', { current_password, password })

  test('changes it: this session goes on, the others end, the key stays', async () => {
    const { email, person, key } = await joinAndSignIn()
    const elsewhere = await inSession(email)
    const answer = await person.patch('/v1/user/password', change(goodPassword))
    expect([answer.status, answer.one.type]).toEqual([200, 'passwords'])
    expect((await person.get('/v1/me')).status).toBe(200)
    expect((await elsewhere.get('/v1/me')).status).toBe(401)
    expect([(await signIn(email)).status, (await signIn(email, other)).status]).toEqual([401, 201])
    const byKey = await app.fetch(
      new Request(`${app.baseUrl}/v1/cards`, { headers: { Authorization: `Bearer ${key}` } }),
    )
    expect(byKey.status).toBe(200)
  })

  test('ends a link to reset it, and a change of address that was asked for', async () => {
    const { email, person } = await joinAndSignIn()
    const token = await resetToken(email)
    const elsewhere = anAddress()
    await person.patch('/v1/user/email', asking('email_changes', { email: elsewhere }))
    await person.patch('/v1/user/password', change(goodPassword))
    expect((await reset(token, 'a third password')).status).toBe(422)
    const confirm = tokenIn((await mailsOf(app, elsewhere, 'confirm_address'))[0])
    const answer = await app.stranger().post('/v1/user/email/confirm', asking('email_changes', { token: confirm }))
    expect(answer.status).toBe(422)
  })

  test.each([
    ['not the password', other, 'current_password'],
    [undefined, other, 'current_password'],
    [goodPassword, 'short', 'password'],
    [goodPassword, 'x'.repeat(129), 'password'],
    [goodPassword, null, 'password'],
  ])('refuses %p to %p with 422', async (current, wanted, field) => {
    const { email, person } = await joinAndSignIn()
    const answer = await person.patch('/v1/user/password', change(current, wanted))
    expect([answer.status, answer.faults]).toEqual([422, [`VALIDATION-FAILED /data/attributes/${field}`]])
    expect((await signIn(email)).status).toBe(201)
  })

  test('is guessed at 10 times in 15 minutes at most', async () => {
    const { person } = await joinAndSignIn()
    const statuses: number[] = []
    for (let n = 0; n < 11; n++) statuses.push((await person.patch('/v1/user/password', change('wrong'))).status)
    expect(statuses).toEqual([...Array(10).fill(422), 429])
  })

  test('is for sessions alone', async () => {
    expect((await app.subscriber.patch('/v1/user/password', change(''))).status).toBe(403)
    expect((await app.reader.patch('/v1/user/password', change(''))).status).toBe(401)
  })
})

describe('POST /v1/user/password/forgot', () => {
  test('answers 202 alike for an account, an account that is not verified, and nobody', async () => {
    const { email } = await joinAndSignIn()
    const [unverified, nobody] = [anAddress(), anAddress()]
    await signUp(unverified)
    const answers = [await forget(email), await forget(unverified), await forget(nobody)]
    for (const [at, address] of [email, unverified, nobody].entries()) {
      expect(answers[at]?.status).toBe(202)
      expect(answers[at]?.one.attributes).toEqual({ email: address })
      expect(Object.keys(answers[at]?.document ?? {})).toEqual(Object.keys(answers[0]?.document ?? {}))
    }
    expect(await mailsOf(app, email, 'reset_password')).toHaveLength(1)
    expect(await mailsOf(app, unverified, 'reset_password')).toEqual([])
    expect(await mailsOf(app, nobody, 'reset_password')).toEqual([])
  })

  test('brings a link, whose token is kept as a hash alone', async () => {
    const { email } = await joinAndSignIn()
    const token = await resetToken(email.toUpperCase()).catch(() => resetToken(email))
    expect(token).toMatch(/^[0-9A-Za-z]{64}$/)
    const stored = JSON.stringify([
      ...(await app.db.sql`select r::text from password_resets r`),
      ...(await app.db.sql`select j::text from jobs j`),
    ])
    expect(stored).not.toContain(token)
    expect(stored).not.toContain(email)
  })

  test('does not flood an address', async () => {
    const { email } = await joinAndSignIn()
    for (let n = 0; n < 7; n++) expect((await forget(email)).status).toBe(202)
    expect(await mailsOf(app, email, 'reset_password')).toHaveLength(5)
  })

  test('is limited to 10 an hour and address', async () => {
    const caller = app.stranger()
    const ask = () => caller.post('/v1/user/password/forgot', asking('password_resets', { email: 'a@example.org' }))
    for (let n = 0; n < 10; n++) expect((await ask()).status).toBe(202)
    expect((await ask()).status).toBe(429)
  })

  test('answers 202 to any text but NUL, and sends nothing where it is no address', async () => {
    for (const text of [
      'nobody',
      '',
      ' ',
      '@',
      'a@b@c',
      'ü@exämple.org',
      '<a@example.org>',
      'a\nb@example.org',
      'x'.repeat(9000),
    ])
      expect([text, (await forget(text)).status]).toEqual([text, 202])
    expect((await forget('a\u0000@example.org')).faults).toEqual(['VALIDATION-FAILED /data/attributes/email'])
    for (const email of [5, null, ['a@example.org']])
      expect((await forget(email)).faults).toEqual(['VALIDATION-FAILED /data/attributes/email'])
    expect(await mailsOf(app, 'nobody', 'reset_password')).toEqual([])
    expect(await app.db.sql`select 1 from jobs where status = 'failed'`).toHaveLength(0)
  })
})

describe('POST /v1/user/password/reset', () => {
  test('changes the password once, and ends every session', async () => {
    const { email, person } = await joinAndSignIn()
    const token = await resetToken(email)
    const answer = await reset(token)
    expect([answer.status, answer.one.type]).toEqual([200, 'password_resets'])
    expect((await person.get('/v1/me')).status).toBe(401)
    expect([(await signIn(email)).status, (await signIn(email, other)).status]).toEqual([401, 201])
    expect((await reset(token, 'a third password')).faults).toEqual(['VALIDATION-FAILED /data/attributes/token'])
    expect((await signIn(email, other)).status).toBe(201)
  })

  test('ends the other links of the account too', async () => {
    const { email } = await joinAndSignIn()
    const [first, second] = [await resetToken(email), await resetToken(email)]
    expect((await reset(second)).status).toBe(200)
    expect((await reset(first, 'a third password')).status).toBe(422)
  })

  test('two at once with one token: one is taken', async () => {
    const { email } = await joinAndSignIn()
    const token = await resetToken(email)
    const answers = await Promise.all([reset(token, 'the password one'), reset(token, 'the password two')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  })

  test('is possible for an hour', async () => {
    const { email } = await joinAndSignIn()
    await standing(app, async () => {
      const token = await resetToken(email)
      await later(app, 3601, async () => expect((await reset(token)).status).toBe(422))
      await later(app, 3599, async () => expect((await reset(token)).status).toBe(200))
    })
  })

  test('refuses a bad password without using the token up', async () => {
    const { email } = await joinAndSignIn()
    const token = await resetToken(email)
    expect((await reset(token, 'short')).faults).toEqual(['VALIDATION-FAILED /data/attributes/password'])
    expect((await reset(token)).status).toBe(200)
  })

  test.each([[''], ['0'.repeat(64)]])('refuses the token %p', async (token) => {
    expect((await reset(token)).faults).toEqual(['VALIDATION-FAILED /data/attributes/token'])
  })
})
