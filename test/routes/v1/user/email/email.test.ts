import { describe, expect, test } from 'bun:test'
import { testApp } from '../../../../support/app.ts'
import { anAddress, asking, day, later, mailsOf, signingUp, standing, tokenIn } from '../../../../support/signing-up.ts'

const app = await testApp({ environment: { FOUNDING_SLOTS: 'unlimited' } })
const { join, signIn, joinAndSignIn } = signingUp(app)

type Person = Awaited<ReturnType<typeof joinAndSignIn>>['person']
const change = (person: Person, email: unknown) => person.patch('/v1/user/email', asking('email_changes', { email }))
const confirm = (token: unknown) => app.stranger().post('/v1/user/email/confirm', asking('email_changes', { token }))
const tokenFor = async (email: string) => tokenIn((await mailsOf(app, email, 'confirm_address')).at(-1))

describe('PATCH /v1/user/email', () => {
  test('keeps the new address pending and mails a link to it; the account keeps the old one', async () => {
    const { email, person } = await joinAndSignIn()
    const wanted = anAddress()
    const answer = await change(person, wanted)
    expect([answer.status, answer.one.type, answer.one.attributes.email]).toEqual([200, 'email_changes', wanted])
    expect((await person.get('/v1/me')).one.attributes).toMatchObject({ email, pending_email: wanted })
    const [mail] = await mailsOf(app, wanted, 'confirm_address')
    expect(mail?.link).toStartWith(`${app.baseUrl}/confirm-email#token=`)
    expect(await mailsOf(app, email, 'confirm_address')).toEqual([])
    expect((await signIn(email)).status).toBe(201)
    const stored = JSON.stringify([...(await app.db.sql`select c::text from email_changes c`)])
    expect(stored).not.toContain(tokenIn(mail))
  })

  test('refuses an address that is none, in use, or the account’s own, and sends nothing', async () => {
    const { email, person } = await joinAndSignIn()
    const { email: taken } = await join()
    for (const wanted of ['nobody', taken, taken.toUpperCase(), email, email.toUpperCase(), null]) {
      const answer = await change(person, wanted)
      expect([answer.status, answer.faults]).toEqual([422, ['VALIDATION-FAILED /data/attributes/email']])
    }
    expect(await mailsOf(app, taken, 'confirm_address')).toEqual([])
    expect((await person.get('/v1/me')).one.attributes.pending_email).toBeNull()
  })

  test('again: the link of the first one is dead', async () => {
    const { person } = await joinAndSignIn()
    const [first, second] = [anAddress(), anAddress()]
    await change(person, first)
    await change(person, second)
    expect((await confirm(await tokenFor(first))).status).toBe(422)
    expect((await confirm(await tokenFor(second))).status).toBe(200)
  })

  test('is limited to 10 an hour and account, and for sessions alone', async () => {
    const { person } = await joinAndSignIn()
    for (let n = 0; n < 10; n++) expect((await change(person, anAddress())).status).toBe(200)
    expect((await change(person, anAddress())).status).toBe(429)
    expect((await change(app.subscriber, anAddress())).faults).toEqual(['FORBIDDEN_NOT_INTERACTIVE_SESSION'])
    expect((await change(app.reader, anAddress())).status).toBe(401)
  })
})

describe('POST /v1/user/email/confirm', () => {
  test('makes the address the account’s, once; sessions go on', async () => {
    const { email, person } = await joinAndSignIn()
    const wanted = anAddress()
    await change(person, wanted)
    const token = await tokenFor(wanted)
    const answer = await confirm(token)
    expect([answer.status, answer.one.type, answer.one.attributes.email]).toEqual([200, 'email_changes', wanted])
    expect((await person.get('/v1/me')).one.attributes).toMatchObject({ email: wanted, pending_email: null })
    expect([(await signIn(email)).status, (await signIn(wanted)).status]).toEqual([401, 201])
    expect((await confirm(token)).faults).toEqual(['VALIDATION-FAILED /data/attributes/token'])
  })

  test('ends a link to reset the password that went to the old address', async () => {
    const { email, person } = await joinAndSignIn()
    await app.stranger().post('/v1/user/password/forgot', asking('password_resets', { email }))
    const old = tokenIn((await mailsOf(app, email, 'reset_password'))[0])
    const wanted = anAddress()
    await change(person, wanted)
    await confirm(await tokenFor(wanted))
    const answer = await app
      .stranger()
      .post('/v1/user/password/reset', asking('password_resets', { token: old, password: 'a better password' }))
    expect(answer.status).toBe(422)
  })

  test('refuses an address that somebody took meanwhile, and the account keeps its own', async () => {
    const { email, person } = await joinAndSignIn()
    const wanted = anAddress()
    await change(person, wanted)
    const token = await tokenFor(wanted)
    await join(wanted)
    expect((await confirm(token)).faults).toEqual(['VALIDATION-FAILED /data/attributes/token'])
    expect((await person.get('/v1/me')).one.attributes.email).toBe(email)
  })

  test('is possible for 24 hours', async () => {
    const { person } = await joinAndSignIn()
    const wanted = anAddress()
    await standing(app, async () => {
      await change(person, wanted)
      const token = await tokenFor(wanted)
      await later(app, day + 1, async () => {
        expect((await person.get('/v1/me')).one.attributes.pending_email).toBeNull()
        expect((await confirm(token)).status).toBe(422)
      })
      await later(app, day - 1, async () => expect((await confirm(token)).status).toBe(200))
    })
  })

  test.each([[undefined], [''], [null], ['0'.repeat(64)]])('refuses the token %p with 422', async (token) => {
    expect((await confirm(token)).faults).toEqual(['VALIDATION-FAILED /data/attributes/token'])
  })
})
