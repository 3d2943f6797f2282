import { expect, test } from 'bun:test'
import manifest from '../../../package.json' with { type: 'json' }
import { testApp } from '../../support/app.ts'

const app = await testApp()

test('GET /health answers anybody with the version and the checks, and counts on no window', async () => {
  const answer = await app.stranger().get('/health')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(answer.headers.get('x-ratelimit-limit')).toBeNull()
  expect(answer.document as unknown).toEqual({
    status: 'ok',
    version: manifest.version,
    checks: { database: 'ok', cache: 'ok', storage: 'ok', billing: 'disabled' },
  })
})

test('GET /health answers 200 times in a row, with a bad credential too', async () => {
  const stranger = app.stranger()
  for (let n = 0; n < 200; n++) await stranger.get('/health')
  expect((await stranger.get('/health', { Authorization: 'Bearer nope' })).status).toBe(200)
})

test('a request leaves one line, without an address, a token or a query', async () => {
  const before = app.lines.length
  await app.reader.get('/v1/cards?filter[name]=secret', { 'X-Forwarded-For': '203.0.113.77' })
  const lines = app.lines.slice(before)
  expect(lines.map(({ event }) => event)).toEqual(['request'])
  const text = JSON.stringify(lines)
  expect(text).toContain('"status":200')
  for (const secret of ['203.0.113.77', 'secret', app.headers.reader.Authorization?.slice(7) ?? '', 'Bearer'])
    expect(text).not.toContain(secret)
})
