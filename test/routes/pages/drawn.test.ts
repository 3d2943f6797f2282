import { expect, test } from 'bun:test'
import { testApp } from '../../support/app.ts'
import { factories } from '../../support/factories.ts'
import { drawnPages } from '../../support/pages/drawn.ts'
import { aPerson } from '../../support/people.ts'
import { aWorld } from '../../support/worlds.ts'

const app = await testApp()
const make = factories(app)
const open = await aWorld(app, 'published')
const hidden = await aWorld(app, 'draft')

const { open: get } = drawnPages(app)

const kinds = ['sets', 'cards', 'players', 'teams'] as const

test.each(kinds)('the page of one of the %s has its content, title and address in its HTML', async (type) => {
  const { name = '' } = open[type].attributes as { name?: string }
  const path = `/${type}/${open[type].id}`
  const page = await get(`${path}?utm_source=mail`)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.main).toContain(name)
  expect(page.title).toStartWith(name)
  expect(page.title).toEndWith(' · Cardstock')
  expect(page.meta('description')).toContain(name)
  expect(page.canonical).toBe(`${app.baseUrl}${path}`)
  expect([page.meta('og:url'), page.meta('og:site_name')]).toEqual([`${app.baseUrl}${path}`, 'Cardstock'])
})

test.each(kinds)(
  'a hidden one of the %s is a 404 to a visitor, as what does not exist, and its page says so',
  async (type) => {
    for (const id of [hidden[type].id, crypto.randomUUID(), 'nothing']) {
      const page = await get(`/${type}/${id}`)
      expect([page.status, page.main.includes('Not found')]).toEqual([404, true])
      expect([page.canonical, page.meta('robots')]).toEqual([undefined, 'noindex'])
    }
  },
)

test('an operator reads drafts on the same pages', async () => {
  const { session } = await aPerson(app, { operator: true })
  const cookie = `cardstock_session=${session}`
  for (const type of kinds) {
    expect((await get(`/${type}/${hidden[type].id}`, { cookie })).status).toBe(200)
    const content = await app.fetch(
      new Request(`${app.baseUrl}/pages/content/${type}/${hidden[type].id}`, { headers: { cookie } }),
    )
    expect(content.status).toBe(200)
  }
  const { session: other } = await aPerson(app)
  expect((await get(`/sets/${hidden.sets.id}`, { cookie: `cardstock_session=${other}` })).status).toBe(404)
})

test('what a page was drawn from is the same as what a browser reads of it, and nothing in it ends its element', async () => {
  const set = await make.set({ status: 'published', name: '</script><b>Bold' })
  const { html, main } = await get(`/sets/${set.id}`)
  expect(html).not.toContain('<b>Bold')
  expect(main).toContain('&lt;/script>&lt;b>Bold')
  const given = JSON.parse(/<script type="application\/json" id="given">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '')
  const read = await app.fetch(new Request(`${app.baseUrl}/pages/content/sets/${set.id}`))
  expect(given).toEqual({ content: await read.json(), url: `/sets/${set.id}` })
})

test('searching and narrowing work by plain forms and links', async () => {
  const player = await make.player({ first_name: 'Zebulon', last_name: 'Quist' })
  const set = await make.set({ status: 'published', name: 'Plain Set' })
  const card = await make.card({ set, number: '7', oncard: [player] })
  const other = await make.card({ set, number: '8' })
  const start = await get('/')
  expect(start.main).toMatch(/<form [^>]*action="\/search"[\s\S]*name="q"/)
  const found = await get('/search?q=quist')
  expect(found.main).toContain(`href="/cards/${card.id}"`)
  expect(found.main).toContain(`href="/players/${player.id}"`)
  expect(found.meta('robots')).toBe('noindex, follow')
  const narrowed = await get(`/sets/${set.id}?player=quist&sort=player`)
  expect(narrowed.main).toMatch(new RegExp(`<form [^>]*action="/sets/${set.id}"[\\s\\S]*name="player"`))
  expect([card, other].map(({ id }) => narrowed.main.includes(id))).toEqual([true, false])
  const wrong = await get('/search?q=plaayer:quist')
  expect([wrong.status, wrong.main.includes('Position')]).toEqual([200, false])
  expect(wrong.main).toMatch(
    /Did you mean <a href="[^"]*player%3Aquist">player:quist<\/a>\?.*There is no field plaayer/,
  )
})

