import { expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'
import { aDocument, factories, toOne } from '../../../support/factories.ts'

const app = await testApp({ environment: { BATCH_INLINE_MAX: '2000', BATCH_MAX: '2000', MAX_BODY_BYTES: '1000000' } })
const { operator, reader } = app
const make = factories(app)

const whatClientsAsk = 'genre,manufacturer,brand,year,parentset,subsets,checklist,sources'

test('a set is read with its parent, children, cards and sources under the names of the hosted service', async () => {
  const [genre, year, brand, manufacturer] = [
    await make.genre(),
    await make.year(),
    await make.brand(),
    await make.manufacturer(),
  ]
  const parent = await make.set({ status: 'published' })
  const set = await make.set({ parent, genre, year, brand, manufacturer, status: 'published', kind: 'insert' })
  const child = await make.set({ parent: set, status: 'published', kind: 'parallel' })
  const cards = [await make.card({ set, number: '1' }), await make.card({ set, number: '2' })]
  const source = await make.setSource(set)
  for (const answer of [
    await reader.get(`/v1/sets/${set.id}?include=${whatClientsAsk}`),
    await reader.get(`/v1/sets?filter[parent_id]=${parent.id}&include=${whatClientsAsk}`),
  ]) {
    expect(answer.status).toBe(200)
    const { relationships, attributes } = Array.isArray(answer.document.data)
      ? (answer.many[0] as typeof answer.one)
      : answer.one
    expect(relationships).toMatchObject({
      parent: { data: { type: 'sets', id: parent.id } },
      parentset: { data: { type: 'parentset', id: parent.id } },
      subsets: { data: [{ type: 'subsets', id: child.id }] },
      checklist: { data: cards.map(({ id }) => ({ type: 'checklist', id })) },
      sources: { data: [{ type: 'set-sources', id: source.id }] },
    })
    expect(attributes).toMatchObject({
      ...{ cards_count: 2, card_count: 2, is_subset: true, is_variation: false, parent_set_id: parent.id },
    })
    const included = new Map(answer.included.map((one) => [`${one.type} ${one.id}`, one]))
    expect([...included.keys()].map((key) => key.split(' ')[0]).toSorted()).toEqual([
      ...[
        'brands',
        'checklist',
        'checklist',
        'genres',
        'manufacturers',
        'parentset',
        'set-sources',
        'subsets',
        'years',
      ],
    ])
    expect(included.get(`checklist ${cards[0]?.id}`)?.attributes.number).toBe('1')
    expect(included.get(`subsets ${child.id}`)?.attributes).toMatchObject({ is_subset: false, is_variation: false })
    expect(included.get(`set-sources ${source.id}`)?.attributes.source_url).toBe(source.attributes.source_url as string)
  }
})

test('a set alone shows nothing new in its relationships, and /v2 knows none of these names', async () => {
  const set = await make.set({ status: 'published' })
  const { relationships } = (await reader.get(`/v1/sets/${set.id}`)).one
  expect(Object.keys(relationships)).toEqual(['genre', 'year', 'brand', 'manufacturer', 'parent'])
  for (const name of ['parentset', 'subsets', 'checklist', 'sources'])
    expect((await reader.get(`/v2/sets/${set.id}?include=${name}`)).status).toBe(400)
})

test('what is hidden from a reader is in none of them', async () => {
  const parent = await make.set()
  const set = await make.set({ parent, status: 'published' })
  await make.set({ parent: set })
  const { one, included } = await reader.get(`/v1/sets/${set.id}?include=parentset,subsets`)
  expect(one.relationships).toMatchObject({ parentset: { data: null }, subsets: { data: [] } })
  expect(one.attributes).toMatchObject({ is_subset: false, parent_set_id: null })
  expect(included).toEqual([])
})

test('a set of more than 1,000 cards shows the first ones, and says how many there are', async () => {
  const set = await make.set({ status: 'published' })
  const data = Array.from({ length: 1001 }, (_, index) => ({
    ...{ type: 'cards', id: crypto.randomUUID(), attributes: { number: String(index + 1) } },
    relationships: { set: toOne(set) },
  }))
  expect((await operator.post('/internal/card-batches', { data })).status).toBe(200)
  const { one, included } = await reader.get(`/v1/sets/${set.id}?include=checklist`)
  const { checklist } = one.relationships
  expect(checklist?.meta).toEqual({ total: 1001, truncated: true })
  expect(included.map(({ attributes }) => attributes.number)).toEqual(
    data.slice(0, 1000).map(({ attributes }) => attributes.number),
  )
})

test('the parent is written as parent_set_id, or as the relationship parentset', async () => {
  const [parent, other] = [await make.set(), await make.set()]
  const byAttribute = await operator.post('/v1/sets', aDocument('sets', { name: 'A', parent_set_id: parent.id }))
  expect(byAttribute.one.relationships.parent?.data).toEqual({ type: 'sets', id: parent.id })
  for (const type of ['sets', 'parentset']) {
    const { id } = byAttribute.one
    const named = aDocument('sets', {}, { parentset: { data: { type, id: other.id } } }, id)
    expect((await operator.patch(`/v1/sets/${id}`, named)).one.attributes.parent_set_id).toBe(other.id)
    const none = aDocument('sets', { parent_set_id: null }, {}, id)
    expect((await operator.patch(`/v1/sets/${id}`, none)).one.attributes.parent_set_id).toBeNull()
  }
  const same = aDocument(
    'sets',
    { name: 'B', parent_set_id: parent.id },
    { parentset: toOne(parent), parent: toOne(parent) },
  )
  expect((await operator.post('/v1/sets', same)).status).toBe(201)
})

test('parents that differ are refused at the second, and one that is missing where it was named', async () => {
  const [parent, other] = [await make.set(), await make.set()]
  const faults = async (attributes: object, relationships: object = {}) =>
    (await operator.post('/v1/sets', aDocument('sets', { name: 'C', ...attributes }, relationships as never))).faults
  const byId = { parent_set_id: parent.id }
  expect(await faults(byId, { parent: toOne(other) })).toEqual(['VALIDATION-FAILED /data/relationships/parent'])
  expect(await faults(byId, { parentset: toOne(other) })).toEqual(['VALIDATION-FAILED /data/relationships/parentset'])
  expect(await faults({}, { parentset: toOne(parent), parent: toOne(other) })).toEqual([
    'VALIDATION-FAILED /data/relationships/parent',
  ])
  const missing = crypto.randomUUID()
  expect(await faults({ parent_set_id: missing })).toEqual(['VALIDATION-FAILED /data/attributes/parent_set_id'])
  expect(await faults({}, { parentset: { data: { type: 'parentset', id: missing } } })).toEqual([
    'VALIDATION-FAILED /data/relationships/parentset/data/id',
  ])
})
