import { describe, expect, test } from 'bun:test'
import { jsonApi } from '../../src/jsonapi/negotiate.ts'
import { testApp } from '../support/app.ts'
import { aToken, aUser, type Client, clientWith } from '../support/callers.ts'

const app = await testApp()

/** A client whose window is used up. */
const exhausted = async (status: string, scopes: Parameters<typeof aToken>[2]): Promise<Client> => {
  const { id, secret } = await aToken(app.context, await aUser(app.context, { status }), scopes)
  await app.db.sql`update credentials set agreed_limit = 1, agreed_window_seconds = 3600 where id = ${id}`
  const client = clientWith(app.fetch, app.baseUrl, { Authorization: `Bearer ${secret}` })
  await client.get('/v1/nowhere')
  return client
}

const exhaustedStranger = async () => {
  const stranger = app.stranger()
  for (let n = 0; n < 100; n++) await stranger.get('/v1/nowhere')
  return stranger
}

const tooLong = { 'Content-Type': 'text/plain', 'Content-Length': '999999999' }

describe('of two refusals the first is told', async () => {
  const nobody = await exhaustedStranger()
  const unpaid = await exhausted('canceled', ['read:published'])
  const spent = await exhausted('active', ['read:published'])

  test('unknown route before everything', async () => {
    expect((await nobody.get('/v1/nowhere')).status).toBe(404)
    expect((await unpaid.send('PUT', '/v1/nowhere')).status).toBe(404)
  })
  test('405 before 429, 401, 402 and 403', async () => {
    for (const client of [nobody, unpaid, spent, app.reader]) {
      const answer = await client.send('PUT', '/v1/player-teams')
      expect(answer.status).toBe(405)
      expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS')
      expect(answer.faults).toEqual(['METHOD_NOT_ALLOWED'])
    }
  })
  test('429 of an address before 401', async () => {
    const answer = await nobody.get('/v1/cards')
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3000)
  })
  test('401 before everything about a credential', async () => {
    expect((await app.stranger().post('/v1/cards', '{')).status).toBe(401)
    expect((await app.revoked.post('/v1/cards', '{')).status).toBe(401)
  })
  test('402 before 429 of a credential and 403', async () => {
    expect((await unpaid.get('/v1/cards')).status).toBe(402)
    expect((await unpaid.post('/v1/cards', {})).status).toBe(402)
  })
  test('429 of a credential before 403', async () => {
    const answer = await spent.post('/v1/cards', {})
    expect(answer.status).toBe(429)
    expect(answer.faults).toEqual(['TOO-MANY-REQUESTS'])
  })
  test('403 before 413', async () => {
    expect((await app.reader.send('POST', '/v1/cards', { body: '{}', headers: tooLong })).status).toBe(403)
  })
  test('413 before 415', async () => {
    expect((await app.writer.send('POST', '/v1/cards', { body: '{}', headers: tooLong })).status).toBe(413)
  })
  test('415 before 406 and 400', async () => {
    const headers = { 'Content-Type': 'text/plain', Accept: 'text/html' }
    expect((await app.writer.send('POST', '/v1/cards?nope=1', { body: '{', headers })).status).toBe(415)
  })
  test('406 before 400', async () => {
    const headers = { 'Content-Type': jsonApi, Accept: 'text/html' }
    expect((await app.writer.send('POST', '/v1/cards?nope=1', { body: '{', headers })).status).toBe(406)
    expect((await app.reader.get('/v1/cards?nope=1', { Accept: 'text/html' })).status).toBe(406)
  })
  test('400 before 404', async () => {
    expect((await app.reader.get(`/v1/cards/${crypto.randomUUID()}?nope=1`)).status).toBe(400)
    expect((await app.reader.get('/v1/cards/no-uuid?nope=1')).status).toBe(400)
    expect((await app.writer.post(`/v1/cards`, {})).status).toBe(400)
    for (const body of [{}, { data: { type: 'cards' } }, { data: { type: 'x', id: 'x', attributes: [] } }])
      expect((await app.operator.patch(`/v1/cards/${crypto.randomUUID()}`, body)).status).toBe(400)
    expect((await app.operator.patch(`/v1/cards/${crypto.randomUUID()}?nope=1`, {})).status).toBe(400)
    expect((await app.operator.delete(`/v1/cards/${crypto.randomUUID()}?nope=1`)).status).toBe(400)
  })
  test('404 before 409 and 422', async () => {
    const id = crypto.randomUUID()
    for (const data of [
      { type: 'sets', id },
      { type: 'brands', id: crypto.randomUUID() },
      { type: 'brands', id, attributes: { name: 1, nothing: 2 } },
    ])
      expect((await app.operator.patch(`/v1/brands/${id}`, { data })).faults).toEqual(['NOT_FOUND'])
  })
  test('409 before 422', async () => {
    const { one } = await app.operator.post('/v1/brands', {
      data: { type: 'brands', attributes: { name: 'Order of refusal' } },
    })
    const data = { type: 'sets', id: one.id, attributes: { name: 1 } }
    expect((await app.operator.patch(`/v1/brands/${one.id}`, { data })).faults).toEqual(['CONFLICT /data/type'])
  })
})
