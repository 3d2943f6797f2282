import { expect, test } from 'bun:test'
import { idsOf } from '../../../support/answer.ts'
import { testApp } from '../../../support/app.ts'
import { factories } from '../../../support/factories.ts'

const app = await testApp()
const make = factories(app)
const ignoreStatus = { 'X-Cardstock-Ignore-Status': 'true' }

const [genre, brand, maker] = [await make.genre(), await make.brand(), await make.manufacturer()]
const [y86, y93] = [await make.year({ name: '1986-87' }), await make.year({ name: '1993' })]
const fleer = await make.set({ name: 'Fleer', status: 'published', genre, brand, manufacturer: maker, year: y86 })
const finest = await make.set({ name: 'finest', status: 'published', genre, year: y93 })
const draft = await make.set({ name: 'Äther 100%_\\', genre, year: y86 })
const stickers = await make.set({ name: 'Fleer Stickers', status: 'published', parent: fleer, genre, year: y86 })
const draftChild = await make.set({ name: 'Fleer Proofs', parent: fleer, brand })
const noYear = await make.set({ name: 'Zeta', status: 'published' })

const names = async (query: string, caller = app.reader, headers: Record<string, string> = {}) => {
  const { status, many, meta } = await caller.get(`/v1/sets?${query}`, headers)
  expect([status, meta.total]).toEqual([200, many.length])
  return [meta.scope, ...many.map(({ attributes }) => attributes.name)]
}

test('sets are listed by name without case, roots alone, drafts left out', async () => {
  const roots = ['root', 'finest', 'Fleer', 'Zeta']
  expect(await names('')).toEqual(roots)
  expect(await names('', app.operator)).toEqual(roots)
  expect(await names('scope=root', app.reader, ignoreStatus)).toEqual(roots)
})

test('drafts are listed for who may read them and asks by the header', async () => {
  const roots = ['root', 'finest', 'Fleer', 'Zeta', 'Äther 100%_\\']
  for (const caller of [app.draftReader, app.allReader, app.operator, app.machine])
    expect(await names('', caller, ignoreStatus)).toEqual(roots)
  for (const value of ['TRUE', '1', 'yes', 'on', 'x'])
    expect([value, await names('', app.operator, { 'x-cardstock-ignore-status': value })]).toEqual([value, roots])
  for (const value of ['false', 'False', '0', 'no', 'NO', ' no ', ''])
    expect([value, (await names('', app.operator, { 'X-Cardstock-Ignore-Status': value })).length]).toEqual([value, 4])
})

test('scope=all lists every set', async () => {
  expect(await names('scope=all')).toEqual(['all', 'finest', 'Fleer', 'Fleer Stickers', 'Zeta'])
  expect(await names('scope=all', app.operator, ignoreStatus)).toHaveLength(7)
})

test('a name searches every set, unless a scope is asked for', async () => {
  expect(await names('filter[name]=Fleer Stickers')).toEqual(['all', 'Fleer Stickers'])
  expect(await names('filter[name]=like:fleer')).toEqual(['all', 'Fleer', 'Fleer Stickers'])
  expect(await names('filter[name]=like:fleer&scope=root')).toEqual(['root', 'Fleer'])
  expect(await names('filter[name]=like:fleer', app.operator, ignoreStatus)).toEqual([
    ...['all', 'Fleer', 'Fleer Proofs', 'Fleer Stickers'],
  ])
})

test('filter[name] is exact, case included; like: is any part without case, wildcards literal', async () => {
  expect(await names('filter[name]=fleer')).toEqual(['all'])
  expect(await names('filter[name]=Fle')).toEqual(['all'])
  expect(await names('filter[name]=like:LEE')).toEqual(['all', 'Fleer', 'Fleer Stickers'])
  expect(await names('filter[name]=like:%25')).toEqual(['all'])
  for (const part of ['%', '_', '\\', '100%_', '%_\\', 'äTHER', 'Ä'])
    expect([part, await names(`filter[name]=like:${encodeURIComponent(part)}`, app.operator, ignoreStatus)]).toEqual([
      part,
      ['all', 'Äther 100%_\\'],
    ])
  expect(await names('filter[name]=like:')).toHaveLength(5)
})

