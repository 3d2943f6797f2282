import { expect, test } from 'bun:test'
import { pagePaths } from '../../../src/dashboard/browser/paths.ts'
import { jsonApi } from '../../../src/jsonapi/negotiate.ts'
import { testApp } from '../../support/app.ts'
import { aPerson } from '../../support/people.ts'

const app = await testApp()

const get = (path: string, headers: Record<string, string> = {}) =>
  app.fetch(new Request(`${app.baseUrl}${path}`, { headers: { Accept: 'text/html', ...headers } }))

const filesOf = (html: string) => [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)

test.each(Object.keys(pagePaths))(
  '%s is a page that a policy keeps from everything foreign and from inline script',
  async (path) => {
    const answer = await get(path.replace(':id', crypto.randomUUID()))
    // A record that there is not is a page all the same.
    expect(answer.status).toBe(/^\/(sets|cards|players|teams)\/:id/.test(path) ? 404 : 200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('private, no-cache')
    expect(answer.headers.has('x-ratelimit-limit')).toBeFalse()
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toStartWith("default-src 'none'; script-src 'self'; style-src 'self';")
    expect(policy).not.toMatch(/unsafe|\*/)
    const html = await answer.text()
    expect(html).toMatch(/<title>[^<·]+ · [^<]*Cardstock<\/title>/)
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\s(src=|type="application\/json"))/)
    for (const file of filesOf(html)) expect((await get(file)).status).toBe(200)
  },
)

test.each(['/signup', '/signin', '/getting-started', '/docs'])(
  '%s tells crawlers and previews what it is, and its address',
  async (path) => {
    const html = await (await get(path)).text()
    expect(html).toContain(`<link rel="canonical" href="${app.baseUrl}${path}">`)
    for (const name of ['name="description"', 'property="og:title"', 'property="og:description"', 'property="og:url"'])
      expect(html).toMatch(new RegExp(`<meta ${name} content="[^"]{7,}">`))
    expect(html).not.toContain('noindex')
  },
)

test.each(['/account', '/verify', '/operations', '/no-such-page'])('%s is not for crawlers', async (path) => {
  expect(await (await get(path)).text()).toContain('<meta name="robots" content="noindex">')
})

test('the files of a page have names of their content, and are kept for good', async () => {
  const files = filesOf(await (await get('/')).text())
  expect(files.length).toBeGreaterThanOrEqual(4)
  for (const file of files) {
    expect(file).toMatch(/-[a-z0-9]{8}\.(js|css|svg)$/)
    const answer = await get(file, { 'Accept-Encoding': 'gzip, br' })
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('content-encoding')).toBe('br')
  }
})

test('an unknown URL shows a browser a 404 page that links home, and everybody else gets the error document', async () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'
  const below = ['/operations/nothing', '/operations/jobs/1', '/operations/sets']
  for (const path of ['/no-such-page', '/sets/1/nothing', '/index.html', ...below]) {
    const page = await get(path, { Accept: browser })
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(page.headers.get('vary')).toContain('Accept')
    const html = await page.text()
    for (const file of filesOf(html)) expect((await get(file)).status).toBe(200)
    for (const accept of ['*/*', 'application/vnd.api+json', 'application/json, text/html;q=0.9', '']) {
      const answer = await get(path, { Accept: accept })
      expect([accept, answer.status, answer.headers.get('content-type')]).toEqual([accept, 404, jsonApi])
    }
  }
  const api = await Promise.all(['/v1/nothing', '/v2', '/internal/x'].map((path) => get(path, { Accept: browser })))
  expect(api.map(({ headers }) => headers.get('content-type'))).toEqual([jsonApi, jsonApi, jsonApi])
})

test('the address of a page with a slash too many leads to the page, and nowhere else', async () => {
  const leads = async (path: string) => {
    const { status, headers } = await get(path)
    return [status, headers.get('location')]
  }
  expect(await leads('/sets/?genre=x')).toEqual([308, `${app.baseUrl}/sets?genre=x`])
  expect(await leads('/operations/board/')).toEqual([308, `${app.baseUrl}/operations/board`])
  for (const path of ['/nothing/', '//example.org/', '/sets//', '/v1/sets/'])
    expect([path, await leads(path)]).toEqual([path, [404, null]])
})

test('who signed in is known on it, too', async () => {
  const { session } = await aPerson(app)
  const answer = await get('/no-such-page', { Cookie: `cardstock_session=${session}` })
  expect([answer.status, (await answer.text()).includes('&#34;operator&#34;:')]).toEqual([404, true])
})

test('a file that is none is not found, and neither is what every object has', async () => {
  for (const name of ['main.js', 'constructor', '..%2Fmain.tsx'])
    expect((await get(`/assets/${name}`)).status).toBe(404)
})

test('a page takes any query, and a HEAD', async () => {
  expect((await get('/?utm_source=mail')).status).toBe(200)
  const head = await app.fetch(new Request(`${app.baseUrl}/signin`, { method: 'HEAD' }))
  expect([head.status, await head.text()]).toEqual([200, ''])
})

test('a page knows who is signed in, and drops the cookie of a session that has ended', async () => {
  const { user, session } = await aPerson(app)
  await app.db.sql`update users set name = ${'Rea "<b>" der'} where id = ${user}`
  const cookie = `cardstock_session=${session}`
  const html = await (await get('/', { cookie })).text()
  expect(html).toContain('Rea')
  expect(html).not.toContain('<b>')
  await app.db.sql`delete from users where id = ${user}`
  const after = await get('/', { cookie })
  expect(await after.text()).not.toContain('Rea')
  expect(after.headers.get('set-cookie')).toContain('Max-Age=0')
})
