import { expect, spyOn, test } from 'bun:test'
import { decoyHash, hashPassword, realCost, setPasswordCost } from '../../src/access/passwords.ts'
import { testApp } from '../support/app.ts'
import { cheapCost } from '../support/passwords.ts'
import { anAddress, asking, goodPassword, signingUp } from '../support/signing-up.ts'

const environment = {
  FOUNDING_SLOTS: 'unlimited',
  LIMIT_SESSION_PER_15_MINUTES: '1000',
  LIMIT_SESSION_ACCOUNT_PER_15_MINUTES: '1000',
  LIMIT_SESSION_ACCOUNT_ADDRESS_PER_15_MINUTES: '1000',
}
const app = await testApp({ environment })
const { signUp, join, signIn } = signingUp(app)
const { email: known } = await join()

/** What a hash costs: its algorithm, and its parameters. */
const costOf = (hash: string) => hash.split('$').slice(1, 4).join(' ')

/** The hashes that a request makes or checks, each with its cost: they are what takes time. */
const hashesOf = async (request: () => Promise<unknown>): Promise<string[]> => {
  const [checks, makes] = [spyOn(Bun.password, 'verify'), spyOn(Bun.password, 'hash')]
  await request()
  const found = [
    ...checks.mock.calls.map(([, hash]) => `checks ${costOf(String(hash))}`),
    ...makes.mock.calls.map(([, options]) => `makes ${JSON.stringify(options)}`),
  ]
  checks.mockRestore()
  makes.mockRestore()
  return found
}

test('a sign-in checks a hash of the same cost whether or not the address has an account', async () => {
  const [own, nobodys] = [
    await hashesOf(() => signIn(known, 'not the password')),
    await hashesOf(() => signIn(anAddress(), 'not the password')),
  ]
  expect(own).toEqual([expect.stringMatching(/^checks argon2id/)])
  expect(nobodys).toEqual(own)
})

test('a sign-up makes a hash of the same cost whether or not the address has an account', async () => {
  const [own, nobodys] = [await hashesOf(() => signUp(known)), await hashesOf(() => signUp(anAddress()))]
  expect(own).toEqual([expect.stringMatching(/^makes .*argon2id/)])
  expect(nobodys).toEqual(own)
})

test('a forgotten password hashes nothing, whether or not the address has an account', async () => {
  const forget = (email: string) =>
    app.stranger().post('/v1/user/password/forgot', asking('password_resets', { email }))
  expect(await hashesOf(() => forget(known))).toEqual([])
  expect(await hashesOf(() => forget(anAddress()))).toEqual([])
})

test.each([realCost, cheapCost])('nobody’s password costs what a real one does, at %p', async (cost) => {
  setPasswordCost(cost)
  const hashed = await hashPassword(goodPassword).finally(() => setPasswordCost(cheapCost))
  setPasswordCost(cost)
  expect(costOf(decoyHash())).toEqual(costOf(hashed))
  setPasswordCost(realCost)
  expect(costOf(decoyHash())).toBe('argon2id v=19 m=65536,t=2,p=1')
  setPasswordCost(cheapCost)
})

test('the limits are settings', async () => {
  const tight = await testApp({
    environment: { LIMIT_SIGNUP_PER_HOUR: '1', LIMIT_VERIFY_PER_HOUR: '2', LIMIT_INVITE_PER_HOUR: '1' },
  })
  const caller = tight.stranger()
  const statuses = async (path: string, times: number) => {
    const found: number[] = []
    for (let n = 0; n < times; n++) found.push((await caller.post(path, asking('nothing', {}))).status)
    return found
  }
  expect(await statuses('/v1/signup', 2)).toEqual([409, 429])
  expect(await statuses('/v1/signup/verify', 3)).toEqual([409, 409, 429])
  expect(await statuses('/v1/invites/validate', 2)).toEqual([409, 429])
})