test('what has a part of a name is paged in any order that can be asked for', async () => {
  const byName = ['finest', 'Fleer', 'Fleer Proofs', 'Fleer Stickers', 'Zeta', 'Äther 100%_\\']
  const orders = ['', 'order_by=year', 'order_by=created_at', 'sort=desc', 'order_by=year&sort=desc']
  for (const order of orders) {
    const query = `filter[name]=like:e&${order}`
    const [, ...all] = await names(query, app.operator, ignoreStatus)
    expect(all.toSorted()).toEqual(byName.toSorted())
    if (order === '') expect(all).toEqual(byName)
    if (order === 'sort=desc') expect(all).toEqual(byName.toReversed())
    const pages = await Promise.all(
      [1, 2, 3].map((page) => app.operator.get(`/v1/sets?${query}&per_page=4&page=${page}`, ignoreStatus)),
    )
    expect(pages.map(({ meta }) => meta.total)).toEqual([6, 6, 6])
    const shown = pages.map(({ many }) => many.map(({ attributes }) => attributes.name))
    expect(shown).toEqual([all.slice(0, 4), all.slice(4), []])
  }
})

test('filters by reference list what refers to it', async () => {
  expect(await names(`filter[genre]=${genre.id}`)).toEqual(['root', 'finest', 'Fleer'])
  expect(await names(`filter[genre]=${genre.id}&scope=all`)).toEqual(['all', 'finest', 'Fleer', 'Fleer Stickers'])
  expect(await names(`filter[year]=${y86.id}`, app.operator, ignoreStatus)).toEqual(['root', 'Fleer', 'Äther 100%_\\'])
  expect(await names(`filter[brand]=${brand.id}&scope=all`, app.operator, ignoreStatus)).toEqual([
    'all',
    'Fleer',
    'Fleer Proofs',
  ])
  expect(await names(`filter[manufacturer]=${maker.id}`)).toEqual(['root', 'Fleer'])
  expect(await names(`filter[genre]=${genre.id}&filter[year]=${y93.id}`)).toEqual(['root', 'finest'])
  expect(await names(`filter[genre]=${crypto.randomUUID()}`)).toEqual(['root'])
})

test('parent_id lists children, whatever the scope', async () => {
  for (const scope of ['', '&scope=root', '&scope=all'])
    expect(await names(`filter[parent_id]=${fleer.id}${scope}`)).toEqual(['all', 'Fleer Stickers'])
  expect(await names(`filter[parent_id]=${fleer.id}`, app.operator, ignoreStatus)).toEqual([
    ...['all', 'Fleer Proofs', 'Fleer Stickers'],
  ])
  expect(await names(`filter[parent_id]=${finest.id}`)).toEqual(['all'])
  expect(await names(`filter[parent_id]=${fleer.id}&filter[name]=like:stick`)).toEqual(['all', 'Fleer Stickers'])
})

test('filter[status] narrows, and opens nothing', async () => {
  expect(await names('filter[status]=published', app.operator, ignoreStatus)).toEqual([
    'root',
    'finest',
    'Fleer',
    'Zeta',
  ])
  expect(await names('filter[status]=draft', app.operator, ignoreStatus)).toEqual(['root', 'Äther 100%_\\'])
  expect(await names('filter[status]=draft&scope=all', app.operator, ignoreStatus)).toHaveLength(3)
  expect(await names('filter[status]=draft', app.operator)).toEqual(['root'])
  expect(await names('filter[status]=draft', app.reader, ignoreStatus)).toEqual(['root'])
  expect(await names(`filter[status]=draft&filter[parent_id]=${fleer.id}`, app.operator, ignoreStatus)).toEqual([
    ...['all', 'Fleer Proofs'],
  ])
  for (const status of ['', 'Draft', 'archived', 'like:draft'])
    expect((await app.reader.get(`/v1/sets?filter[status]=${status}`)).faults).toEqual([
      'INVALID_PARAMETER filter[status]',
    ])
})

