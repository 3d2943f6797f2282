import { expect, test } from 'bun:test'
import { testApp } from '../../support/app.ts'
import { factories } from '../../support/factories.ts'

const app = await testApp()
const make = factories(app)
const get = async (path: string, of = app) => {
  const answer = await of.fetch(new Request(`${of.baseUrl}${path}`))
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}
const addressesIn = (text: string) => [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => address)

test('the sitemap leads to every published set and player, and to nothing else', async () => {
  const [set, draft] = [await make.set({ status: 'published' }), await make.set()]
  const [player, hidden] = [await make.player(), await make.player()]
  await make.card({ set, oncard: [player] })
  await make.card({ set: draft, oncard: [hidden] })
  const index = await get('/sitemap.xml')
  expect(index.headers.get('content-type')).toBe('application/xml; charset=utf-8')
  expect(index.headers.has('x-ratelimit-limit')).toBeFalse()
  const files = await Promise.all(addressesIn(index.text).map((file) => get(file.slice(app.baseUrl.length))))
  expect(files.flatMap(({ text }) => addressesIn(text)).toSorted()).toEqual(
    [`${app.baseUrl}/players/${player.id}`, `${app.baseUrl}/sets/${set.id}`].toSorted(),
  )
  for (const { text } of files) expect(text).toMatch(/<lastmod>\d{4}-\d{2}-\d{2}<\/lastmod>/)
})

test('robots.txt names the sitemap, and keeps crawlers from accounts', async () => {
  const { status, headers, text } = await get('/robots.txt')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(text).toStartWith('User-agent: *\nDisallow: /account\n')
  expect(text).toEndWith(`\nSitemap: ${app.baseUrl}/sitemap.xml\n`)
  expect(text).not.toMatch(/^Disallow: \/$/m)
})

test('robots.txt leaves open what pages of the catalog load their content from', async () => {
  const { text } = await get('/robots.txt')
  const closed = [...text.matchAll(/^Disallow: (.+)$/gm)].map(([, path = '']) => path)
  expect(closed.length).toBeGreaterThan(0)
  for (const path of ['/sets/1', '/players/1', '/pages/v1/sets', '/assets/main.js'])
    expect(closed.filter((one) => path.startsWith(one))).toEqual([])
})

test('a file that is none is a 404', async () => {
  for (const path of ['/sitemap/teams/d0000000-0000-4000-8000-000000000000', '/sitemap/sets/1'])
    expect((await get(path)).status).toBe(404)
})

test('with PUBLIC_CATALOG=false the sitemap is empty, and robots.txt disallows all', async () => {
  const closed = await testApp({ environment: { PUBLIC_CATALOG: 'false' } })
  const set = await factories(closed).set({ status: 'published' })
  expect(addressesIn((await get('/sitemap.xml', closed)).text)).toEqual([])
  expect((await get(`/sitemap/sets/${set.id}`, closed)).status).toBe(404)
  expect((await get('/robots.txt', closed)).text).toBe('User-agent: *\nDisallow: /\n')
})
