import { describe, expect, test } from 'bun:test'
import { ApiError } from '../../../src/jsonapi/errors.ts'
import { likePattern, type QueryShape, readQuery } from '../../../src/jsonapi/query.ts'

const shape: QueryShape = {
  paginated: true,
  oldPageNames: ['limit', 'pageName'],
  include: ['set', 'oncard'],
  fields: { cards: ['name', 'number', 'set'], sets: ['name'] },
  filters: {
    name: { kind: 'text' },
    set_id: { kind: 'uuid', alias: 'set_id' },
    title: { kind: 'matching', alias: 'title', aliasStays: true },
    status: { kind: 'text', values: ['draft', 'published'] },
  },
  options: { sort: { values: ['asc', 'desc'] } },
}
const id = '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e'

const read = (query: string, other: Partial<QueryShape> = {}) =>
  readQuery(new URLSearchParams(query), { ...shape, ...other })

const faultsOf = (query: string, other?: Partial<QueryShape>) => {
  try {
    read(query, other)
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    expect(error.status).toBe(400)
    expect(new Set(error.errors.map(({ code }) => code))).toEqual(new Set(['INVALID_PARAMETER']))
    return error.errors.map(({ source }) => source?.parameter)
  }
}

describe('a query', () => {
  test('of nothing is the first page of 25', () => {
    expect(read('')).toEqual({
      ...{ page: 1, perPage: 25, include: [], includeGiven: false, fields: new Map(), filters: {}, options: {} },
      deprecated: false,
    })
  })

  test('is read whole, with brackets as they are or encoded', () => {
    const query = read(
      `page=3&per_page=100&include=set,oncard&fields%5Bcards%5D=name,number&filter[set_id]=${id}&sort=desc`,
    )
    expect(query).toMatchObject({ page: 3, perPage: 100, include: ['set', 'oncard'], includeGiven: true })
    expect(query.fields.get('cards')).toEqual(new Set(['name', 'number']))
    expect(query.filters).toEqual({ set_id: { value: id, like: false } })
    expect(query.options).toEqual({ sort: 'desc' })
  })

  test('is refused with an error for every fault at once', () => {
    expect(faultsOf('page=0&per_page=101&include=a,b&nope=1&filter[set_id]=x&fields[cards]=z&sort=up')).toEqual([
      ...['page', 'per_page', 'include', 'nope', 'filter[set_id]', 'fields[cards]', 'sort'],
    ])
  })

  test('with a name that every object has is refused', () => {
    for (const name of ['__proto__', 'constructor', 'filter[toString]', 'fields[__proto__]', 'filter[]', '', 'filter'])
      expect([name, faultsOf(`${encodeURIComponent(name)}=1`)]).toEqual([name, [name]])
  })

  test('with NUL, lone surrogates or broken encoding is refused, never kept', () => {
    for (const bad of ['%00', 'a%00b', '%ED%A0%80', '%ff', '%E0%A4', '%c0%80'])
      expect([bad, faultsOf(`filter[name]=${bad}`)]).toEqual([bad, ['filter[name]']])
    const surrogate = new URLSearchParams()
    surrogate.append('filter[name]', 'a\ud800')
    expect(() => readQuery(surrogate, shape)).toThrow(ApiError)
  })
})

describe('a page', () => {
  test('is an integer from 1, and the last one that is exact if it is larger', () => {
    for (const bad of ['', '0', '-1', '+1', '1.0', '1e3', ' 1', '٣', 'x', 'Infinity', '-9007199254740992'])
      expect([bad, faultsOf(`page=${encodeURIComponent(bad)}`)]).toEqual([bad, ['page']])
    for (const large of ['9007199254740991', '9007199254740992', '9'.repeat(400)])
      expect([large, read(`page=${large}`).page]).toEqual([large, 2 ** 53 - 1])
  })

  test('has a size from 1 to 100, by either name', () => {
    for (const name of ['per_page', 'limit'])
      for (const bad of ['', '0', '101', '-5', 'ten', '1.5'])
        expect([bad, faultsOf(`${name}=${bad}`)]).toEqual([bad, [name]])
    expect(read('limit=7')).toMatchObject({ perPage: 7, deprecated: true })
    expect(faultsOf('limit=7&per_page=8')).toEqual(['limit'])
    expect(read('page[number]=3&page[size]=7')).toMatchObject({ page: 3, perPage: 7, deprecated: false })
    expect(faultsOf('page[number]=1&limit=5')).toEqual(['page[number]'])
    expect(faultsOf('limit=7', { oldPageNames: undefined })).toEqual(['limit'])
  })

  test('may be called page, as clients of a hosted service do, and nothing else', () => {
    expect(read('pageName=page&page=2')).toMatchObject({ page: 2, perPage: 25, deprecated: true })
    expect(faultsOf('pageName=p')).toEqual(['pageName'])
    expect(faultsOf('pageName=page', { oldPageNames: ['limit'] })).toEqual(['pageName'])
  })

  test('is unknown where there are no pages', () => {
    expect(faultsOf('page=1&per_page=1&limit=1', { paginated: undefined })).toEqual(['page', 'per_page', 'limit'])
  })
})