test.each([
  ['name', 'asc', ['finest', 'Fleer', 'Fleer Stickers', 'Zeta']],
  ['name', 'desc', ['Zeta', 'Fleer Stickers', 'Fleer', 'finest']],
  ['created_at', 'asc', ['Fleer', 'finest', 'Fleer Stickers', 'Zeta']],
  ['created_at', 'desc', ['Zeta', 'Fleer Stickers', 'finest', 'Fleer']],
  ['updated_at', 'desc', ['Zeta', 'Fleer Stickers', 'finest', 'Fleer']],
])('order_by=%s and sort=%s order the list, on one page or several', async (orderBy, sort, wanted) => {
  const query = `scope=all&order_by=${orderBy}&sort=${sort}`
  expect(await names(query)).toEqual(['all', ...wanted])
  const pages = await Promise.all([1, 2].map((page) => app.reader.get(`/v1/sets?${query}&per_page=2&page=${page}`)))
  expect(pages.flatMap(({ many }) => many.map(({ attributes }) => attributes.name as string))).toEqual(wanted)
})

test('order_by=year orders by the name of the year, ties by id', async () => {
  const of86 = [fleer, stickers].toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ attributes }) => attributes.name)
  expect(await names('scope=all&order_by=year')).toEqual(['all', ...of86, 'finest', 'Zeta'])
  expect(await names('scope=all&order_by=year&sort=desc')).toEqual(['all', 'Zeta', 'finest', ...of86.toReversed()])
})

test('sort without order_by sorts by name', async () => {
  expect(await names('sort=desc')).toEqual(['root', 'Zeta', 'Fleer', 'finest'])
})

test('values that a parameter does not have answer 400', async () => {
  const wrong = [
    'order_by=cards',
    'order_by=',
    'sort=down',
    'scope=children',
    'filter[genre]=x',
    'filter[parent_id]=',
    'per_page=101',
  ]
  for (const query of wrong)
    expect((await app.reader.get(`/v1/sets?${query}`)).faults).toEqual([`INVALID_PARAMETER ${query.split('=')[0]}`])
})

test('the bare names are deprecated, work, and are refused beside the bracketed ones', async () => {
  const deprecated = [
    ...[`name=Fleer`, `genre=${genre.id}`, `year=${y93.id}`, `brand=${brand.id}`, `manufacturer=${maker.id}`],
    ...[`parent_id=${fleer.id}`, 'limit=1'],
  ]
  for (const query of deprecated) {
    const { status, headers } = await app.reader.get(`/v1/sets?${query}`)
    expect([query, status, headers.get('deprecation')]).toEqual([query, 200, expect.stringMatching(/^@\d+$/) as never])
    expect(new Date(headers.get('sunset') ?? '').getTime()).toBeGreaterThan(Date.now() - 1e12)
  }
  expect(await names(`year=${y93.id}`)).toEqual(['root', 'finest'])
  expect(await names('name=Fleer Stickers')).toEqual(['all', 'Fleer Stickers'])
  const both = await app.reader.get(`/v1/sets?filter[year]=${y93.id}&year=${y93.id}&limit=1&per_page=1`)
  expect([both.status, both.faults]).toEqual([400, ['INVALID_PARAMETER year', 'INVALID_PARAMETER limit']])
  expect((await app.reader.get('/v1/sets?genre=x')).faults).toEqual(['INVALID_PARAMETER genre'])
  for (const query of ['', `filter[year]=${y93.id}&per_page=5&scope=all&order_by=year&sort=asc`])
    expect((await app.reader.get(`/v1/sets?${query}`)).headers.get('deprecation')).toBeNull()
})

test('included records are those that the caller may see, not what the header asks for', async () => {
  const includes = 'include=genre,year,brand,manufacturer,parent,children'
  const { included, many } = await app.reader.get(`/v1/sets?${includes}`)
  expect(idsOf(included).toSorted()).toEqual(idsOf([genre, y86, y93, brand, maker, stickers]).toSorted())
  const shown = many.find(({ id }) => id === fleer.id)
  expect(shown?.relationships.children?.data).toEqual([{ type: 'sets', id: stickers.id }])
  const seen = await app.draftReader.get(`/v1/sets?${includes}&filter[name]=Fleer`)
  expect(idsOf(seen.included)).toContain(draftChild.id)
})

test('an empty list has no from and to', async () => {
  const { meta } = await app.reader.get(`/v1/sets?filter[name]=${draft.id}`)
  expect(meta).toMatchObject({
    current_page: 1,
    from: null,
    to: null,
    per_page: 25,
    total: 0,
    last_page: 1,
    scope: 'all',
  })
  expect(noYear.relationships.year?.data).toBeNull()
})
