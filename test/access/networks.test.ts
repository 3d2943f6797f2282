import { describe, expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { clientWith } from '../support/callers.ts'
import { flat } from '../support/people.ts'

const app = await testApp({
  environment: { LIMIT_CATALOG_PAGES_PER_10_MINUTES: '5', LIMIT_INVITE_PER_HOUR: '2', LIMIT_FORGOT_PER_HOUR: '2' },
})
const from = (address: string) => clientWith(app.fetch, app.baseUrl, { 'X-Forwarded-For': address })

/** A /64 of a test's own. */
let networks = 0
const aNetwork = () => `2001:db8:64:${(++networks).toString(16)}`

describe('whatever is limited by address counts IPv4 by the address and IPv6 by its /64', () => {
  test('requests without a credential', async () => {
    const network = aNetwork()
    const left = async (address: string) => (await from(address).get('/v1/cards')).headers.get('x-ratelimit-remaining')
    expect(await left(`${network}::1`)).toBe('99')
    expect(await left(`${network}:ffff:ffff:ffff:ffff`)).toBe('98')
    expect(await left(`[${network}:0:0:0:1]:4711`)).toBe('97')
    expect(await left(`${aNetwork()}::1`)).toBe('99')
    expect(await left('198.51.100.1')).toBe('99')
    expect(await left('::ffff:198.51.100.1')).toBe('98')
    expect(await left('198.51.100.2')).toBe('99')
  })
  test('so that many addresses of one network together get exactly the limit through', async () => {
    const network = aNetwork()
    const answers = await Promise.all(
      Array.from({ length: 150 }, (_, n) => from(`${network}::${n.toString(16)}`).get('/v1/stats/counts')),
    )
    expect(answers.filter(({ status }) => status === 200).length).toBe(100)
  })
  test('the pages of the catalog', async () => {
    const network = aNetwork()
    const statuses: number[] = []
    for (let n = 1; n < 7; n++) statuses.push((await from(`${network}::${n}`).get('/pages/v1/cards')).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    expect((await from(`${aNetwork()}::1`).get('/pages/v1/cards')).status).toBe(200)
  })
  test('the tighter limits of an address', async () => {
    const network = aNetwork()
    const forget = (address: string) =>
      from(address).post('/v1/user/password/forgot', {
        data: { type: 'password_resets', attributes: { email: 'nobody@example.org' } },
      })
    const check = (address: string) => flat(from(address), 'POST', '/v1/invites/validate', { code: 'none' })
    for (const ask of [forget, check]) {
      for (const place of ['1', '2']) expect((await ask(`${network}::${place}`)).status).not.toBe(429)
      expect((await ask(`${network}::3`)).status).toBe(429)
      expect((await ask(`${aNetwork()}::3`)).status).not.toBe(429)
    }
  })
  test('failed proofs at the endpoints of tokens', async () => {
    for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect']) {
      const network = aNetwork()
      const guess = { grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'x', token: 'x' }
      for (let n = 1; n < 11; n++) expect((await flat(from(`${network}::${n}`), 'POST', path, guess)).status).toBe(401)
      expect((await flat(from(`${network}::b`), 'POST', path, guess)).status).toBe(429)
    }
  })
})
