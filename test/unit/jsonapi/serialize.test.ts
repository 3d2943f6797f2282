import { describe, expect, test } from 'bun:test'
import { document, pageLinks, pageMeta, sparse } from '../../../src/jsonapi/serialize.ts'

const address = 'https://cards.example.org/v1/cards'
const links = (query: string, page: number, lastPage: number) =>
  pageLinks(address, new URLSearchParams(query), page, lastPage)

describe('the links of a page', () => {
  test('lead to the pages that there are', () => {
    expect(links('', 1, 1)).toEqual({ first: `${address}?page=1`, last: `${address}?page=1` })
    expect(Object.keys(links('', 1, 3))).toEqual(['first', 'last', 'next'])
    expect(Object.keys(links('', 3, 3))).toEqual(['first', 'last', 'prev'])
    expect(links('', 2, 3)).toMatchObject({ prev: `${address}?page=1`, next: `${address}?page=3` })
  })

  test('lead back from behind the end to the last', () => {
    expect(links('page=900', 900, 3)).toEqual({
      first: `${address}?page=1`,
      last: `${address}?page=3`,
      prev: `${address}?page=3`,
    })
  })

  test('keep every other parameter, encoded', () => {
    const { next } = links('filter[name]=a%26b é&page=1&per_page=5', 1, 2) as { next: string }
    expect(next).toBe(`${address}?filter%5Bname%5D=a%26b+%C3%A9&page=2&per_page=5`)
    expect(new URL(next).searchParams.get('filter[name]')).toBe('a&b é')
  })
})

describe('the numbers of a page', () => {
  const numbers = (page: number, perPage: number, rows: number, total: number) => {
    const { from, to, last_page } = pageMeta(page, perPage, rows, total)
    return [from, to, last_page]
  }

  test('count from one', () => {
    expect(pageMeta(2, 25, 10, 35)).toEqual({
      ...{ current_page: 2, from: 26, to: 35, per_page: 25, total: 35, last_page: 2 },
      pagination: { total: 35, count: 10, per_page: 25, current_page: 2, total_pages: 2 },
    })
    expect(numbers(1, 25, 25, 25)).toEqual([1, 25, 1])
    expect(numbers(1, 25, 25, 26)).toEqual([1, 25, 2])
  })

  test('of an empty list or an empty page are null, and there is one page at least', () => {
    expect(numbers(1, 25, 0, 0)).toEqual([null, null, 1])
    expect(numbers(2 ** 53 - 1, 100, 0, 35)).toEqual([null, null, 1])
  })
})

describe('a document', () => {
  test('has its version and its address, and only those members that it was given', () => {
    expect(document(address, { data: [] })).toEqual({ jsonapi: { version: '1.1' }, links: { self: address }, data: [] })
    expect(Object.keys(document(address, { data: null, included: [], meta: {} }))).toEqual([
      ...['jsonapi', 'links', 'data', 'included', 'meta'],
    ])
  })
})

test('sparse members are those that were asked for, in their own order', () => {
  const members = { name: 'a', number: '1', title: null }
  expect(sparse(members, undefined)).toBe(members)
  expect(Object.keys(sparse(members, new Set(['title', 'name', 'nope'])))).toEqual(['name', 'title'])
  expect(sparse(members, new Set())).toEqual({})
})
