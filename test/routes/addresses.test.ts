import { expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { factories } from '../support/factories.ts'

const app = await testApp()
const make = factories(app)
const brand = await make.brand()

test.each([
  ...[
    '/x',
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/v3/cards',
    '/v1/cards/',
    '/v1//cards',
    '/V1/cards',
    '/v1/Cards',
    '/v1/card',
  ],
  ...['/v1/brands/1/2', '/v1/set_sources', '/v1/players/x/teams', '/v1/cards%2f1', '/v1/%63ards%00', '/%', '/%zz'],
  ...['/v1/__proto__', '/v1/constructor', `/v1/${'a'.repeat(4000)}`, '/v1/cards;x=1', '/v1/cards.json'],
])('nothing is at %s: 404', async (path) => {
  for (const method of ['GET', 'POST', 'DELETE', 'HEAD']) {
    const answer = await app.operator.send(method, path, method === 'POST' ? { body: '{}' } : {})
    expect([method, answer.status]).toEqual([method, 404])
    if (method !== 'HEAD') expect(answer.faults).toEqual(['NOT_FOUND'])
  }
})

test.each([
  'x',
  '%zz',
  '%',
  '%00',
  '%ff',
  '0',
  'null',
  'undefined',
  '..',
  '%2e%2e',
  `${'a'.repeat(3000)}`,
  "'",
  '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2',
])('an id that is %p names nothing: 404 to every method', async (id) => {
  for (const path of ['cards', 'sets', 'players', 'player-teams', 'brands', 'object-attributes', 'card-images']) {
    expect([path, (await app.operator.get(`/v1/${path}/${id}`)).status]).toEqual([path, 404])
    expect([path, (await app.operator.delete(`/v1/${path}/${id}`)).status]).toEqual([path, 404])
  }
  const document = { data: { type: 'brands', id, attributes: {} } }
  expect((await app.operator.patch(`/v1/brands/${id}`, document)).status).toBe(404)
})

test('a percent-encoded id is the id', async () => {
  const encoded = brand.id.replace('-', '%2D').replace(/[a-f]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
  expect((await app.operator.get(`/v1/brands/${encoded}`)).one.id).toBe(brand.id)
})

test('a refusal carries the request’s id in header and body, a given one too', async () => {
  const made = await app.anonymous.get('/v1/cards')
  expect(made.meta.request_id).toBe(made.headers.get('x-request-id') as string)
  for (const id of ['a', 'A.b_c-9', 'x'.repeat(128)]) {
    const { headers, meta } = await app.operator.get('/v1/nothing', { 'X-Request-ID': id })
    expect([headers.get('x-request-id'), meta.request_id]).toEqual([id, id])
  }
})

test('an error document has status as text, code, title and detail, and no data', async () => {
  const { document } = await app.operator.get('/v1/cards?foo=1')
  expect(document.jsonapi).toEqual({ version: '1.1' })
  expect(Object.keys(document).toSorted()).toEqual(['errors', 'jsonapi', 'meta'])
  expect(document.errors).toEqual([
    {
      ...{ status: '400', code: 'INVALID_PARAMETER', title: expect.any(String) as never },
      ...{ detail: expect.any(String) as never, source: { parameter: 'foo' } },
    },
  ])
})

test.each([
  [undefined, 200],
  ['*/*', 200],
  ['application/*', 200],
  ['application/vnd.api+json', 200],
  ['application/vnd.api+json; profile="https://example.org/p"', 200],
  ['text/html, application/vnd.api+json;q=0.5', 200],
  ['application/vnd.api+json; charset=utf-8, application/vnd.api+json', 200],
  ['application/vnd.api+json; charset=utf-8', 406],
  ['application/vnd.api+json; ext="https://example.org/e"', 406],
  ['text/html', 406],
  ['application/json', 200],
  ['application/vnd.api+json; q=0', 406],
])('Accept %p answers %d', async (accept, status) => {
  const headers: Record<string, string> = accept ? { Accept: accept } : {}
  expect((await app.operator.get(`/v1/brands/${brand.id}`, headers)).status).toBe(status)
})

test('a 404 comes before what is wrong with Accept only where the route is unknown', async () => {
  expect((await app.operator.get('/v1/nothing', { Accept: 'text/html' })).status).toBe(404)
  expect((await app.operator.get(`/v1/brands/${crypto.randomUUID()}`, { Accept: 'text/html' })).status).toBe(406)
})

test('a DELETE with a body and a GET with a Content-Type are taken as they are', async () => {
  const other = await make.brand()
  const answer = await app.operator.send('DELETE', `/v1/brands/${other.id}`, {
    body: 'x',
    headers: { 'Content-Type': 'text/plain' },
  })
  expect(answer.status).toBe(204)
  expect((await app.operator.get('/v1/brands', { 'Content-Type': 'text/plain' })).status).toBe(200)
})
