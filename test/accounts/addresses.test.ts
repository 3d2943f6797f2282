import { describe, expect, test } from 'bun:test'
import { issueInvite } from '../../src/accounts/invites/invite.ts'
import { findUser } from '../../src/accounts/users.ts'
import { testApp } from '../support/app.ts'
import { mailsTo } from '../support/mail.ts'
import { asking, goodPassword, mailsOf, signingUp } from '../support/signing-up.ts'

const environment = {
  FOUNDING_SLOTS: 'unlimited',
  LIMIT_SESSION_PER_15_MINUTES: '1000',
  LIMIT_SESSION_ACCOUNT_PER_15_MINUTES: '3',
}
const app = await testApp({ environment })
const { db, context, clock } = app
const { signUp, join, inSession, joinAndSignIn } = signingUp(app)

let addresses = 0
/** Two addresses that a database may fold into one, and that are two: `gmail` and `gmaİl`. */
const twins = () => {
  const name = `twin-${++addresses}`
  return {
    mine: `${name}@gmail.example`,
    theirs: `${name}@gma\u0130l.example`,
    theirKey: `${name}@xn--gmail-bgd.example`,
  }
}
const forget = (email: string) => app.stranger().post('/v1/user/password/forgot', asking('password_resets', { email }))

describe('an address that looks like another’s (gmaİl, U+0130)', () => {
  test('gets nothing of the other’s: an account, a mail to verify, a mail to reset', async () => {
    const { mine, theirs, theirKey } = twins()
    const { id } = await join(mine)
    expect((await signUp(theirs, { password: 'what an attacker chose' })).status).toBe(202)
    expect(await mailsOf(app, theirKey, 'verify_address')).toHaveLength(1)
    await forget(theirs)
    expect(await mailsOf(app, theirKey, 'reset_password')).toHaveLength(0)
    expect(await mailsOf(app, mine, 'reset_password')).toHaveLength(0)
    await forget(mine)
    expect(await mailsOf(app, mine, 'reset_password')).toHaveLength(1)
    expect((await findUser(db, mine))?.id).toBe(id)
    expect((await findUser(db, theirs))?.id).not.toBe(id)
    await inSession(mine)
  })

  test('that came first leaves the other its own account', async () => {
    const { mine, theirs, theirKey } = twins()
    await signUp(theirs, { password: 'what an attacker chose' })
    expect(await mailsOf(app, mine, 'verify_address')).toHaveLength(0)
    expect(await mailsOf(app, theirKey, 'verify_address')).toHaveLength(1)
    const { id } = await join(mine)
    expect((await findUser(db, mine))?.id).toBe(id)
  })

  test('is not the one that an invite is for', async () => {
    const { mine, theirs } = twins()
    const { code } = await issueInvite(db, { email: mine }, clock.now())
    const refused = await signUp(theirs, { invite_code: code })
    expect(refused.faults).toEqual(['invite_invalid /data/attributes/invite_code'])
    expect((await signUp(mine.toUpperCase(), { invite_code: code })).status).toBe(202)
  })

  test('does not confirm that an account may be deleted', async () => {
    const { mine, theirs } = twins()
    const { person } = await joinAndSignIn(mine)
    const remove = (confirm_email: string) =>
      person.send('DELETE', '/v1/me', {
        body: JSON.stringify(asking('users', { confirm_email })),
        headers: { 'Content-Type': 'application/vnd.api+json' },
      })
    expect((await remove(theirs)).faults).toEqual(['VALIDATION-FAILED /data/attributes/confirm_email'])
    expect((await remove(mine.toUpperCase())).status).toBe(204)
  })

  test('is another address to change to', async () => {
    const { mine, theirs, theirKey } = twins()
    await join(mine)
    const { person } = await joinAndSignIn()
    const change = (email: string) => person.patch('/v1/user/email', asking('email_changes', { email }))
    expect((await change(mine.toUpperCase())).faults).toEqual(['VALIDATION-FAILED /data/attributes/email'])
    expect((await change(theirs)).status).toBe(200)
    expect(await mailsOf(app, theirKey, 'confirm_address')).toHaveLength(1)
    expect(mailsTo(context, mine).filter(({ kind }) => kind === 'confirm_address')).toEqual([])
  })
})

test('mail goes to the address whose key it is', async () => {
  const name = `Person-${++addresses}`
  await signUp(`${name}@MÜNCHEN.example`)
  expect(await mailsOf(app, `${name.toLowerCase()}@xn--mnchen-3ya.example`, 'verify_address')).toHaveLength(1)
})

test('one account for one key, however it is written, and shown as it was written first', async () => {
  const name = `Person-${++addresses}`
  const { id } = await join(`${name}@xn--mnchen-3ya.example`)
  const ways = [`${name}@münchen.example`, `${name.toUpperCase()}@MÜNCHEN.example`, `${name}@ｍünchen。example`]
  for (const way of ways) {
    expect((await findUser(db, way))?.id).toBe(id)
    const person = await inSession(way)
    expect((await person.get('/v1/me')).one.attributes.email).toBe(`${name}@xn--mnchen-3ya.example`)
  }
})

test('the ways to write an address have one allowance of wrong passwords', async () => {
  const { email } = await join()
  const [name, domain] = email.split('@') as [string, string]
  const ways = [email, email.toUpperCase(), `${name}@ｅxample.org`, `${name}@${domain.replace('.', '。')}`]
  const caller = app.stranger()
  const statuses: number[] = []
  for (const way of ways)
    statuses.push((await caller.post('/v1/session', asking('sessions', { email: way, password: 'not it' }))).status)
  expect(statuses).toEqual([401, 401, 401, 429])
})

test.each([
  ['jörg@example.org'],
  ['\u212Aarl@example.org'],
  ['\u017Fam@example.org'],
  ['an\u00ADa@example.org'],
  ['an\u200Da@example.org'],
  ['ana@127.1'],
  ['ana@example.org.'],
])('an address whose local part is not ASCII, or whose domain is none, is a 422: %p', async (email) => {
  const person = (await joinAndSignIn()).person
  const answers = [
    await signUp(email),
    await person.patch('/v1/user/email', asking('email_changes', { email })),
    await app.operator.post('/internal/invites', asking('invites', { email })),
  ]
  for (const answer of answers) {
    expect([answer.status, answer.faults]).toEqual([422, ['VALIDATION-FAILED /data/attributes/email']])
  }
  expect((await forget(email)).status).toBe(202)
  const signIn = await app.stranger().post('/v1/session', asking('sessions', { email, password: goodPassword }))
  expect(signIn.status).toBeOneOf([401, 422])
})

test('the waiting list has an address once', async () => {
  const full = await testApp({ environment: { FOUNDING_SLOTS: '0' } })
  const { signUp: ask } = signingUp(full)
  const { mine, theirs } = twins()
  for (const email of [mine, mine.toUpperCase(), theirs]) expect((await ask(email)).meta.waitlisted).toBe(true)
  expect(await full.db.sql`select 1 from waiting_list`).toHaveLength(2)
})
