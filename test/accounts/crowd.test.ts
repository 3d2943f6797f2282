import { afterAll, expect, test } from 'bun:test'
import { hashPassword, realCost, setPasswordCost } from '../../src/access/passwords.ts'
import { ApiError } from '../../src/jsonapi/errors.ts'
import { testApp } from '../support/app.ts'
import { endsFirst } from '../support/ending.ts'
import { cheapCost } from '../support/passwords.ts'
import { asking, goodPassword, signingUp } from '../support/signing-up.ts'
import { until } from '../support/until.ts'

const app = await testApp({ environment: { FOUNDING_SLOTS: 'unlimited' } })
const { join, joinAndSignIn, signUp, signIn } = signingUp(app)

afterAll(() => setPasswordCost(cheapCost))

/** So many are two that are hashed, and 32 that wait. */
const full = 34

/** Does a work while so many have their passwords hashed or wait for it: for each that is through, another comes at once. */
const inCrowd = async (crowd: number, work: () => Promise<void>) => {
  setPasswordCost({ ...realCost, timeCost: 8 })
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
  await inCrowd(full, async () => {
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

/** Whether there is no room: the place of whoever asks is given up at once. */
const isFull = async () => {
  const asking = new AbortController()
  const place = hashPassword(goodPassword, asking.signal).then(
    () => 'hashed',
    (refusal: Error) => refusal.message,
  )
  asking.abort()
  return (await place).startsWith('Too many')
}

const body = (email: string) => JSON.stringify(asking('sessions', { email, password: 'wrong' }))
const headers = { 'Content-Type': 'application/vnd.api+json', 'X-Forwarded-For': '203.0.113.34' }
const failed = async () => (await app.db.sql`select count from rate_windows where key like 'failed sign-in %'`).length

test('a request whose client left while it waited does not hash, and is no failed sign-in', async () => {
  const { email } = await join()
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: app.fetch })
  endsFirst(() => server.stop(true))
  const before = await failed()
  await inCrowd(full - 1, async () => {
    expect(await isFull()).toBeFalse()
    const leaving = new AbortController()
    const { signal } = leaving
    const url = `http://127.0.0.1:${server.port}/v1/session`
    const answer = fetch(url, { method: 'POST', headers, body: body(email), signal }).catch(() => 'left')
    await until(isFull)
    leaving.abort()
    expect(await answer).toBe('left')
    await until(async () => !(await isFull()))
  })
  expect(await failed()).toBe(before)
})

test('a request whose client is gone already does not hash either', async () => {
  const { email } = await join()
  const ask = (signal?: AbortSignal) =>
    app.fetch(new Request(`${app.baseUrl}/v1/session`, { method: 'POST', headers, body: body(email), signal }))
  const before = await failed()
  expect((await ask(AbortSignal.abort())).status).toBe(503)
  expect(await failed()).toBe(before)
  expect((await ask()).status).toBe(401)
  expect(await failed()).toBe(before + 2)
})

test('a right password that waited while the last try was used up is refused, as if it had come after it', async () => {
  const { email } = await join()
  const caller = app.stranger()
  const ask = (password: string) => caller.post('/v1/session', asking('sessions', { email, password }))
  expect((await ask('wrong')).status).toBe(401)
  let answer: ReturnType<typeof ask> | undefined
  await inCrowd(full - 1, async () => {
    answer = ask(goodPassword)
    await until(isFull)
    await app.db.sql`update rate_windows set count = 10 where key like 'failed sign-in %'`
  })
  expect((await answer)?.status).toBe(429)
})
