import { expect, test } from 'bun:test'
import type { Shown } from '../../support/answer.ts'
import { testApp } from '../../support/app.ts'
import { factories } from '../../support/factories.ts'

const app = await testApp()
const make = factories(app)

const withCards = async (count: number, values: Parameters<typeof make.set>[0]) => {
  const set = await make.set(values)
  for (let number = 1; number <= count; number++) await make.card({ set, number: String(number) })
  return set
}

const root = await withCards(1, { status: 'published' })
const base = await withCards(2, { status: 'published', parent: root })
await withCards(2, { status: 'published', kind: 'parallel', parent: base })
const draft = await withCards(4, { status: 'draft', kind: 'insert', parent: root })
await withCards(8, { status: 'published', kind: 'parallel', parent: draft })

const totalOf = async (caller: typeof app.reader, { id }: Shown) => {
  const { attributes } = (await caller.get(`/v2/sets/${id}`)).one
  return [attributes.cards_count, attributes.cards_count_total]
}

test('a set of /v2 says how many cards are in it and in all sets below it that the caller may see', async () => {
  expect([await totalOf(app.reader, root), await totalOf(app.operator, root)]).toEqual([
    [1, 13],
    [1, 17],
  ])
  expect(await totalOf(app.reader, base)).toEqual([2, 4])
  expect(await totalOf(app.operator, draft)).toEqual([4, 12])
})

test('lists, includes and sparse fields have it; /v1 has not', async () => {
  const listed = await app.reader.get(`/v2/sets?filter[id]=${root.id}&fields[sets]=cards_count_total`)
  expect(listed.many[0]?.attributes).toEqual({ cards_count_total: 13 })
  const included = await app.reader.get(`/v2/sets/${base.id}?include=parent`)
  expect(included.included[0]?.attributes.cards_count_total).toBe(13)
  const both = await Promise.all(['/v1', '/v2'].map((api) => app.reader.get(`${api}/sets/${root.id}`)))
  expect(both.map(({ one }) => 'cards_count_total' in one.attributes)).toEqual([false, true])
})

test('a write that sends it back is accepted and leaves it as it is', async () => {
  const data = { type: 'sets', id: base.id, attributes: { cards_count_total: 99 } }
  const changed = await app.operator.patch(`/v2/sets/${base.id}`, { data })
  expect([changed.status, changed.one.attributes.cards_count_total]).toEqual([200, 4])
})

test('copies of the catalog are without it: a set is no other one when cards below it change', async () => {
  const feed = await app.operator.get('/v2/changes?page[size]=1000&filter[type]=sets&include=resource')
  expect(feed.included.map(({ id }) => id)).toContain(root.id)
  expect(feed.included.filter(({ attributes }) => 'cards_count_total' in attributes)).toEqual([])
})
