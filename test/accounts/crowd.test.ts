import { afterAll, expect, test } from 'bun:test'
import { hashPassword, realCost, setPasswordCost } from '../../src/access/passwords.ts'
import { ApiError } from '../../src/jsonapi/errors.ts'
import { testApp } from '../support/app.ts'
import { cheapCost } from '../support/passwords.ts'
import { asking, goodPassword, signingUp } from '../support/signing-up.ts'

const app = await testApp({ environment: { FOUNDING_SLOTS: 'unlimited' } })
const { join, joinAndSignIn, signUp, signIn } = signingUp(app)

afterAll(() => setPasswordCost(cheapCost))

const crowd = 34

/** Does a work while two passwords are hashed and 32 wait: for each that is through, another comes at once. */
const inCrowd = async (work: () => Promise<void>) => {
  setPasswordCost(realCost)
  const over = new AbortController()
  const faults: unknown[] = []
  const come = async () => {
    while (!over.signal.aborted) await hashPassword(goodPassword, over.signal).catch((fault) => faults.push(fault))
  }
  const all = Array.from({ length: crowd }, come)
  try {
    await work()
  } finally {
    over.abort()
    await Promise.all(all)
    setPasswordCost(cheapCost)
  }
  expect(faults.every((fault) => fault instanceof ApiError && fault.status === 503)).toBeTrue()
}

test('password hashes: at most two at a time and 32 waiting for a process, beyond → 503 with Retry-After', async () => {
  const { email } = await join()
  const { person } = await joinAndSignIn()
  await inCrowd(async () => {
    const change = asking('passwords', { current_password: goodPassword, password: 'a new password' })
    const answers = [
      await signIn(email),
      await signUp('crowd@example.org'),
      await person.patch('/v1/user/password', change),
    ]
    for (const { status, faults, headers } of answers) {
      expect([status, faults]).toEqual([503, ['SERVICE_UNAVAILABLE']])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })
  expect((await signIn(email)).status).toBe(201)
})

test('a request whose client left does not hash, and is no failed sign-in', async () => {
  const { email } = await join()
  const gone = AbortSignal.abort()
  const headers = { 'Content-Type': 'application/vnd.api+json', 'X-Forwarded-For': '203.0.113.34' }
  const body = JSON.stringify(asking('sessions', { email, password: 'wrong' }))
  const ask = (signal?: AbortSignal) =>
    app.fetch(new Request(`${app.baseUrl}/v1/session`, { method: 'POST', headers, body, signal }))
  for (let n = 0; n < 5; n++) expect((await ask(gone)).status).toBe(503)
  for (let n = 0; n < 10; n++) expect((await ask()).status).toBe(401)
  expect((await ask()).status).toBe(429)
})
