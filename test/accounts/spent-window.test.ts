import { expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { anAddress, asking, goodPassword, mailsOf, signingUp, tokenIn } from '../support/signing-up.ts'

const app = await testApp()
const { signUp, lastToken, joinAndSignIn } = signingUp(app)

/** A visitor from an address whose hundred requests are used up. */
const spent = async () => {
  const visitor = app.stranger()
  await Promise.all(Array.from({ length: 100 }, () => visitor.get('/v1/stats/counts')))
  expect((await visitor.get('/v1/stats/counts')).status).toBe(429)
  return visitor
}

test('a spent anonymous window shuts nobody out of signing in, verifying, or a new password or address', async () => {
  const visitor = await spent()
  const email = anAddress()
  await signUp(email)
  const verified = await visitor.post('/v1/signup/verify', asking('verifications', { token: await lastToken(email) }))
  expect(verified.status).toBe(200)
  const signedIn = await visitor.post('/v1/session', asking('sessions', { email, password: goodPassword }))
  expect(signedIn.status).toBe(201)
  expect((await visitor.post('/v1/user/password/forgot', asking('password_resets', { email }))).status).toBe(202)
  const reset = tokenIn((await mailsOf(app, email, 'reset_password'))[0])
  const password = 'another good password'
  expect(
    (await visitor.post('/v1/user/password/reset', asking('password_resets', { token: reset, password }))).status,
  ).toBe(200)
  const [{ person }, elsewhere] = [await joinAndSignIn(), anAddress()]
  await person.patch('/v1/user/email', asking('email_changes', { email: elsewhere }))
  const confirm = tokenIn((await mailsOf(app, elsewhere, 'confirm_address'))[0])
  expect((await visitor.post('/v1/user/email/confirm', asking('email_changes', { token: confirm }))).status).toBe(200)
  expect((await visitor.get('/v1/stats/counts')).status).toBe(429)
})

test('these requests count on their own windows alone, each for itself, and say so', async () => {
  const visitor = app.stranger()
  const leftOf = (answer: { headers: Headers }) =>
    ['limit', 'remaining'].map((name) => Number(answer.headers.get(`x-ratelimit-${name}`)))
  const wrong = asking('sessions', { email: anAddress(), password: 'wrong' })
  for (let n = 1; n <= 20; n++) {
    const answer = await visitor.post('/v1/session', wrong)
    expect([answer.status === 429, ...leftOf(answer)]).toEqual([n > 10 && answer.status === 429, 20, 20 - n])
  }
  const beyond = await visitor.post('/v1/session', wrong)
  expect([beyond.status, Number(beyond.headers.get('retry-after')) > 0]).toEqual([429, true])
  const redeem = () => visitor.post('/v1/user/email/confirm', asking('email_changes', { token: 'x' }))
  for (let n = 1; n <= 30; n++) expect((await redeem()).status).toBe(422)
  expect((await redeem()).status).toBe(429)
  expect((await visitor.get('/v1/stats/counts')).headers.get('x-ratelimit-remaining')).toBe('99')
})

test('what pages show to people who have not signed in is read past the anonymous window', async () => {
  const visitor = await spent()
  for (const path of ['/signup', '/signin', '/', '/pages/v1/founding-slots/remaining', '/pages/v1/billing/plans'])
    expect([path, (await visitor.get(path)).status]).toEqual([path, 200])
  expect((await visitor.get('/pages/v1/billing/plans', { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
})
