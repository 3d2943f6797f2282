import { expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { aPerson, flat } from '../support/people.ts'

const app = await testApp()
const reading = { name: 'one', scope: 'read:published' }
const left = (headers: Headers) => headers.get('x-oauth-ratelimit-remaining')

for (const path of ['/oauth/clients', '/oauth/tokens']) {
  test(`${path}: five changes an hour and user, refused ones too; looking is free`, async () => {
    const { user, person } = await aPerson(app)
    expect(left((await flat(person, 'GET', path)).headers)).toBe('5')
    const made = await flat(person, 'POST', path, reading)
    const changes = [
      await flat(person, 'POST', path, { ...reading, scope: 'internal' }),
      await flat(person, 'DELETE', `${path}/${crypto.randomUUID()}`),
      await flat(person, 'DELETE', `${path}/${made.flat.client_id ?? made.flat.id}`),
      await flat(person, 'POST', path, reading),
    ]
    expect(changes.map(({ status, headers }) => [status, left(headers)])).toEqual([
      [400, '3'],
      [404, '2'],
      [204, '1'],
      [201, '0'],
    ])
    for (const [method, body] of [
      ['POST', reading],
      ['DELETE', undefined],
    ] as const) {
      const refused = await flat(person, method, method === 'POST' ? path : `${path}/${crypto.randomUUID()}`, body)
      expect([refused.status, refused.flat.error]).toEqual([429, 'too_many_requests'])
      expect(Object.keys(refused.flat)).toEqual(['error', 'error_description'])
      expect(Number(refused.headers.get('retry-after'))).toBeWithin(3500, 3601)
      expect(refused.headers.get('x-oauth-ratelimit-limit')).toBe('5')
      expect(Number(refused.headers.get('x-oauth-ratelimit-reset'))).toBeGreaterThan(Date.now() / 1000)
      expect(refused.headers.get('x-ratelimit-limit')).toBeNull()
    }
    const looked = await flat(person, 'GET', path)
    expect([looked.status, left(looked.headers)]).toEqual([200, '0'])
    expect((await flat((await aPerson(app)).person, 'POST', path, reading)).status).toBe(201)
    const other = path === '/oauth/clients' ? '/oauth/tokens' : '/oauth/clients'
    expect(left((await flat(person, 'GET', other)).headers)).toBe('5')
    expect(await app.db.sql`select 1 from rate_windows where key = ${`session ${user}`}`).toHaveLength(0)
    app.clock.offsetSeconds = 3601
    expect((await flat(person, 'POST', path, reading)).status).toBe(201)
    app.clock.offsetSeconds = 0
  })

  test(`${path}: what does not pass the gate counts on nobody's window`, async () => {
    const { person, session } = await aPerson(app)
    for (let n = 0; n < 6; n++) {
      const cookie = { Cookie: `cardstock_session=${session}`, 'Content-Type': 'application/json' }
      const sent = { body: JSON.stringify(reading), headers: cookie }
      const foreign = await app.stranger().send('POST', path, sent)
      expect([foreign.status, JSON.parse(foreign.text).error]).toEqual([403, 'access_denied'])
    }
    expect(left((await flat(person, 'GET', path)).headers)).toBe('5')
  })
}
