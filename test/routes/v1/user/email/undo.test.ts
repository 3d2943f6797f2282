import { describe, expect, test } from 'bun:test'
import { testApp } from '../../../../support/app.ts'
import {
  anAddress,
  asking,
  day,
  goodPassword,
  later,
  mailsOf,
  signingUp,
  standing,
  tokenIn,
} from '../../../../support/signing-up.ts'

const app = await testApp({ environment: { FOUNDING_SLOTS: 'unlimited' } })
const { join, signUp, lastToken, verify, signIn, joinAndSignIn, inSession } = signingUp(app)

type Person = Awaited<ReturnType<typeof joinAndSignIn>>['person']
const post = (path: string, type: string, attributes: Record<string, unknown>) =>
  app.stranger().post(path, asking(type, attributes))
const undo = (token: unknown) => post('/v1/user/email/undo', 'email_changes', { token })
const confirm = (token: string) => post('/v1/user/email/confirm', 'email_changes', { token })
const linkTo = async (email: string, kind: string) => tokenIn((await mailsOf(app, email, kind)).at(-1))

/** Asks for another address, and opens the link that went to it. */
const change = async (person: Person, wanted = anAddress()) => {
  expect((await person.patch('/v1/user/email', asking('email_changes', { email: wanted }))).status).toBe(200)
  expect((await confirm(await linkTo(wanted, 'confirm_address'))).status).toBe(200)
  return wanted
}
const undoToken = (email: string) => linkTo(email, 'address_changed')

describe('a confirmed change is told to the old address', () => {
  test('by a mail with a link that undoes it, whose token is kept as a hash alone', async () => {
    const { email, person } = await joinAndSignIn()
    const wanted = anAddress()
    await person.patch('/v1/user/email', asking('email_changes', { email: wanted }))
    expect(await mailsOf(app, email, 'address_changed')).toEqual([])
    await confirm(await linkTo(wanted, 'confirm_address'))
    const [mail, ...others] = await mailsOf(app, email, 'address_changed')
    expect(others).toEqual([])
    expect(mail?.link).toStartWith(`${app.baseUrl}/undo-email#token=`)
    expect(await mailsOf(app, wanted, 'address_changed')).toEqual([])
    const stored = JSON.stringify([...(await app.db.sql`select u::text from email_undos u`)])
    expect(stored).not.toContain(tokenIn(mail))
  })
})

