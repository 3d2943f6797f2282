import { describe, expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'
import { anAddress, asking, day, later, mailsOf, signingUp, standing } from '../../../support/signing-up.ts'

const app = await testApp({ environment: { FOUNDING_SLOTS: '50' } })
const { signUp, lastToken, verify, resend, join } = signingUp(app)

const mailsTo = async (email: string) => (await mailsOf(app, email, 'verify_address')).length

const waiting = async () => {
  const email = anAddress()
  await signUp(email)
  return { email, token: await lastToken(email) }
}

describe('POST /v1/signup/resend', () => {
  test('replaces the token: the new one verifies, the old one is dead at once', async () => {
    const { email, token } = await waiting()
    const answer = await resend(token)
    expect([answer.status, answer.one.type]).toEqual([202, 'verifications'])
    const fresh = await lastToken(email)
    expect(fresh).not.toBe(token)
    expect((await verify(token)).status).toBe(422)
    expect((await verify(fresh)).status).toBe(200)
  })

  test('gives the new token 24 hours of its own', async () => {
    const { email, token } = await waiting()
    await later(app, day - 60, async () => {
      await resend(token)
      const fresh = await lastToken(email)
      await later(app, day - 60, async () => expect((await verify(fresh)).status).toBe(200))
    })
  })

  test('the old token answers the same for 60 seconds without a second mail, then it is unknown', async () => {
    await standing(app, async () => {
      const { email, token } = await waiting()
      const first = await resend(token)
      expect(await mailsTo(email)).toBe(2)
      await later(app, 59, async () => {
        const second = await resend(token)
        expect([second.status, second.text]).toEqual([202, first.text])
      })
      await later(app, 60, async () => {
        const answer = await resend(token)
        expect([answer.status, answer.faults]).toEqual([422, ['token_unknown /data/attributes/token']])
      })
      expect(await mailsTo(email)).toBe(2)
    })
  })

  test('two requests with one token at once send one mail, and both are told 202', async () => {
    const { email, token } = await waiting()
    const answers = await Promise.all([resend(token), resend(token)])
    expect(answers.map(({ status }) => status)).toEqual([202, 202])
    expect(await mailsTo(email)).toBe(2)
  })

  test('the burned token of a verified account answers the same and sends nothing', async () => {
    const { email, token } = await waiting()
    await verify(token)
    const before = await mailsTo(email)
    const [answer, other] = [await resend(token), await resend((await waiting()).token)]
    expect(answer.status).toBe(202)
    expect({ ...answer.document, data: { ...answer.one, id: '' } }).toEqual({
      ...other.document,
      data: { ...other.one, id: '' },
    })
    expect(await mailsTo(email)).toBe(before)
  })

  test('an unknown token is a 422', async () => {
    expect((await resend('0'.repeat(64))).faults).toEqual(['token_unknown /data/attributes/token'])
    expect((await resend('')).faults).toEqual(['token_unknown /data/attributes/token'])
  })

  test('a token in the query is ignored, beside one in the body and alone; another parameter is a 400', async () => {
    const { email, token } = await waiting()
    const { email: other, token: inBody } = await waiting()
    const ask = (query: string, attributes: object) =>
      app.stranger().post(`/v1/signup/resend?${query}`, asking('verifications', { ...attributes }))
    expect((await ask(`token=${token}`, {})).faults).toEqual(['VALIDATION-FAILED /data/attributes/token'])
    expect((await ask(`token=${token}`, { token: inBody })).status).toBe(202)
    expect([await mailsTo(email), await mailsTo(other)]).toEqual([1, 2])
    expect((await ask('colour=red', { token })).faults).toEqual(['INVALID_PARAMETER colour'])
  })

  test('keeps the password and the name of the sign-up', async () => {
    const email = anAddress()
    await signUp(email, { password: 'a password of mine', name: 'Ana' })
    await resend(await lastToken(email))
    expect((await verify(await lastToken(email))).one.attributes.name).toBe('Ana')
    const [user] = await app.db.sql`select password_hash from users where email = ${email}`
    expect(await Bun.password.verify('a password of mine', String(user?.password_hash))).toBe(true)
  })

  test('is limited to 3 an hour and token, and 10 an hour and address', async () => {
    const { token } = await waiting()
    const statuses: number[] = []
    for (let n = 0; n < 4; n++) statuses.push((await resend(token)).status)
    expect(statuses).toEqual([202, 202, 202, 429])
    const caller = app.stranger()
    const ask = (n: number) => caller.post('/v1/signup/resend', asking('verifications', { token: `token ${n}` }))
    for (let n = 0; n < 10; n++) expect((await ask(n)).status).toBe(422)
    expect((await ask(10)).status).toBe(429)
    await later(app, 3601, async () => expect((await ask(11)).status).toBe(422))
  })

  test('is not gated on the founding pool', async () => {
    const tight = await testApp({ environment: { FOUNDING_SLOTS: '1' } })
    const there = signingUp(tight)
    const email = anAddress()
    await there.signUp(email)
    await there.join()
    expect((await there.resend(await there.lastToken(email))).status).toBe(202)
    expect(await mailsOf(tight, email, 'verify_address')).toHaveLength(2)
  })
})

test('an account that is verified is not verified again by another link that it got', async () => {
  const { email, token } = await waiting()
  await signUp(email)
  const other = await lastToken(email)
  expect((await verify(token)).status).toBe(200)
  expect((await verify(other)).status).toBe(422)
  expect((await resend(other)).status).toBe(202)
  await join()
})
