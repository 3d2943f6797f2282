import { describe, expect, test } from 'bun:test'
import { routes } from '../../src/app.ts'
import { resources } from '../../src/catalog/model/index.ts'
import { idsOf } from '../support/answer.ts'
import { testApp, testBaseUrl } from '../support/app.ts'
import { aDocument } from '../support/factories.ts'
import { aWorld } from '../support/worlds.ts'

const app = await testApp()
const worlds = [await aWorld(app, 'published'), await aWorld(app, 'published'), await aWorld(app, 'published')]

const paths = [...resources.map(({ path }) => path), 'playerteams']

describe.each(paths)('GET /v1/%s', (path) => {
  const list = (query = '') => app.reader.get(`/v1/${path}${query}`)

  test('is a page of 25 with its links and numbers', async () => {
    const answer = await list()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/vnd.api+json')
    expect(answer.document.jsonapi).toEqual({ version: '1.1' })
    const { current_page, from, to, per_page, total, last_page } = answer.meta
    expect([current_page, from, to, per_page, total, last_page]).toEqual([1, 1, 3, 25, 3, 1])
    expect(answer.links).toEqual({
      self: `${testBaseUrl}/v1/${path}`,
      first: `${testBaseUrl}/v1/${path}?page=1`,
      last: `${testBaseUrl}/v1/${path}?page=1`,
    })
    expect(answer.many).toHaveLength(worlds.length)
    expect('included' in answer.document).toBe(false)
  })

  test('pages follow each other without a gap or a record twice', async () => {
    const all = idsOf((await list()).many)
    const pages = await Promise.all([1, 2, 3].map((page) => list(`?per_page=1&page=${page}`)))
    expect(pages.flatMap((page) => idsOf(page.many))).toEqual(all)
    expect(new Set(all).size).toBe(3)
    const second = pages[1]
    expect(second?.links.prev).toContain('page=1')
    expect(second?.links.next).toContain('page=3')
    expect(pages[0] && 'prev' in pages[0].links).toBe(false)
    expect(pages[2] && 'next' in pages[2].links).toBe(false)
    expect(second?.meta).toMatchObject({ current_page: 2, from: 2, to: 2, per_page: 1, total: 3, last_page: 3 })
  })

  test('a last page that is not full ends with the total', async () => {
    const { meta, many } = await list('?per_page=2&page=2')
    expect(many).toHaveLength(1)
    expect(meta).toMatchObject({ current_page: 2, from: 3, to: 3, total: 3, last_page: 2 })
  })

  test('its links can be followed and keep the other parameters', async () => {
    const { links, many } = await list('?per_page=2')
    const next = await app.reader.get((links.next as string).slice(testBaseUrl.length))
    const back = await app.reader.get((next.links.prev as string).slice(testBaseUrl.length))
    expect(next.many).toHaveLength(1)
    expect(idsOf(back.many)).toEqual(idsOf(many))
  })

  test('a page past the end is empty, and knows the total', async () => {
    for (const page of ['4', '1000000', '9007199254740991', '9007199254740992', '9'.repeat(20), '9'.repeat(400)]) {
      const answer = await list(`?per_page=1&page=${page}`)
      expect([answer.status, answer.many]).toEqual([200, []])
      expect(answer.meta).toMatchObject({ from: null, to: null, total: 3, last_page: 3 })
      expect(answer.links.prev).toContain('page=3')
    }
  })

  test('a page size is an integer from 1 to 100', async () => {
    for (const size of ['1', '100']) expect((await list(`?per_page=${size}`)).status).toBe(200)
    for (const size of ['0', '101', '-1', '1.5', '1e1', '', 'ten', '%201', '99999999999999999999', '+5'])
      expect([size, (await list(`?per_page=${size}`)).faults]).toEqual([size, ['INVALID_PARAMETER per_page']])
  })

  test('a page is an integer from 1', async () => {
    for (const page of ['0', '-1', 'x', '', '1.0', '0'.repeat(20), '-99999999999999999999'])
      expect([page, (await list(`?page=${page}`)).faults]).toEqual([page, ['INVALID_PARAMETER page']])
  })

  test('page[number] and page[size] are page and per_page, and the links keep their form', async () => {
    const [asked, plain] = [await list('?page[number]=2&page[size]=1'), await list('?page=2&per_page=1')]
    expect([asked.status, asked.many, asked.meta]).toEqual([200, plain.many, plain.meta])
    const at = (page: number) => `${testBaseUrl}/v1/${path}?page%5Bnumber%5D=${page}&page%5Bsize%5D=1`
    expect(asked.links).toEqual({ self: at(2), first: at(1), last: at(3), prev: at(1), next: at(3) })
    const { links } = await list('?page[size]=2')
    const next = await app.reader.get((links.next as string).slice(testBaseUrl.length))
    expect(next.meta).toMatchObject({ current_page: 2, from: 3, per_page: 2 })
  })

  test('page[number] and page[size] have the limits and errors of page and per_page', async () => {
    for (const size of ['0', '101', '-1', 'ten', ''])
      expect([size, (await list(`?page[size]=${size}`)).faults]).toEqual([size, ['INVALID_PARAMETER page[size]']])
    for (const page of ['0', '-1', 'x', '', '1.0', '0'.repeat(20), '-99999999999999999999'])
      expect([page, (await list(`?page[number]=${page}`)).faults]).toEqual([page, ['INVALID_PARAMETER page[number]']])
  })

  test('both forms of pages at once are refused', async () => {
    for (const [query, ...names] of [
      ['page=1&page[number]=1', 'page[number]'],
      ['per_page=5&page[size]=5', 'page[size]'],
      ['page=1&page[size]=5', 'page[size]'],
      ['page[number]=1&page[size]=5&per_page=5', 'page[number]', 'page[size]'],
    ])
      expect([query, (await list(`?${query}`)).faults]).toEqual([
        query,
        names.map((name) => `INVALID_PARAMETER ${name}`),
      ])
  })

  test('limit is an old name of per_page, never beside it', async () => {
    const { meta, headers } = await list('?limit=2')
    expect([meta.per_page, headers.get('deprecation'), headers.has('sunset')]).toEqual([2, '@1795219200', true])
    expect((await list('?limit=2&per_page=1')).faults).toEqual(['INVALID_PARAMETER limit'])
    expect((await list('?limit=101')).faults).toEqual(['INVALID_PARAMETER limit'])
  })

  test('pageName=page is known, does nothing and is deprecated', async () => {
    const [plain, named] = [await list('?per_page=2'), await list('?per_page=2&pageName=page')]
    expect([named.many, named.meta]).toEqual([plain.many, plain.meta])
    expect([named.headers.get('deprecation'), named.headers.has('sunset')]).toEqual(['@1795219200', true])
    if (path !== 'playerteams') expect(plain.headers.has('deprecation')).toBe(false)
    for (const name of ['p', '', 'Page'])
      expect((await list(`?pageName=${name}`)).faults).toEqual(['INVALID_PARAMETER pageName'])
  })

  test('the numbers of the page are also in meta.pagination', async () => {
    for (const query of [
      '',
      '?per_page=2',
      '?limit=2&page=2',
      '?page[size]=1&page[number]=2',
      '?page=9',
      '?include=',
    ]) {
      const { meta, many } = await list(query)
      const { total, per_page, current_page, last_page, pagination } = meta
      expect([query, pagination]).toEqual([
        query,
        { total, count: many.length, per_page, current_page, total_pages: last_page },
      ])
    }
  })

  test('each unknown parameter is an error of its own', async () => {
    const answer = await list('?foo=1&filter[bar]=2&fields[nothing]=x&filter=3&page[after]=1&include[]=a')
    expect(answer.status).toBe(400)
    expect(answer.faults).toEqual([
      'INVALID_PARAMETER foo',
      'INVALID_PARAMETER filter[bar]',
      'INVALID_PARAMETER fields[nothing]',
      'INVALID_PARAMETER filter',
      'INVALID_PARAMETER page[after]',
      'INVALID_PARAMETER include[]',
    ])
  })

  test('names that every object has are unknown parameters', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'filter[__proto__]', 'fields[constructor]'])
      expect([name, (await list(`?${name}=1`)).faults]).toEqual([name, [`INVALID_PARAMETER ${name}`]])
  })

  test('an unknown include is a fault of the parameter include', async () => {
    expect((await list('?include=nothing')).faults).toEqual(['INVALID_PARAMETER include'])
    expect((await list('?include=nothing,more')).faults).toEqual(['INVALID_PARAMETER include'])
    expect((await list('?include=set.genre')).status).toBe(400)
  })

  test('an empty include brings an empty included', async () => {
    expect((await list('?include=')).document.included).toEqual([])
  })

  test('no text of a query makes it fail', async () => {
    const texts = [
      '%00',
      '%ff',
      '%ed%a0%80',
      '%',
      '%zz',
      '%e2%82',
      `${'a'.repeat(5000)}`,
      '%F0%9F%92%A9',
      '%27--',
      '%5C',
    ]
    for (const text of texts)
      for (const name of ['include', 'filter[name]', 'page', 'x', `filter[${text}]`, `fields[${text}]`, text]) {
        const { status } = await list(`?${name}=${text}`)
        expect([name.slice(0, 20), text.slice(0, 20), status === 200 || status === 400]).toEqual([
          name.slice(0, 20),
          text.slice(0, 20),
          true,
        ])
      }
  })

  test('sparse fieldsets show what was asked for and no more', async () => {
    const [first] = (await list()).many
    const { type } = first as { type: string }
    for (const field of Object.keys(first?.attributes ?? {})) {
      const { many } = await list(`?fields[${type}]=${field}`)
      expect(many.map(({ attributes, relationships }) => [Object.keys(attributes), relationships])).toEqual(
        many.map(() => [[field], undefined as never]),
      )
    }
    const none = (await list(`?fields[${type}]=`)).many
    expect(none.map(({ attributes }) => attributes)).toEqual(none.map(() => ({})))
    expect((await list(`?fields[${type}]=nope,neither`)).faults).toEqual([`INVALID_PARAMETER fields[${type}]`])
  })

  test('carries what every answer under a limit carries', async () => {
    const { headers } = await list()
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect(headers.get('vary')).toBe('Authorization, Cookie, Accept, X-Cardstock-Ignore-Status')
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-ratelimit-window'])
      expect(headers.get(name)).toMatch(/^\d+$/)
    expect(headers.get('access-control-expose-headers')).toContain('X-RateLimit-Limit')
  })

  test('HEAD is answered like GET, without the body', async () => {
    const [head, get] = [await app.reader.send('HEAD', `/v1/${path}`), await list()]
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
    expect((await app.reader.send('HEAD', `/v1/${path}?foo=1`)).status).toBe(400)
  })

  test('other methods answer 405 and say which there are', async () => {
    for (const [at, allow] of [
      [`/v1/${path}`, 'GET, HEAD, POST, OPTIONS'],
      [`/v1/${path}/${worlds[0]?.brands.id}`, 'GET, HEAD, PATCH, DELETE, OPTIONS'],
    ] as const) {
      const answer = await app.operator.send('PUT', at, { body: '{}' })
      expect([answer.status, answer.faults]).toEqual([405, ['METHOD_NOT_ALLOWED']])
      expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(allow.split(', ').sort())
    }
    expect((await app.operator.send('DELETE', `/v1/${path}`)).status).toBe(405)
    expect((await app.operator.send('PATCH', `/v1/${path}`, { body: '{}' })).status).toBe(405)
    expect((await app.operator.send('PROPFIND', `/v1/${path}`)).status).toBe(405)
  })
})

const inInternal = routes
  .filter(({ method, path, query }) => method === 'GET' && path.startsWith('/internal/') && query?.['page[number]'])
  .map(({ path }) => path)

test.each(inInternal)('a page past the end of GET %s is empty, however far', async (listed) => {
  const attributes = { target_url: 'https://example.org/cards', events: ['catalog.changed'] }
  const path = listed.includes(':id')
    ? listed.replace(':id', (await app.operator.post('/internal/webhooks', aDocument('webhooks', attributes))).one.id)
    : listed
  for (const page of ['9007199254740991', '9'.repeat(20)]) {
    const { status, many, meta } = await app.operator.get(`${path}?page[number]=${page}`)
    expect([page, status, many, meta.from]).toEqual([page, 200, [], null])
  }
})