describe('an include', () => {
  test('of nothing asks for nothing, and says that it was given', () => {
    expect(read('include=')).toMatchObject({ include: [], includeGiven: true })
  })
  test('twice of the same is once', () => {
    expect(read('include=set,set').include).toEqual(['set'])
  })
  test('of an unknown path or of a path through another is refused', () => {
    expect(faultsOf('include=set.brand,Set')).toEqual(['include'])
    expect(faultsOf('include=set', { include: [] })).toEqual(['include'])
  })
})

describe('a filter', () => {
  test('by an id takes a UUID in any case, and nothing else', () => {
    expect(read(`filter[set_id]=${id.toUpperCase()}`).filters.set_id).toEqual({ value: id, like: false })
    for (const bad of ['', 'like:x', `like:${id}`, `${id} `, `{${id}}`, id.replaceAll('-', ''), 'null'])
      expect([bad, faultsOf(`filter[set_id]=${bad}`)]).toEqual([bad, ['filter[set_id]']])
  })

  test('that is exact only refuses like:', () => {
    expect(faultsOf('filter[name]=like:x')).toEqual(['filter[name]'])
    expect(read('filter[name]=LIKE:x').filters.name).toEqual({ value: 'LIKE:x', like: false })
  })

  test('that matches takes like: off, once', () => {
    expect(read('filter[title]=like:like:x').filters.title).toEqual({ value: 'like:x', like: true })
    expect(read('filter[title]=x').filters.title).toEqual({ value: 'x', like: false })
    expect(read('filter[title]=like:').filters.title).toEqual({ value: '', like: true })
  })

  test('with few values takes those alone', () => {
    expect(read('filter[status]=draft').filters.status?.value).toBe('draft')
    expect(faultsOf('filter[status]=Draft')).toEqual(['filter[status]'])
  })

  test('by its bare name is the same and deprecated, unless the name stays; never beside the bracketed one', () => {
    expect(read(`set_id=${id}`)).toMatchObject({ filters: { set_id: { value: id } }, deprecated: true })
    expect(read('title=a')).toMatchObject({ filters: { title: { value: 'a' } }, deprecated: false })
    expect(faultsOf('title=a&filter[title]=a')).toEqual(['title'])
    expect(faultsOf('set_id=x')).toEqual(['set_id'])
  })
})

describe('a repeated parameter', () => {
  test('that takes a list is joined', () => {
    expect(read('include=set&include=oncard,set').include).toEqual(['set', 'oncard'])
    expect(read('fields[cards]=name&fields[cards]=number').fields.get('cards')).toEqual(new Set(['name', 'number']))
    expect(faultsOf('include=set&include=nope')).toEqual(['include'])
  })
  test('of any other kind is one fault, whatever its values are', () => {
    for (const name of ['page', 'per_page', 'page[size]', 'filter[title]', 'filter[set_id]', 'title', 'sort'])
      expect(faultsOf(`${name}=1&${name}=x&nope=1`)).toEqual([name, 'nope'])
  })
})

describe('fields', () => {
  test('of a type may be none', () => {
    expect(read('fields[cards]=').fields.get('cards')).toEqual(new Set())
  })
  test('of an unknown type, or unknown ones, are refused', () => {
    expect(faultsOf('fields[players]=name')).toEqual(['fields[players]'])
    expect(faultsOf('fields[cards]=name,nope,secret')).toEqual(['fields[cards]'])
    expect(faultsOf('fields=name')).toEqual(['fields'])
  })
})

test('the pattern of a like: value has nothing special in it', () => {
  expect(likePattern('100%_\\')).toBe('%100\\%\\_\\\\%')
  expect(likePattern('')).toBe('%%')
})
