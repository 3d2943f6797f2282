import { describe, expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'
import { anAddress, asking, day, goodPassword, later, signingUp, withToken } from '../../../support/signing-up.ts'

const app = await testApp({ environment: { FOUNDING_SLOTS: 'unlimited' } })
const { signUp, join, signIn, inSession } = signingUp(app)

const cookieOf = (header: string | null) => {
  const [pair = '', ...attributes] = (header ?? '').split('; ')
  const [name = '', value = ''] = pair.split('=')
  return { name, value, attributes: attributes.sort() }
}
const me = (token: unknown) => withToken(app, token).get('/v1/me')

describe('POST /v1/session', () => {
  test('signs in: a token, and a cookie that scripts and other sites cannot use', async () => {
    const { email } = await join()
    const answer = await signIn(email.toUpperCase())
    expect(answer.status).toBe(201)
    expect(answer.one.type).toBe('sessions')
    expect(answer.headers.get('location')).toBe(`${app.baseUrl}/v1/session`)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const cookie = cookieOf(answer.headers.get('set-cookie'))
    expect(cookie).toEqual({
      name: 'cardstock_session',
      value: String(answer.meta.token),
      attributes: ['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax'],
    })
    expect((await me(answer.meta.token)).one.attributes.email).toBe(email)
    const byCookie = await app.stranger().get('/v1/me', { Cookie: `cardstock_session=${cookie.value}` })
    expect(byCookie.one.attributes.email).toBe(email)
  })

  test('on https the cookie is Secure and bound to the host', async () => {
    const secure = await testApp({ environment: { FOUNDING_SLOTS: '5', BASE_URL: 'https://cards.example.org' } })
    const { email } = await signingUp(secure).join(anAddress())
    const cookie = cookieOf((await signingUp(secure).signIn(email)).headers.get('set-cookie'))
    expect(cookie.name).toBe('__Host-cardstock_session')
    expect(cookie.attributes).toContain('Secure')
  })

  test('keeps the token as a hash alone, and lasts 30 days', async () => {
    const { email } = await join()
    const { meta } = await signIn(email)
    const stored = JSON.stringify([...(await app.db.sql`select c::text from credentials c where kind = 'session'`)])
    expect(stored).not.toContain(String(meta.token))
    await later(app, 30 * day - 60, async () => expect((await me(meta.token)).status).toBe(200))
    await later(app, 30 * day + 60, async () => expect((await me(meta.token)).status).toBe(401))
  })

  test('never goes on with a token that the request brought', async () => {
    const { email } = await join()
    const planted = 'cardstock_session_that_somebody_planted'
    const caller = app.stranger()
    const answer = await caller.post('/v1/session', asking('sessions', { email, password: goodPassword }), {
      Cookie: `cardstock_session=${planted}`,
    })
    expect(answer.status).toBe(201)
    expect(answer.meta.token).not.toBe(planted)
    expect((await me(planted)).status).toBe(401)
    const [first, second] = [await signIn(email), await signIn(email)]
    expect(first.meta.token).not.toBe(second.meta.token)
  })

  test('answers a wrong password and an unknown address alike', async () => {
    const { email } = await join()
    const [wrong, unknown] = [await signIn(email, 'not the password'), await signIn(anAddress(), 'not the password')]
    expect([wrong.status, wrong.faults]).toEqual([401, ['UNAUTHENTICATED']])
    expect(unknown.document.errors).toEqual(wrong.document.errors as never)
    expect(wrong.headers.has('set-cookie')).toBe(false)
  })

  test('says that an address is not verified only to who knows the password', async () => {
    const email = anAddress()
    await signUp(email)
    const [right, wrong] = [await signIn(email), await signIn(email, 'not the password')]
    expect([right.status, right.faults]).toEqual([403, ['EMAIL_NOT_VERIFIED']])
    expect(right.headers.has('set-cookie')).toBe(false)
    expect([wrong.status, wrong.faults]).toEqual([401, ['UNAUTHENTICATED']])
  })

  test.each([[''], [' '], ['x'.repeat(1000)]])('a password %p is wrong, and no more', async (password) => {
    const { email } = await join()
    expect((await signIn(email, password)).status).toBe(401)
  })

  test('refuses a document that lacks something, or is none', async () => {
    const caller = app.stranger()
    const send = (attributes: object) => caller.post('/v1/session', asking('sessions', { ...attributes }))
    expect((await send({ email: 'a@example.org' })).faults).toEqual(['VALIDATION-FAILED /data/attributes/password'])
    expect((await send({ email: 1, password: 'x' })).faults).toEqual(['VALIDATION-FAILED /data/attributes/email'])
    expect((await caller.post('/v1/session', { email: 'a@example.org' })).status).toBe(400)
    const form = { body: 'email=a', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }
    expect((await caller.send('POST', '/v1/session', form)).status).toBe(415)
  })

  test('is limited to 20 in 15 minutes and address', async () => {
    const caller = app.stranger()
    const guess = (n: number) => caller.post('/v1/session', asking('sessions', { email: `x${n}@y.org`, password: 'x' }))
    for (let n = 0; n < 20; n++) expect((await guess(n)).status).toBe(401)
    expect((await guess(20)).status).toBe(429)
    await later(app, 901, async () => expect((await guess(21)).status).toBe(401))
  })
})

describe('DELETE /v1/session', () => {
  test('ends the session that asks, and no other', async () => {
    const { email } = await join()
    const [mine, other] = [await inSession(email), await inSession(email)]
    const answer = await mine.delete('/v1/session')
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(cookieOf(answer.headers.get('set-cookie'))).toMatchObject({ name: 'cardstock_session', value: '' })
    expect(answer.headers.get('set-cookie')).toContain('Max-Age=0')
    expect((await mine.get('/v1/me')).status).toBe(401)
    expect((await other.get('/v1/me')).status).toBe(200)
  })

  test('by cookie wants the service’s own Origin', async () => {
    const { email } = await join()
    const token = String((await signIn(email)).meta.token)
    const cookie = { Cookie: `cardstock_session=${token}` }
    const caller = app.stranger()
    expect((await caller.delete('/v1/session', cookie)).status).toBe(403)
    for (const Origin of ['https://evil.example', 'null', `${app.baseUrl}.evil.example`])
      expect((await caller.delete('/v1/session', { ...cookie, Origin })).status).toBe(403)
    expect((await me(token)).status).toBe(200)
    expect((await caller.delete('/v1/session', { ...cookie, Origin: app.baseUrl })).status).toBe(204)
    expect((await me(token)).status).toBe(401)
  })

  test('is for sessions alone', async () => {
    expect((await app.subscriber.delete('/v1/session')).faults).toEqual(['FORBIDDEN_NOT_INTERACTIVE_SESSION'])
    expect((await app.machine.delete('/v1/session')).faults).toEqual(['FORBIDDEN_NOT_INTERACTIVE_SESSION'])
    for (const caller of [app.reader, app.anonymous, app.revoked])
      expect((await caller.delete('/v1/session')).status).toBe(401)
  })
})
