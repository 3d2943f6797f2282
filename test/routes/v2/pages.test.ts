import { expect, test } from 'bun:test'
import { cursorsOf as cursorsIn } from '../../../src/jsonapi/cursor.ts'
import { idsOf, type Shown } from '../../support/answer.ts'
import { testApp, testBaseUrl } from '../../support/app.ts'
import { factories } from '../../support/factories.ts'
import { aWorld } from '../../support/worlds.ts'

const app = await testApp()
const make = factories(app)
const { reader, operator } = app
const profile = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'
const set = await make.set({ status: 'published' })
const cards: Shown[] = []
for (const number of ['1', '2', '10', 'RC-2', 'RC-10', null]) cards.push(await make.card({ set, number }))
const world = await aWorld(app, 'published')

const list = (query = '', path = 'cards') => reader.get(`/v2/${path}?filter[set]=${set.id}&${query}`)
const cursorsOf = (answer: { many: object[] }) =>
  (answer.many as { meta: { page: { cursor: string } } }[]).map(({ meta }) => meta.page.cursor)
const all = await list()
const [first, second, , fourth] = cursorsOf(all) as [string, string, string, string]
const ids = idsOf(all.many)
const linkOf = (link: unknown) => String(link).slice(testBaseUrl.length)

test('cards come in the order of the checklist', () => {
  expect(ids).toEqual(idsOf(cards))
})

test('an item’s cursor leads to what is behind it and to what is before it', async () => {
  expect(idsOf((await list(`page[after]=${second}`)).many)).toEqual(ids.slice(2))
  expect(idsOf((await list(`page[before]=${fourth}&page[size]=2`)).many)).toEqual(ids.slice(1, 3))
  const [start, end] = [await list(`page[before]=${first}`), await list(`page[after]=${cursorsOf(all).at(-1)}`)]
  expect([start.many, start.links.prev]).toEqual([[], null as never])
  expect([end.many, end.links.next]).toEqual([[], null as never])
  expect(idsOf((await reader.get(linkOf(end.links.prev))).many)).toEqual(ids)
  expect(idsOf((await reader.get(linkOf(start.links.next))).many)).toEqual(ids)
})

test('two cursors give the rows between them, all that fit, and say where that was cut', async () => {
  const between = await list(`page[after]=${first}&page[before]=${fourth}`)
  expect([idsOf(between.many), between.meta.page]).toEqual([ids.slice(1, 3), { total: 6 }])
  const cut = await list(`page[after]=${first}&page[before]=${fourth}&page[size]=1`)
  expect([idsOf(cut.many), cut.meta.page]).toEqual([ids.slice(1, 2), { total: 6, rangeTruncated: true }])
  expect((await list(`page[after]=${fourth}&page[before]=${first}`)).many).toEqual([])
})

test('a cursor lives on when its row is gone, and belongs to every size, every fields and every caller', async () => {
  const extra = await make.card({ set, number: '3' })
  const cursor = cursorsOf(await operator.get(`/v2/cards?filter[set]=${set.id}`))[2]
  await operator.delete(`/v2/cards/${extra.id}`)
  expect(idsOf((await list(`page[after]=${cursor}&page[size]=1&fields[cards]=name&include=set`)).many)).toEqual(
    ids.slice(2, 3),
  )
  expect(idsOf((await list(`page[before]=${cursor}`)).many)).toEqual(ids.slice(0, 2))
})

test('a cursor of another path, filter or sort, or a damaged one, is a 400 at its parameter', async () => {
  const others = [
    `cards?page[after]=${second}`,
    `cards?filter[set]=${set.id}&sort=name&page[after]=${second}`,
    `cards?filter[set]=${set.id}&sort=-checklist&page[after]=${second}`,
    `cards?filter[set]=${world.sets.id}&page[after]=${second}`,
    `cards?filter[set][ne]=${set.id}&page[after]=${second}`,
    `players?page[after]=${second}`,
    `sets/${set.id}/children?page[after]=${second}`,
  ]
  for (const query of others)
    expect([query, (await reader.get(`/v2/${query}`)).faults]).toEqual([query, ['INVALID_PARAMETER page[after]']])
  const damaged = [
    second.slice(0, -1),
    `${second}A`,
    `${second.startsWith('A') ? 'B' : 'A'}${second.slice(1)}`,
    '',
    'x',
    '%00',
    `${second}=`,
    'a'.repeat(5000),
    second.toUpperCase(),
  ]
  for (const cursor of damaged)
    for (const parameter of ['page[after]', 'page[before]'])
      expect([cursor, (await list(`${parameter}=${cursor}`)).faults]).toEqual([
        cursor,
        [`INVALID_PARAMETER ${parameter}`],
      ])
  expect((await list(`sort=checklist&page[after]=${second}`)).status).toBe(200)
})

test('a cursor that another secret signed, or that is bound to another list, reads as none', () => {
  const place = ['x', 1, null, '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e']
  const cursor = cursorsIn('one secret', 'a list').write(place)
  expect(cursorsIn('one secret', 'a list').read(cursor)).toEqual(place)
  expect(cursorsIn('another', 'a list').read(cursor)).toBeUndefined()
  expect(cursorsIn('one secret', 'another list').read(cursor)).toBeUndefined()
})

