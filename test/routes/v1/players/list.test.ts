import { expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'
import { factories } from '../../../support/factories.ts'

const app = await testApp()
const make = factories(app)
const set = await make.set({ status: 'published' })
const draft = await make.set()
const known = [
  'Michael Jordan',
  'Michael B. Jordan',
  'Jordan Michaels',
  'Ken Griffey Jr.',
  'Ichiro',
  'José Álvarez',
  '100% Smith',
]
const players = await Promise.all(
  known.map((full_name) => make.player({ first_name: undefined, last_name: undefined, full_name })),
)
await make.card({ set, oncard: players })
const hidden = await make.player({ first_name: 'Michael', last_name: 'Draft' })
await make.card({ set: draft, oncard: [hidden] })

const find = async (query: string, caller = app.reader) => {
  const { status, many, meta } = await caller.get(`/v1/players?${query}`)
  expect([status, meta.total]).toEqual([200, many.length])
  return many.map(({ attributes }) => attributes.name as string)
}

const inOrder = (names: string[]) => names.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))

test('players are listed by their whole name without case', async () => {
  expect(await find('')).toEqual(inOrder(known))
  expect(await find('', app.draftReader)).toContain('Michael Draft')
})

test('filter[first_name] and filter[last_name] are exact, case included', async () => {
  expect(await find('filter[first_name]=Michael')).toEqual(['Michael Jordan'])
  expect(await find('filter[first_name]=michael')).toEqual([])
  expect(await find('filter[first_name]=Michael', app.draftReader)).toEqual(['Michael Draft', 'Michael Jordan'])
  expect(await find('filter[last_name]=Griffey Jr.')).toEqual(['Ken Griffey Jr.'])
  expect(await find('filter[last_name]=Griffey')).toEqual([])
  expect(await find('filter[first_name]=')).toEqual(['Ichiro'])
  expect(await find('filter[first_name]=Michael&filter[last_name]=Jordan')).toEqual(['Michael Jordan'])
  expect(await find('filter[first_name]=Michael&filter[last_name]=Griffey Jr.')).toEqual([])
})

test('like: finds a part of that name, without case', async () => {
  expect(await find('filter[first_name]=like:MICH')).toEqual(['Michael B. Jordan', 'Michael Jordan'])
  expect(await find('filter[last_name]=like:michael')).toEqual(['Jordan Michaels'])
  expect(await find('filter[last_name]=like:jr')).toEqual(['Ken Griffey Jr.'])
  expect(await find('filter[first_name]=like:%25')).toEqual(['100% Smith'])
  expect(await find('filter[first_name]=like:_')).toEqual([])
  expect(await find('filter[first_name]=like:JOS%C3%89')).toEqual(['José Álvarez'])
})

test('filter[full_name] is exact; like: wants every word in the first or the last name', async () => {
  expect(await find('filter[full_name]=Michael Jordan')).toEqual(['Michael Jordan'])
  expect(await find('filter[full_name]=michael jordan')).toEqual([])
  expect(await find('filter[full_name]=Jordan')).toEqual([])
  expect(await find('filter[full_name]=like:jordan michael')).toEqual([
    'Jordan Michaels',
    'Michael B. Jordan',
    'Michael Jordan',
  ])
  expect(await find('filter[full_name]=like:mich  jor b.')).toEqual(['Michael B. Jordan'])
  expect(await find('filter[full_name]=like:michael griffey')).toEqual([])
  expect(await find('filter[full_name]=like:')).toHaveLength(known.length)
})

test('the bare names are deprecated, work, and are refused beside the bracketed ones', async () => {
  for (const query of ['first_name=Michael', 'last_name=Jordan', 'full_name=Michael+Jordan']) {
    const answer = await app.reader.get(`/v1/players?${query}`)
    expect([answer.status, answer.headers.has('deprecation'), answer.headers.has('sunset')]).toEqual([200, true, true])
  }
  expect(await find('full_name=like:griff')).toEqual(['Ken Griffey Jr.'])
  const both = await app.reader.get('/v1/players?first_name=Ken&filter[first_name]=Michael')
  expect(both.faults).toEqual(['INVALID_PARAMETER first_name'])
})

test('what has a part of a name is paged in the same order, from the first to the last and no further', async () => {
  for (const filter of [
    'full_name]=like:i',
    'full_name]=like:mich',
    'last_name]=like:e',
    'first_name]=like:',
    'full_name]=like:zz',
  ]) {
    const all = await find(`filter[${filter}`)
    expect(all).toEqual(inOrder(all))
    for (const page of [1, 2, 3, 4, 5]) {
      const { many, meta } = await app.reader.get(`/v1/players?filter[${filter}&limit=2&page=${page}`)
      expect([filter, page, meta.total]).toEqual([filter, page, all.length])
      expect(many.map(({ attributes }) => attributes.name as string)).toEqual(all.slice(2 * page - 2, 2 * page))
    }
  }
})

test('nothing can be included, and nobody searches by an unknown name', async () => {
  expect((await app.reader.get('/v1/players?include=cards')).faults).toEqual(['INVALID_PARAMETER include'])
  expect((await app.reader.get('/v1/players?filter[name]=x&filter[position]=y&name=z')).faults).toHaveLength(3)
})
