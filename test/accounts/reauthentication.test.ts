import { describe, expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import type { Client } from '../support/callers.ts'
import { anAddress, asking, day, goodPassword, later, mailsOf, signingUp, standing } from '../support/signing-up.ts'

const app = await testApp({ environment: { FOUNDING_SLOTS: 'unlimited' } })
const { signIn, joinAndSignIn, inSession } = signingUp(app)

type Proof = { current_password?: unknown }
type Account = Awaited<ReturnType<typeof joinAndSignIn>>

const changeEmail = ({ person }: Account, proof: Proof = {}, from: Record<string, string> = {}) =>
  person.patch('/v1/user/email', asking('email_changes', { email: anAddress(), ...proof }), from)
const deleteAccount = ({ person, email }: Account, proof: Proof = {}, from: Record<string, string> = {}) =>
  person.send('DELETE', '/v1/me', {
    body: JSON.stringify(asking('users', { confirm_email: email, ...proof })),
    headers: { 'Content-Type': 'application/vnd.api+json', ...from },
  })

const asked = [
  ['change the e-mail address', changeEmail, 200],
  ['delete the account', deleteAccount, 204],
] as const

const isThere = async (person: Client) => (await person.get('/v1/me')).status === 200

describe.each(asked)('to %s', (_, ask, done) => {
  test('the session must be younger than 15 minutes or the body carry current_password; else 403 REAUTHENTICATION_REQUIRED', async () => {
    const account = await joinAndSignIn()
    await later(app, 901, async () => {
      const refused = await ask(account)
      expect([refused.status, refused.faults]).toEqual([
        403,
        ['REAUTHENTICATION_REQUIRED /data/attributes/current_password'],
      ])
      expect(await isThere(account.person)).toBeTrue()
      expect((await ask(account, { current_password: goodPassword })).status).toBe(done)
    })
  })

  test('a session of 14 minutes 59 will do, and one of 15 minutes not', async () => {
    await standing(app, async () => {
      const account = await joinAndSignIn()
      await later(app, 900, async () => expect((await ask(account)).status).toBe(403))
      await later(app, 899, async () => expect((await ask(account)).status).toBe(done))
    })
  })

  test('an old session is not made young by use, and a new one is young beside it', async () => {
    const account = await joinAndSignIn()
    await later(app, day, async () => {
      expect(await isThere(account.person)).toBeTrue()
      expect((await ask(account)).status).toBe(403)
      expect((await ask({ ...account, person: await inSession(account.email) })).status).toBe(done)
    })
  })

  test('a wrong current_password is a 422, which names it', async () => {
    const account = await joinAndSignIn()
    await later(app, 901, async () => {
      for (const wrong of ['not the password', '', null, 7]) {
        const answer = await ask(account, { current_password: wrong })
        expect([answer.status, answer.faults]).toEqual([422, ['VALIDATION-FAILED /data/attributes/current_password']])
      }
      expect(await isThere(account.person)).toBeTrue()
    })
  })

  test('wrong ones count as failed sign-ins: who has the cookie alone guesses 10 times', async () => {
    const account = await joinAndSignIn()
    const from = { 'X-Forwarded-For': `2001:db8:5:${done}::1` }
    await later(app, 901, async () => {
      const guess = async (current_password: string) => (await ask(account, { current_password }, from)).status
      for (let n = 0; n < 10; n++) expect(await guess('wrong')).toBe(422)
      expect([await guess('wrong'), await guess(goodPassword)]).toEqual([429, 429])
      expect((await signIn(account.email)).status).toBe(201)
    })
    await later(app, 1900, async () =>
      expect((await ask(account, { current_password: goodPassword }, from)).status).toBe(done),
    )
  })
})

test('a refused change sends nothing, and does not count on the changes of an hour', async () => {
  const account = await joinAndSignIn()
  const wanted = anAddress()
  await later(app, 901, async () => {
    const ask = (more: object) =>
      account.person.patch('/v1/user/email', asking('email_changes', { email: wanted, ...more }))
    for (let n = 0; n < 10; n++) expect((await ask({})).status).toBe(403)
    expect(await mailsOf(app, wanted, 'confirm_address')).toEqual([])
    expect((await ask({ current_password: goodPassword })).status).toBe(200)
    expect(await mailsOf(app, wanted, 'confirm_address')).toHaveLength(1)
  })
})

test('whether an address is in use is not told before the password is proven', async () => {
  const [account, { email: taken }] = [await joinAndSignIn(), await joinAndSignIn()]
  await later(app, 901, async () => {
    const answer = await account.person.patch('/v1/user/email', asking('email_changes', { email: taken }))
    expect(answer.status).toBe(403)
  })
})

test('the API says so: both documents have current_password, and 403 REAUTHENTICATION_REQUIRED as an example', async () => {
  const api = (await app.anonymous.get('/openapi.json')).document as unknown as {
    components: { schemas: Record<string, unknown>; responses: Record<string, unknown> }
  }
  for (const name of ['EmailChange', 'UserRemoval'])
    expect(JSON.stringify(api.components.schemas[name])).toContain('"current_password"')
  expect(JSON.stringify(api.components.responses.Forbidden)).toContain('"REAUTHENTICATION_REQUIRED"')
})
