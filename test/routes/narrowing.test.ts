import { describe, expect, test } from 'bun:test'
import { keysOf } from '../../src/catalog/list/keyset.ts'
import { readList } from '../../src/catalog/list/read-list.ts'
import { readPage } from '../../src/catalog/list/read-page.ts'
import { everything, kindId, noValue, setKindIds } from '../../src/catalog/model/counts.ts'
import { criteriaOf } from '../../src/catalog/model/criteria.ts'
import { resources } from '../../src/catalog/model/index.ts'
import type { Resource } from '../../src/catalog/model/resource.ts'
import { resourcesInV2 } from '../../src/catalog/model/v2.ts'
import { Audience } from '../../src/lib/audience.ts'
import { idsOf } from '../support/answer.ts'
import { testApp } from '../support/app.ts'
import { factories } from '../support/factories.ts'
import { aWorld } from '../support/worlds.ts'

const app = await testApp()
const { sql } = app.db
const make = factories(app)
const [first, second] = [await aWorld(app, 'published'), await aWorld(app, 'published')]
await aWorld(app, 'draft')
const parallel = await make.set({
  ...{ status: 'published', parent: first.sets, kind: 'parallel', release_date: '1986-10-01' },
  genre: first.genres,
})
const child = await make.card({
  ...{ set: parallel, number: 'RC-1', serial_number: '7/25', oncard: [first.players, second.teams] },
  attributes: [first.attributes],
})
await make.card({ set: parallel, number: '1', serial_number: '/100', oncard: [second.playerteams, first.teams] })
await make.card({ set: first.sets, number: 'RC-1', oncard: [first.playerteams] })
await make.player({ first_name: 'Larry', last_name: 'Bird' })
await make.objectAttribute(parallel, { attribute_id: second.attributes.id })
await make.setSource(parallel)
await make.year({ parent_year: first.years.id })
await make.identifier(first.players, { source: 'scryfall' })
await sql`update cards set parent_id = ${first.cards.id} where id = ${child.id}`
for (const { table } of resourcesInV2) {
  const [name = ''] = table.split(' ')
  await sql.unsafe(`
    update ${name} set created_at = created_at - interval '1 day', updated_at = updated_at - interval '1 hour'
    where id = (select min(id::text)::uuid from ${name})`)
}

/** Where the values are that are no column of the card or its set. */
const elsewhere: Record<string, string> = {
  player: 'select player_id from oncard where player_id is not null',
  team: 'select team_id from oncard where team_id is not null',
  attribute: 'select attribute from attributes',
}

