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
  const accept: Record<string, string> = route.acceptsAll ? { Accept: route.acceptsAll.join(', ') } : {}
  const sent = route.body ? { body: '{}', headers: { 'Content-Type': bodyTypesOf(route)[0] as string, ...accept } } : {}
  const answer = await app.operator.send(method, `${address}?bogus=1&bogus=2`, sent)
  expect([answer.status, answer.text]).toEqual([
    400,
    expect.stringMatching(/This endpoint has no such parameter\. |Must be sent only once\./),
  ])
  if (!answer.document.errors) return
  const missing = Object.entries(route.query ?? {}).flatMap(([name, { required }]) => (required ? [name] : []))
  const [first, ...others] = answer.faults
  expect(first).toBe('INVALID_PARAMETER bogus')
  expect(others).toBeOneOf([[], missing.map((name) => `INVALID_PARAMETER ${name}`)])
})

test('the documentation page takes any query, like all pages', async () => {
  expect((await app.stranger().get('/docs?utm_source=mail')).status).toBe(200)
})

test('the files of the documentation page refuse it too', async () => {
  expect((await app.stranger().get('/docs/assets/page.js')).status).toBe(200)
  expect((await app.stranger().get('/docs/assets/page.js?v=1')).faults).toEqual(['INVALID_PARAMETER v'])
})

const adviceOf = async (path: string) => {
  const { document } = await app.operator.get(path)
  return (document.errors as { detail: string }[]).map(({ detail }) => detail)
}

test.each([
  ['/v1/cards?per_pge=5', 'per_page'],
  ['/v1/cards?perpage=5', 'per_page'],
  ['/v1/cards?filter[nmae]=x', 'filter[name]'],
  ['/v1/sets?Scope=all', 'scope'],
  ['/v2/cards?genre=x', 'filter[genre]'],
  ['/v2/cards?page[sise]=5', 'page[size]'],
  ['/v2/search?facet=set&q=jordan', 'facets'],
  ['/internal/audit-logs?filter[event_typ]=x', 'filter[event_type]'],
])('of %s the error names the nearest parameter', async (path, nearest) => {
  expect(await adviceOf(path)).toEqual([`This endpoint has no such parameter. Did you mean ${nearest}?`])
})

test('where none is near, the error lists the parameters that there are, without the deprecated ones', async () => {
  const [advice = ''] = await adviceOf('/v1/sets?colour=red')
  expect(advice).toStartWith('This endpoint has no such parameter. It has ')
  expect(advice).toContain('filter[name]')
  expect(advice).toContain(', order_by')
  expect(advice).not.toContain(' limit,')
  expect(await adviceOf('/v1/me?name=x')).toHaveLength(1)
  expect(await adviceOf('/version?v=1')).toEqual(['This endpoint has no such parameter. It has none.'])
})

test('each of several is named with its own advice, however long it is', async () => {
  const long = 'x'.repeat(9000)
  const { document } = await app.operator.get(`/v1/cards?pag=1&${long}=1`)
  const errors = document.errors as { detail: string; source: { parameter: string } }[]
  expect(errors.map(({ source }) => source.parameter.length)).toEqual([3, 200])
  expect(errors[0]?.detail).toEndWith('Did you mean page?')
})