describe('POST /v1/user/email/undo', () => {
  test('gives the account its old address back, once, and ends all sessions', async () => {
    const { email, id, person } = await joinAndSignIn()
    const elsewhere = await inSession(email)
    const wanted = await change(person)
    const token = await undoToken(email)
    const thief = await inSession(wanted)
    const answer = await undo(token)
    expect([answer.status, answer.one.type, answer.one.id]).toEqual([200, 'email_changes', id])
    expect(answer.one.attributes).toEqual({ email, undone_at: expect.any(String) })
    for (const session of [person, elsewhere, thief]) expect((await session.get('/v1/me')).status).toBe(401)
    expect([(await signIn(wanted)).status, (await signIn(email)).status]).toEqual([401, 201])
    expect((await undo(token)).faults).toEqual(['VALIDATION-FAILED /data/attributes/token'])
  })

  test('ends a pending change, and links to reset the password that went to the new address', async () => {
    const { email, person } = await joinAndSignIn()
    const [wanted, next] = [await change(person), anAddress()]
    await post('/v1/user/password/forgot', 'password_resets', { email: wanted })
    const reset = await linkTo(wanted, 'reset_password')
    await person.patch('/v1/user/email', asking('email_changes', { email: next }))
    const pending = await linkTo(next, 'confirm_address')
    expect((await undo(await undoToken(email))).status).toBe(200)
    expect((await confirm(pending)).status).toBe(422)
    const again = await post('/v1/user/password/reset', 'password_resets', { token: reset, password: 'a new password' })
    expect(again.status).toBe(422)
    expect((await (await inSession(email)).get('/v1/me')).one.attributes).toMatchObject({ email, pending_email: null })
  })

  test('works after the password was changed or reset by who has the new address', async () => {
    const { email, person } = await joinAndSignIn()
    const wanted = await change(person)
    const token = await undoToken(email)
    const changed = { current_password: goodPassword, password: 'the password of a thief' }
    expect((await person.patch('/v1/user/password', asking('passwords', changed))).status).toBe(200)
    await post('/v1/user/password/forgot', 'password_resets', { email: wanted })
    const reset = await linkTo(wanted, 'reset_password')
    await post('/v1/user/password/reset', 'password_resets', { token: reset, password: 'another of the thief' })
    expect((await undo(token)).status).toBe(200)
    await post('/v1/user/password/forgot', 'password_resets', { email })
    const own = await linkTo(email, 'reset_password')
    await post('/v1/user/password/reset', 'password_resets', { token: own, password: 'mine once more' })
    expect((await signIn(email, 'mine once more')).status).toBe(201)
  })

  test('leads back over later changes, whose links end with it', async () => {
    const { email, person } = await joinAndSignIn()
    const second = await change(person)
    const first = await undoToken(email)
    const third = await change(person)
    const later = await undoToken(second)
    expect((await undo(first)).one.attributes.email).toBe(email)
    expect((await undo(later)).status).toBe(422)
    expect([(await signIn(third)).status, (await signIn(email)).status]).toEqual([401, 201])
  })

  test('ends them even if a replica wrote them whose clock is slower', async () => {
    const { email, person } = await joinAndSignIn()
    const first = await later(app, 300, () => change(person))
    await change(person)
    const [token, itsLink] = [await undoToken(email), await undoToken(first)]
    expect((await undo(token)).status).toBe(200)
    expect((await undo(itsLink)).status).toBe(422)
  })
  test('leaves the link of an earlier change as it is', async () => {
    const { email, person } = await joinAndSignIn()
    const second = await change(person)
    const first = await undoToken(email)
    await change(person)
    expect((await undo(await undoToken(second))).one.attributes.email).toBe(second)
    expect((await undo(first)).one.attributes.email).toBe(email)
  })

  test('is possible for 72 hours', async () => {
    const { email, person } = await joinAndSignIn()
    await standing(app, async () => {
      await change(person)
      const token = await undoToken(email)
      await later(app, 3 * day + 1, async () => expect((await undo(token)).status).toBe(422))
      await later(app, 3 * day - 1, async () => expect((await undo(token)).status).toBe(200))
    })
  })

  test('is not kept from by a sign-up for the old address that nobody verified', async () => {
    const { email, person } = await joinAndSignIn()
    await change(person)
    const token = await undoToken(email)
    expect((await signUp(email)).status).toBe(202)
    expect((await undo(token)).status).toBe(200)
    expect((await signIn(email)).status).toBe(201)
  })

  test('is refused, and says why, where another account verified the old address meanwhile: nothing changes', async () => {
    const { email, person } = await joinAndSignIn()
    const wanted = await change(person)
    const token = await undoToken(email)
    await signUp(email)
    const { status } = await verify(await lastToken(email))
    expect(status).toBe(200)
    const answer = await undo(token)
    expect([answer.status, answer.faults]).toEqual([422, ['VALIDATION-FAILED /data/attributes/token']])
    expect(answer.document.errors?.[0]?.detail).toContain('Another account has taken this address')
    expect((await person.get('/v1/me')).one.attributes.email).toBe(wanted)
  })

  test('takes the address back of an account that is gone with nobody', async () => {
    const { email, person } = await joinAndSignIn()
    const wanted = await change(person)
    const token = await undoToken(email)
    await person.send('DELETE', '/v1/me', {
      body: JSON.stringify(asking('users', { confirm_email: wanted })),
      headers: { 'Content-Type': 'application/vnd.api+json' },
    })
    expect((await undo(token)).status).toBe(422)
    expect((await join(email)).key).toBeString()
  })

  test.each([[undefined], [''], [null], ['0'.repeat(64)]])('refuses the token %p with 422', async (token) => {
    expect((await undo(token)).faults).toEqual(['VALIDATION-FAILED /data/attributes/token'])
  })
})
