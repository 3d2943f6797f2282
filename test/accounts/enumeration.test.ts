import { afterAll, expect, test } from 'bun:test'
import { decoyHash, hashPassword, realCost, setPasswordCost } from '../../src/access/passwords.ts'
import { testApp } from '../support/app.ts'
import { cheapCost } from '../support/passwords.ts'
import { anAddress, asking, goodPassword, signingUp } from '../support/signing-up.ts'

// What takes how long is a matter of passwords as they are in a service.
setPasswordCost(realCost)
afterAll(() => setPasswordCost(cheapCost))

const environment = {
  FOUNDING_SLOTS: 'unlimited',
  LIMIT_SESSION_PER_15_MINUTES: '1000',
  LIMIT_SESSION_ACCOUNT_PER_15_MINUTES: '1000',
  LIMIT_SESSION_ACCOUNT_ADDRESS_PER_15_MINUTES: '1000',
}
const app = await testApp({ environment })
const { signUp, join, signIn } = signingUp(app)
const { email: known } = await join()

const rounds = 9

/**
 * How the middle of how long one work takes is to that of the other; they take turns, so that both meet the same machine. What
 * the service does longer for one is longer in each of five series, what the machine was busy with is not: the series that is
 * nearest to one counts.
 */
const compare = async (one: () => Promise<unknown>, other: () => Promise<unknown>) => {
  const ratios: number[] = []
  while (ratios.length < 5 && !ratios.some((ratio) => ratio > 0.8 && ratio < 1.25))
    ratios.push(await series(one, other))
  return ratios.toSorted((a, b) => Math.abs(Math.log(a)) - Math.abs(Math.log(b)))[0]
}

const series = async (one: () => Promise<unknown>, other: () => Promise<unknown>) => {
  const times = { one: [] as number[], other: [] as number[] }
  const measure = async (work: () => Promise<unknown>) => {
    const began = performance.now()
    await work()
    return performance.now() - began
  }
  for (let round = 0; round < rounds; round++) {
    times.one.push(await measure(one))
    times.other.push(await measure(other))
  }
  const middle = (list: number[]) => list.toSorted((a, b) => a - b)[rounds >> 1] ?? 0
  return middle(times.one) / middle(times.other)
}

test('the time of a sign-in does not tell whether the address has an account', async () => {
  const ratio = await compare(
    () => signIn(known, 'not the password'),
    () => signIn(anAddress(), 'not the password'),
  )
  expect(ratio).toBeWithin(0.6, 1.7)
})

test('the time of a sign-up does not tell whether the address has an account', async () => {
  const ratio = await compare(
    () => signUp(known),
    () => signUp(anAddress()),
  )
  expect(ratio).toBeWithin(0.6, 1.7)
})

test('the time of a forgotten password does not tell whether the address has an account', async () => {
  const forget = (email: string) =>
    app.stranger().post('/v1/user/password/forgot', asking('password_resets', { email }))
  const ratio = await compare(
    () => forget(known),
    () => forget(anAddress()),
  )
  expect(ratio).toBeWithin(0.4, 2.5)
})

test.each([realCost, cheapCost])('nobody’s password costs what a real one does, at %p', async (cost) => {
  const costOf = (hash: string) => hash.split('$').slice(1, 4)
  setPasswordCost(cost)
  const hashed = await hashPassword(goodPassword).finally(() => setPasswordCost(realCost))
  setPasswordCost(cost)
  expect(costOf(decoyHash())).toEqual(costOf(hashed))
  setPasswordCost(realCost)
  expect(costOf(decoyHash())).toEqual(['argon2id', 'v=19', 'm=65536,t=2,p=1'])
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