test('a page size is an integer from 1 to 100, and beyond the profile’s error says so', async () => {
  for (const size of ['0', '-1', 'x', '', '1.5', '+1'])
    expect([size, (await list(`page[size]=${size}`)).faults]).toEqual([size, ['INVALID_PARAMETER page[size]']])
  for (const size of ['101', '99999999999', '9'.repeat(20)]) {
    const [error] = (await list(`page[size]=${size}`)).document.errors ?? []
    expect(error).toMatchObject({
      ...{ status: '400', source: { parameter: 'page[size]' }, meta: { page: { maxSize: 100 } } },
      links: { type: `${profile}/max-size-exceeded` },
    })
  }
  expect((await list('page[size]=100')).status).toBe(200)
})

test('an unknown sort key is the profile’s error, the first of several', async () => {
  const answer = await list('sort=nothing,-year')
  expect(answer.status).toBe(400)
  expect(answer.document.errors?.map(({ links, source }) => [links?.type, source?.parameter])).toEqual([
    [`${profile}/unsupported-sort`, 'sort'],
  ])
  for (const sort of ['', '-', 'name,', '--name', 'name,-name', 'constructor'])
    expect([sort, (await list(`sort=${sort}`)).status]).toEqual([sort, 400])
  for (const sort of ['', '-', 'name,', ',', ',-,']) {
    const [error, ...more] = (await list(`sort=${sort}`)).document.errors ?? []
    expect([sort, error?.detail, more]).toEqual([sort, expect.stringMatching(/^A sort key is missing\. Use \w+, /), []])
  }
  const both = (await list('sort=nothing,name,nothing,-name')).document.errors?.map(({ detail }) => detail)
  expect(both).toEqual([expect.stringContaining('nothing is not a sort key')])
  const twice = (await list('sort=name,-name')).document.errors?.map(({ detail }) => detail)
  expect(twice).toEqual(['Must name each key only once.'])
})

test('several sort keys order one after the other, in their own directions, across pages', async () => {
  const sets = []
  for (const [year, name] of [
    ['B', 'x'],
    ['A', 'y'],
    ['B', 'a'],
    ['A', 'b'],
    [undefined, 'q'],
  ] as const) {
    const given = year
      ? { year: (await operator.get(`/v2/years?filter[name]=${year}`)).many[0] ?? (await make.year({ name: year })) }
      : {}
    sets.push(await make.set({ name: `multi ${name}`, ...given }))
  }
  for (const [sort, wanted] of [
    ['-year,name', ['q', 'a', 'x', 'b', 'y']],
    ['year,-name', ['y', 'b', 'x', 'a', 'q']],
  ] as const) {
    const names: unknown[] = []
    for (let at = `/v2/sets?filter[name][prefix]=multi&sort=${sort}&page[size]=1`; at; ) {
      const page = await operator.get(at)
      names.push(...page.many.map(({ attributes }) => attributes.name))
      at = page.links.next ? linkOf(page.links.next) : ''
    }
    expect([sort, names]).toEqual([sort, wanted.map((name) => `multi ${name}`)])
  }
})

test('every unknown parameter, and every repeated one that takes no list, is an error of its own', async () => {
  const answer = await list(
    'page=1&per_page=2&page[number]=1&limit=1&page[size]=2&page[size]=2&filter[nope]=1&filter[nope]=2',
  )
  expect(answer.faults).toEqual([
    'INVALID_PARAMETER page',
    'INVALID_PARAMETER per_page',
    'INVALID_PARAMETER page[number]',
    'INVALID_PARAMETER limit',
    'INVALID_PARAMETER page[size]',
    'INVALID_PARAMETER filter[nope]',
  ])
  expect((await reader.get(`/v2/cards/${ids[0]}?page[size]=1`)).faults).toEqual(['INVALID_PARAMETER page[size]'])
})

test('the profile may be asked for in every form of its address, and no extension can', async () => {
  const accept = async (value: string) => (await reader.get('/v2/cards', { Accept: value })).status
  for (const address of [profile, `${profile}/`, profile.replace('https', 'http')])
    expect(await accept(`application/vnd.api+json; profile="${address}"`)).toBe(200)
  expect(await accept('application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"')).toBe(406)
})

test('totals of what is filtered are exact', async () => {
  const total = async (query: string) => (await operator.get(`/v2/${query}`)).meta.page
  expect(await total(`cards?filter[player]=${world.players.id}`)).toEqual({ total: 1 })
  expect(await total('sets?filter[status]=draft&page[size]=1')).toEqual({ total: 5 })
  expect(await total('sets?filter[parent][null]=true&page[size]=1')).toEqual({ total: 7 })
})

test('a total is exact up to 10,000 rows; where nothing counts more, it is said to be a guess', async () => {
  const page = async () => (await operator.get('/v2/teams?filter[name][prefix]=Many&page[size]=1')).meta.page
  const more = (count: number) => app.db.sql`
    insert into teams (id, name, created_at, updated_at)
    select gen_random_uuid(), 'Many', now(), now() from generate_series(1, ${count}::int)`
  await more(10_000)
  expect(await page()).toEqual({ total: 10_000 })
  await more(1)
  await make.brand()
  expect(await page()).toEqual({ estimatedTotal: { bestGuess: expect.any(Number) } })
  await app.db.sql`delete from teams where name = 'Many'`
})
