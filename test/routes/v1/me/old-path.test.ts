import { expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'
import { aPerson, flat } from '../../../support/people.ts'

const app = await testApp()

test('/user answers GET and PATCH flat, in both directions, as /v1/me does', async () => {
  const { person, user } = await aPerson(app)
  const changed = await flat(person, 'PATCH', '/user', { name: ' Ana Pérez ' })
  expect([changed.status, changed.headers.get('content-type'), changed.flat]).toEqual([
    200,
    'application/json',
    { id: user, name: 'Ana Pérez', email: `${user}@example.org`, created_at: expect.any(String) },
  ])
  expect(changed.headers.get('deprecation')).toStartWith('@')
  const { flat: shown } = await flat(person, 'GET', '/user')
  expect(shown).toEqual(changed.flat)
  expect((await person.get('/v1/me')).one.attributes.name).toBe('Ana Pérez')
  expect((await flat(person, 'PATCH', '/user', { ...shown, name: null })).flat.name).toBe(null)
})

test('faults point at the members', async () => {
  const { person } = await aPerson(app)
  expect((await flat(person, 'PATCH', '/user', { name: 5, zip: 1 })).faults.toSorted()).toEqual([
    'VALIDATION-FAILED /name',
    'VALIDATION-FAILED /zip',
  ])
  expect((await flat(person, 'PATCH', '/user', [])).status).toBe(400)
  expect((await flat(person, 'DELETE', '/user', {})).faults).toEqual(['VALIDATION-FAILED /confirm_email'])
  expect((await flat(person, 'DELETE', '/user', { confirm_email: 'b@example.org' })).faults).toEqual([
    'VALIDATION-FAILED /confirm_email',
  ])
  app.clock.offsetSeconds += 1000
  expect((await flat(person, 'DELETE', '/user', { confirm_email: 'b@example.org' })).faults).toEqual([
    'REAUTHENTICATION_REQUIRED /current_password',
  ])
  app.clock.offsetSeconds -= 1000
})

test('DELETE takes the address that confirms it, and deletes the account', async () => {
  const { person, user } = await aPerson(app)
  const answer = await flat(person, 'DELETE', '/user', { confirm_email: `${user}@example.org` })
  expect([answer.status, answer.text]).toEqual([204, ''])
  expect((await person.get('/v1/me')).status).toBe(401)
})

test('it counts on the window of its caller, like every account route', async () => {
  const { person } = await aPerson(app)
  const left = async (path: string) => Number((await person.get(path)).headers.get('x-ratelimit-remaining'))
  expect([await left('/v1/me'), await left('/user'), await left('/v1/me')]).toEqual([1999, 1998, 1997])
  expect((await app.stranger().get('/user')).headers.get('x-ratelimit-limit')).toBe('100')
})

test('only signed-in people have it', async () => {
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    expect([method, (await flat(app.subscriber, method, '/user', method === 'GET' ? undefined : {})).status]).toEqual([
      method,
      403,
    ])
    expect([method, (await flat(app.stranger(), method, '/user', method === 'GET' ? undefined : {})).status]).toEqual([
      method,
      401,
    ])
  }
})
