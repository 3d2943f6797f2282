import { describe, expect, test } from 'bun:test'
import { hashSecret } from '../../../../src/lib/secret.ts'
import { testApp } from '../../../support/app.ts'
import { type Client, clientWith } from '../../../support/callers.ts'
import { otherSettings } from '../../../support/other-settings.ts'
import { anAddress, asking, day, goodPassword, later, signingUp } from '../../../support/signing-up.ts'

const app = await testApp({ environment: { FOUNDING_SLOTS: 'unlimited' } })
const { join, joinAndSignIn } = signingUp(app)

const at = (address: string, service: Pick<typeof app, 'fetch'> = app) =>
  clientWith(service.fetch, app.baseUrl, { 'X-Forwarded-For': address })
const tryFrom = async (caller: Client, email: string, password = 'wrong') =>
  (await caller.post('/v1/session', asking('sessions', { email, password }))).status
const statusesOf = async (times: number, send: (n: number) => Promise<number>) => {
  const statuses: number[] = []
  for (let n = 0; n < times; n++) statuses.push(await send(n))
  return statuses
}
/** 100 wrong passwords, 10 from each of ten addresses that nothing else comes from. */
const guessEverywhere = async (email: string) => {
  for (let n = 0; n < 10; n++) {
    const stranger = app.stranger()
    expect(await statusesOf(10, () => tryFrom(stranger, email))).toEqual(Array(10).fill(401))
  }
}

describe('failed sign-ins count by address and account together, 10 in 15 minutes', () => {
  test('then that address gets 429 for that account, the right password too, however the e-mail address is written', async () => {
    const { email } = await join()
    const [stranger, began] = [app.stranger(), performance.now()]
    const spelt = (n: number) => (n % 2 ? email : email.toUpperCase())
    expect(await statusesOf(11, (n) => tryFrom(stranger, spelt(n)))).toEqual([...Array(10).fill(401), 429])
    const refused = await stranger.post('/v1/session', asking('sessions', { email, password: goodPassword }))
    expect(refused.status).toBe(429)
    const passed = (performance.now() - began) / 1000
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(Math.floor(900 - passed), 901)
    await later(app, 901, async () => expect(await tryFrom(stranger, email, goodPassword)).toBe(201))
  })

  test('a stranger cannot lock the owner out, nor an account the others at its address', async () => {
    const [{ email }, { email: other }] = [await join(), await join()]
    const stranger = app.stranger()
    await statusesOf(12, () => tryFrom(stranger, email))
    expect(await tryFrom(app.stranger(), email, goodPassword)).toBe(201)
    expect(await tryFrom(stranger, other, goodPassword)).toBe(201)
  })

  test('what was right does not count', async () => {
    const { email } = await join()
    const owner = app.stranger()
    expect(await statusesOf(9, () => tryFrom(owner, email))).toEqual(Array(9).fill(401))
    expect(await statusesOf(5, () => tryFrom(owner, email, goodPassword))).toEqual(Array(5).fill(201))
    expect(await statusesOf(2, () => tryFrom(owner, email))).toEqual([401, 429])
  })

  test('an e-mail address without an account has the same limit', async () => {
    const [email, stranger] = [anAddress(), app.stranger()]
    expect(await statusesOf(11, () => tryFrom(stranger, email))).toEqual([...Array(10).fill(401), 429])
  })

  test('IPv6 counts by its /64', async () => {
    const { email } = await join()
    const inNetwork = (n: number) => at(`2001:db8:7:1::${n + 1}`)
    expect(await statusesOf(11, (n) => tryFrom(inNetwork(n), email))).toEqual([...Array(10).fill(401), 429])
    expect(await tryFrom(at('2001:db8:7:2::1'), email, goodPassword)).toBe(201)
  })

  test('20 at once are no more than 10 one after the other', async () => {
    const { email } = await join()
    const stranger = app.stranger()
    const statuses = await Promise.all(Array.from({ length: 20 }, () => tryFrom(stranger, email)))
    expect(statuses.sort()).toEqual([...Array(10).fill(401), ...Array(10).fill(429)])
  })

  test('current_password draws on the same', async () => {
    const { email, person } = await joinAndSignIn()
    const address = { 'X-Forwarded-For': '198.51.100.77' }
    const change = (current_password: string) =>
      person.patch('/v1/user/password', asking('passwords', { current_password, password: 'a new password' }), address)
    const guess = async () => (await change('wrong')).status
    expect(await statusesOf(4, guess)).toEqual(Array(4).fill(422))
    expect(await statusesOf(6, () => tryFrom(at('198.51.100.77'), email))).toEqual(Array(6).fill(401))
    expect([await guess(), (await change(goodPassword)).status]).toEqual([429, 429])
    expect(await tryFrom(at('198.51.100.77'), email, goodPassword)).toBe(429)
    const away = { 'X-Forwarded-For': '198.51.100.78' }
    const elsewhere = await person.patch(
      '/v1/user/password',
      asking('passwords', { current_password: goodPassword, password: 'a new password' }),
      away,
    )
    expect(elsewhere.status).toBe(200)
  })
})

