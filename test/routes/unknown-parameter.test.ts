import { expect, test } from 'bun:test'
import { routes } from '../../src/app.ts'
import { bodyTypesOf } from '../../src/http/route.ts'
import { testApp } from '../support/app.ts'

const app = await testApp()

/** A page takes any query. A signature, or a token of its own, is looked at first: test/routes/card-images/download.test.ts, test/routes/v2/bulk.test.ts, test/routes/metrics. */
const others = ['/images/:id/:name', '/bulk/:id/:name', '/metrics', '/docs']

test.each(
  routes.filter(({ path }) => !others.includes(path)).map((route) => [route.method, route.path, route] as const),
)('%s %s refuses a query parameter that it does not know', async (method, path, route) => {
  const address = path.replace(/:\w+/g, () => crypto.randomUUID())
  const sent = route.body ? { body: '{}', headers: { 'Content-Type': bodyTypesOf(route)[0] as string } } : {}
  const answer = await app.operator.send(method, `${address}?bogus=1&bogus=2`, sent)
  expect([answer.status, answer.text]).toEqual([
    400,
    expect.stringMatching(/This endpoint has no such parameter\.|Must be sent only once\./),
  ])
  if (answer.document.errors) expect(answer.faults).toEqual(['INVALID_PARAMETER bogus'])
})

test('the documentation page takes any query, like all pages', async () => {
  expect((await app.stranger().get('/docs?utm_source=mail')).status).toBe(200)
})

test('the files of the documentation page refuse it too', async () => {
  expect((await app.stranger().get('/docs/assets/page.js')).status).toBe(200)
  expect((await app.stranger().get('/docs/assets/page.js?v=1')).faults).toEqual(['INVALID_PARAMETER v'])
})