test('what narrows a search names sets in full, and asks for both names of one', async () => {
  const release = await make.set({ status: 'published', name: '1999 Quill Fencing' })
  const other = await make.set({ status: 'published', name: '1998 Quill Fencing' })
  const player = await make.player({ first_name: 'Ada', last_name: 'Foil' })
  for (const parent of [release, other]) {
    const base = await make.set({ status: 'published', name: 'Base Set', parent })
    await make.card({ set: base, number: '1', oncard: [player] })
  }
  const narrowing = await get('/search?q=foil&facets=yes')
  const [, href = ''] = /href="([^"]*)">1999 Quill Fencing › Base Set<\/a>/.exec(narrowing.main) ?? []
  expect(new URLSearchParams(href.split('?')[1]).get('q')).toBe('foil set:"1999 Quill Fencing" set:"Base Set"')
  expect((await get(href.replaceAll('&amp;', '&'))).numbers).toEqual(['1'])
})

test('the start counts releases, and says that sets are those with all below them', async () => {
  const { main } = await get('/')
  const count = (noun: string) => Number(new RegExp(`<strong>([\\d,]+)</strong> ${noun}`).exec(main)?.[1])
  expect(main).toMatch(/<\/strong> sets, with inserts and parallels/)
  const listed = await get('/sets')
  expect(listed.main).toContain(`${count('releases')} releases`)
  expect(count('sets')).toBeGreaterThan(count('releases'))
})

test('pages count on the window of the catalog browser, and beyond it are a page with 429', async () => {
  const few = await testApp({ environment: { LIMIT_CATALOG_PAGES_PER_10_MINUTES: '3' } })
  const { open: visit } = drawnPages(few)
  const statuses = []
  for (const path of ['/', '/sets', '/search?q=x', '/sets']) statuses.push((await visit(path)).status)
  expect(statuses).toEqual([200, 200, 200, 429])
  const refused = await visit('/')
  expect(refused.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 601)
  expect(refused.main).toContain('Too many requests')
  const content = await few.fetch(new Request(`${few.baseUrl}/pages/content/sets`))
  expect([content.status, content.headers.has('retry-after')]).toEqual([429, true])
  for (const path of ['/robots.txt', '/sitemap.xml', '/signin']) expect((await visit(path)).status).toBe(200)
})

test('other sites may not read the content of pages', async () => {
  const from = (site: string) =>
    app.fetch(new Request(`${app.baseUrl}/pages/content/sets`, { headers: { 'Sec-Fetch-Site': site } }))
  expect([(await from('same-origin')).status, (await from('cross-site')).status]).toEqual([200, 403])
})

test('a catalog that is not public is shown to accounts that are active, and to no visitor', async () => {
  const closed = await testApp({ environment: { PUBLIC_CATALOG: 'false' } })
  const world = await aWorld(closed, 'published')
  const path = `/sets/${world.sets.id}`
  const { open: visit } = drawnPages(closed)
  const visitor = await visit(path)
  expect([visitor.status, visitor.main.includes('This catalog isn’t public')]).toEqual([404, true])
  expect(visitor.html).not.toContain(String(world.sets.attributes.name))
  const { session } = await aPerson(closed)
  const member = await visit(path, { cookie: `cardstock_session=${session}` })
  expect([member.status, member.main.includes(String(world.sets.attributes.name))]).toEqual([200, true])
})