describe('failed sign-ins count by account over all addresses, 100 in 15 minutes', () => {
  test('then the account gets 429 from an address that it never signed in from, for 15 minutes', async () => {
    const { email } = await join()
    await guessEverywhere(email)
    expect(await tryFrom(app.stranger(), email)).toBe(429)
    expect(await tryFrom(app.stranger(), email, goodPassword)).toBe(429)
    await later(app, 901, async () => expect(await tryFrom(app.stranger(), email, goodPassword)).toBe(201))
  })

  test('an address from which the account signed in within 30 days is exempt', async () => {
    const { email } = await join()
    const [home, work] = [at('2001:db8:9:1::5'), at('198.51.100.80')]
    expect(await tryFrom(work, email, goodPassword)).toBe(201)
    await later(app, 2 * day, async () => expect(await tryFrom(home, email, goodPassword)).toBe(201))
    await later(app, 31 * day, async () => {
      await guessEverywhere(email)
      expect(await tryFrom(work, email, goodPassword)).toBe(429)
      expect(await tryFrom(at('2001:db8:9:1::6'), email, goodPassword)).toBe(201)
      expect(await statusesOf(11, () => tryFrom(home, email))).toEqual([...Array(10).fill(401), 429])
    })
  })

  test('an address that another account signed in from is not exempt', async () => {
    const [{ email }, { email: other }] = [await join(), await join()]
    const shared = app.stranger()
    expect(await tryFrom(shared, other, goodPassword)).toBe(201)
    await guessEverywhere(email)
    expect(await tryFrom(shared, email, goodPassword)).toBe(429)
  })

  test('an e-mail address without an account has the same limit', async () => {
    const email = anAddress()
    await guessEverywhere(email)
    expect(await tryFrom(app.stranger(), email)).toBe(429)
  })
})

test('both limits are settings', async () => {
  const { email } = await join()
  const environment = {
    FOUNDING_SLOTS: 'unlimited',
    LIMIT_SESSION_ACCOUNT_ADDRESS_PER_15_MINUTES: '2',
    LIMIT_SESSION_ACCOUNT_PER_15_MINUTES: '3',
  }
  const tight = otherSettings(app, environment)
  const [one, two] = [at('198.51.100.90', tight), at('198.51.100.91', tight)]
  expect(await statusesOf(3, () => tryFrom(one, email))).toEqual([401, 401, 429])
  expect(await statusesOf(2, () => tryFrom(two, email))).toEqual([401, 429])
})

test('where somebody signs in from is kept as a keyed hash alone', async () => {
  const { email } = await join()
  expect(await tryFrom(at('198.51.100.99'), email, goodPassword)).toBe(201)
  const stored = JSON.stringify([...(await app.db.sql`select n::text from sign_in_networks n`)])
  expect(stored).not.toContain('198.51.100.99')
  const hashes = await app.db.sql<{ hash: string }[]>`select encode(network_hash, 'hex') as hash from sign_in_networks`
  expect(hashes.map(({ hash }) => hash)).not.toContain(hashSecret('198.51.100.99').toString('hex'))
})