/** The values that records have of a criterion, as a filter takes them. */
const valuesOf = async (resource: Resource, name: string): Promise<string[]> => {
  const { column, kind } = criteriaOf(resource)[name] as { column: string; kind: string }
  const time = `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const own = `select ${kind === 'time' ? time : column} from ${resource.table} where ${column} is not null`
  const select = (resource.type === 'cards' && elsewhere[name]) || own
  const rows = await sql.unsafe<{ value: string }[]>(
    `select distinct value::text as value from (${select}) v (value) order by 1`,
  )
  return rows.map(({ value }) => value)
}

type Asked = { query: string; ids: string[] }

const withDrafts = { 'X-Cardstock-Ignore-Status': 'true' }

const ask = async (path: string, query: string): Promise<string[]> => {
  const size = path.startsWith('/v1') ? `per_page=100${path === '/v1/sets' ? '&scope=all' : ''}` : 'page[size]=100'
  const answer = await app.operator.get(`${path}?${size}${query && `&${query}`}`, withDrafts)
  expect([query, answer.status]).toEqual([query, 200])
  return idsOf(answer.many).toSorted()
}

/** A filter with a value that some records have and some have not. */
const narrowing = async (path: string, parameter: string, values: string[], all: string[]): Promise<Asked> => {
  for (const value of values) {
    const query = `${parameter}=${encodeURIComponent(value)}`
    const ids = await ask(path, query)
    if (ids.length > 0 && ids.length < all.length) return { query, ids }
  }
  throw new Error(`${path}: ${parameter} narrows nothing`)
}

/** Whether any two filters together find what both of them find. */
const expectIntersections = async (path: string, asked: Asked[], orders: string[]) => {
  for (const [index, one] of asked.entries())
    for (const other of asked.slice(index + 1))
      for (const order of orders) {
        const query = [one.query, other.query, order].filter(Boolean).join('&')
        expect([query, await ask(path, query)]).toEqual([query, one.ids.filter((id) => other.ids.includes(id))])
      }
}

describe.each(resourcesInV2.map((resource) => [`/v2/${resource.path}`, resource] as const))('%s', (path, resource) => {
  test('each filter narrows the list, negated returns the complement, and narrows further beside each other filter', async () => {
    const all = await ask(path, '')
    const asked: Asked[] = []
    for (const name of Object.keys(criteriaOf(resource))) {
      const one = await narrowing(path, `filter[${name}]`, await valuesOf(resource, name), all)
      const others = await ask(path, one.query.replace('=', '[ne]='))
      expect([name, [...one.ids, ...others].toSorted()]).toEqual([name, all])
      asked.push(one)
    }
    await expectIntersections(path, asked, ['', 'sort=-updated_at'])
  })
})

describe.each(resources.map((resource) => [`/v1/${resource.path}`, resource] as const))('%s', (path, resource) => {
  test('each filter narrows the list as its criterion does in /v2, and further beside each other filter', async () => {
    const all = await ask(path, '')
    const asked: Asked[] = []
    for (const [name, { of, like }] of Object.entries(resource.filters)) {
      const values = await valuesOf(resource, of)
      const one = await narrowing(path, `filter[${name}]`, values, all)
      const [, value] = one.query.split('=')
      const inV2 = await ask(path.replace('/v1', '/v2'), `filter[${of}]=${value?.replaceAll('%2C', '\\,')}`)
      expect([name, one.ids]).toEqual([name, inV2])
      asked.push(one)
      if (like)
        asked.push(
          await narrowing(
            path,
            `filter[${name}]`,
            values.map((text) => `like:${text.slice(2)}`),
            all,
          ),
        )
    }
    const different = asked.filter(
      ({ query }, index) => asked.findIndex((one) => nameOf(one.query) === nameOf(query)) === index,
    )
    await expectIntersections(path, different, [''])
  })
})

const nameOf = (query: string) => query.split('=')[0]

test('the cards of a player are narrowed by another player of theirs, and those of a team by another team', async () => {
  const cards = await ask(`/v1/players/${first.players.id}/cards`, '')
  const both = await ask(`/v1/players/${first.players.id}/cards`, `filter[player_id]=${second.players.id}`)
  expect(cards.length).toBeGreaterThan(1)
  expect(both).toEqual([])
  expect(await ask(`/v1/teams/${first.teams.id}/cards`, `filter[team_id]=${second.teams.id}`)).toHaveLength(1)
})

describe.each(['/v1', '/v2'] as const)('%s', (version) => {
  test('the total under an id counts the records listed under it, whatever the id is of', async () => {
    const ids = [
      ...Object.values(first).map(({ id }) => id),
      ...Object.values(setKindIds),
      kindId('card'),
      noValue,
      everything,
    ]
    for (const resource of version === '/v1' ? resources : resourcesInV2)
      for (const name of idFiltersOf(version, resource))
        for (const id of ids) {
          const { many, meta } = await app.operator.get(`${version}/${resource.path}?filter[${name}]=${id}`, withDrafts)
          const total = version === '/v1' ? meta.total : (meta.page as { total: number }).total
          expect([resource.path, name, id, total]).toEqual([resource.path, name, id, many.length])
        }
  })
})

const idFiltersOf = (version: '/v1' | '/v2', resource: Resource) => {
  const criteria = criteriaOf(resource)
  const isOfId = (name: string) => criteria[name]?.kind === 'uuid'
  if (version === '/v2') return Object.keys(criteria).filter(isOfId)
  return Object.entries(resource.filters).flatMap(([name, { of }]) => (isOfId(of) ? [name] : []))
}

test('a filter over no criterion is a fault, and not a longer list', async () => {
  const conditions = [{ name: 'made_up', operator: 'eq' as const, values: ['x'] }]
  for (const resource of resourcesInV2) {
    const request = {
      level: Audience.draft,
      conditions,
      keys: keysOf(resource, [{ name: 'created_at', descending: false }]),
    }
    expect(readList(app.db, resource, { ...request, size: 25 })).rejects.toThrow('no criterion made_up')
    expect(readPage(app.db, resource, { ...request, page: 1, perPage: 25 })).rejects.toThrow('no criterion made_up')
  }
})

test('each index that a list is read along is in the database', async () => {
  const rows = await sql<
    { name: string }[]
  >`select indexname as name from pg_indexes where schemaname = current_schema()`
  const names = new Set(rows.map(({ name }) => name))
  expect(
    resources.flatMap(({ paths }) => paths.map(({ index }) => index)).filter((index) => !names.has(index)),
  ).toEqual([])
})
