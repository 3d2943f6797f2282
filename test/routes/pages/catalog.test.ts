import { expect, test } from 'bun:test'
import { testApp } from '../../support/app.ts'
import { aPerson } from '../../support/people.ts'
import { aWorld } from '../../support/worlds.ts'

const app = await testApp({ environment: { LIMIT_CATALOG_PAGES_PER_10_MINUTES: '40' } })
const open = await aWorld(app, 'published')
const hidden = await aWorld(app, 'draft')

const paths = ['sets', 'cards', 'players', 'teams', 'genres', 'years', 'brands', 'card-images']

test('visitors read what is published by the addresses of the pages, and drafts are not there', async () => {
  const visitor = app.stranger()
  for (const path of ['sets', 'cards', 'players', 'teams'] as const) {
    const list = await visitor.get(`/pages/v1/${path}?per_page=100${path === 'sets' ? '&scope=all' : ''}`)
    expect([path, list.status]).toEqual([path, 200])
    const ids = list.many.map(({ id }) => id)
    expect(ids).toContain(open[path].id)
    expect(ids).not.toContain(hidden[path].id)
    expect((await visitor.get(`/pages/v1/${path}/${open[path].id}`)).status).toBe(200)
    expect((await visitor.get(`/pages/v1/${path}/${hidden[path].id}`)).status).toBe(404)
  }
})

test('visitors search what is published, and are offered its names', async () => {
  const visitor = app.stranger()
  for (const [world, isFound] of [
    [open, true],
    [hidden, false],
  ] as const) {
    const q = encodeURIComponent(`"${world.sets.attributes.name}"`)
    const found = await visitor.get(`/pages/v2/search?q=${q}&filter[type]=sets`)
    expect([found.status, found.many.some(({ id }) => id === world.sets.id)]).toEqual([200, isFound])
    const offered = await visitor.get(`/pages/v2/autocomplete?q=${q}`)
    expect(offered.many.some(({ id }) => id === world.sets.id)).toBe(isFound)
  }
  expect((await visitor.get('/v2/search?q=x')).status).toBe(401)
})

test('visitors read sets by their ids, and no draft among them', async () => {
  const asked = await app.stranger().get(`/pages/v2/sets?filter[id]=${open.sets.id},${hidden.sets.id}`)
  expect([asked.status, asked.many.map(({ id }) => id)]).toEqual([200, [open.sets.id]])
  expect((await app.stranger().get('/pages/v2/cards')).status).toBe(404)
})

test('the header for drafts and a write are of no use there, and /v1 stays closed without a credential', async () => {
  const visitor = app.stranger()
  const asked = await visitor.send('GET', '/pages/v1/sets?scope=all&per_page=100', {
    headers: { 'X-Cardstock-Ignore-Status': 'true' },
  })
  expect(asked.many.map(({ id }) => id)).not.toContain(hidden.sets.id)
  expect(
    (await visitor.post('/pages/v1/genres', { data: { type: 'genres', attributes: { name: 'No' } } })).status,
  ).toBe(405)
  for (const path of paths) expect((await visitor.get(`/v1/${path}`)).status).toBe(401)
})

test('an address has a limit of its own for them, which does not count on the one for /v1', async () => {
  const visitor = app.stranger()
  const answers = []
  for (let count = 0; count < 41; count++) answers.push(await visitor.get('/pages/v1/genres'))
  expect(answers.map(({ status }) => status)).toEqual([...Array(40).fill(200), 429])
  expect(answers[0]?.headers.get('x-ratelimit-limit')).toBe('40')
  expect(answers[39]?.headers.get('x-ratelimit-remaining')).toBe('0')
  expect(Number(answers[40]?.headers.get('retry-after'))).toBeWithin(1, 601)
  expect((await visitor.get('/v1/genres')).headers.get('x-ratelimit-remaining')).toBe('99')
  expect((await app.stranger().get('/pages/v1/genres')).status).toBe(200)
  for (let count = 0; count < 41; count++) expect((await visitor.get('/signin')).status).toBe(200)
})

test('pages of other sites may not read by them', async () => {
  const from = (site: string) => app.stranger().send('GET', '/pages/v1/genres', { headers: { 'Sec-Fetch-Site': site } })
  const statuses = await Promise.all(
    ['same-origin', 'none', 'same-site', 'cross-site'].map(async (site) => (await from(site)).status),
  )
  expect(statuses).toEqual([200, 200, 403, 403])
})

const elsewhere = 'https://cards.example.org/shop'
const closed = await testApp({ environment: { PUBLIC_CATALOG: 'false', BASE_URL: elsewhere } })

test('under a path of an https address the pages’ files have that path, and a session has its host’s cookie', async () => {
  const { session } = await aPerson(closed)
  const cookies = [`__Host-cardstock_session=${session}`, `cardstock_session=${session}`]
  const pages = await Promise.all(
    cookies.map(async (cookie) =>
      (await closed.fetch(new Request(`${closed.baseUrl}/`, { headers: { cookie } }))).text(),
    ),
  )
  expect(pages.map((page) => page.includes('&#34;operator&#34;:'))).toEqual([true, false])
  const files = [...(pages[0]?.matchAll(/(?:href|src)="(\/[^"]+)"/g) ?? [])].map(([, file]) => file)
  expect(files.length).toBeGreaterThan(0)
  expect(files.filter((file) => !file?.startsWith('/shop/'))).toEqual([])
})

test('PUBLIC_CATALOG=false closes them, and the pages say so', async () => {
  for (const path of paths) expect((await closed.stranger().get(`/pages/v1/${path}`)).status).toBe(404)
  const page = await closed.fetch(new Request(`${closed.baseUrl}/sets`))
  expect(await page.text()).toContain('&#34;catalogIsPublic&#34;:false')
})
