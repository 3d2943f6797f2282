import { expect, test } from 'bun:test'
import { testApp, testBaseUrl } from '../../../support/app.ts'
import { aDocument, factories, toOne } from '../../../support/factories.ts'

const app = await testApp()
const make = factories(app)
const post = (attributes: object, relationships: object = {}, caller = app.operator) =>
  caller.post('/v1/sets', aDocument('sets', { ...attributes }, { ...relationships }))

test('a set needs a name and no more: a draft of kind base without cards', async () => {
  const answer = await post({ name: 'Fleer' })
  expect([answer.status, answer.headers.get('location')]).toEqual([201, `${testBaseUrl}/v1/sets/${answer.one.id}`])
  const { created_at, updated_at, url, ...attributes } = answer.one.attributes
  expect(attributes).toEqual({
    ...{ name: 'Fleer', description: null, status: 'draft', kind: 'base', release_date: null, cards_count: 0 },
    ...{ card_count: 0, is_subset: false, is_variation: false, parent_set_id: null },
  })
  expect([updated_at, url]).toEqual([created_at, `${testBaseUrl}/v1/sets/${answer.one.id}`])
  const none = { data: null }
  expect(answer.one.relationships as object).toEqual({
    ...{ genre: none, year: none, brand: none, manufacturer: none, parent: none },
  })
})

test('references come as relationships or as attributes, and the relationship wins', async () => {
  const [genre, other] = [await make.genre(), await make.genre()]
  const [year, brand, manufacturer] = [await make.year(), await make.brand(), await make.manufacturer()]
  const parent = await make.set()
  const ids = {
    ...{ genre_id: other.id, year_id: year.id, brand_id: brand.id },
    ...{ manufacturer_id: manufacturer.id, parent_id: parent.id },
  }
  const { one } = await post({ name: 'A', ...ids }, { genre: toOne(genre) })
  expect(one.relationships as object).toEqual({
    ...{ genre: toOne(genre), year: toOne(year), brand: toOne(brand) },
    ...{ manufacturer: toOne(manufacturer), parent: toOne(parent) },
  })
})

test.each([
  ['status', ['draft', 'published'], ['', 'Draft', 'archived', null, 1]],
  ['kind', ['base', 'parallel', 'insert', 'autograph', 'variation'], ['', 'BASE', 'relic', null, {}]],
  [
    'release_date',
    ['1986-11-01', '2024-02-29', null],
    ['', '2023-02-29', '1986-11', '11/01/1986', '1986-11-01T00:00:00Z', 1986],
  ],
  ['description', ['', 'Text', null], [1, [], {}]],
] as [string, unknown[], unknown[]][])('%s is one of what it can be', async (field, good, bad) => {
  for (const value of good)
    expect((await post({ name: 'A', [field]: value })).one.attributes[field]).toBe(value as never)
  for (const value of bad)
    expect([value, (await post({ name: 'A', [field]: value })).faults]).toEqual([
      value,
      [`VALIDATION-FAILED /data/attributes/${field}`],
    ])
})

test.each(['genre', 'year', 'brand', 'manufacturer', 'parent'])('a %s that does not exist is a fault', async (name) => {
  const type = name === 'parent' ? 'sets' : `${name}s`
  const id = crypto.randomUUID()
  const fault = [`VALIDATION-FAILED /data/relationships/${name}/data/id`]
  expect((await post({ name: 'A' }, { [name]: { data: { type, id } } })).faults).toEqual(fault)
  expect((await post({ name: 'A' }, { [name]: { data: { type: 'cards', id } } })).faults).toEqual([
    `VALIDATION-FAILED /data/relationships/${name}/data/type`,
  ])
  expect((await post({ name: 'A', [`${name}_id`]: 'x' })).faults).toEqual([
    `VALIDATION-FAILED /data/attributes/${name}_id`,
  ])
  expect((await post({ name: 'A', [`${name}_id`]: null }, { [name]: { data: null } })).status).toBe(201)
})

test('a reference given as an attribute is refused where it was given', async () => {
  const answer = await post({ name: 'A', genre_id: crypto.randomUUID() })
  expect(answer.faults).toEqual(['VALIDATION-FAILED /data/attributes/genre_id'])
})

test('what is deleted or hidden from the writer is no reference', async () => {
  const [gone, hidden] = [await make.genre(), await make.brand()]
  await app.operator.delete(`/v1/genres/${gone.id}`)
  const answer = await post({ name: 'A' }, { genre: toOne(gone), brand: toOne(hidden) }, app.publishedWriter)
  expect(answer.faults).toEqual([
    'VALIDATION-FAILED /data/relationships/genre/data/id',
    'VALIDATION-FAILED /data/relationships/brand/data/id',
  ])
})

test('a writer without a read scope creates what refers to nothing, and nothing else', async () => {
  expect((await post({ name: 'A' }, {}, app.blindWriter)).status).toBe(201)
  const parent = await make.set({ status: 'published' })
  expect((await post({ name: 'A' }, { parent: toOne(parent) }, app.blindWriter)).status).toBe(422)
})

test('a set is published as it is made, with what it refers to', async () => {
  const references = { genre: await make.genre(), year: await make.year(), brand: await make.brand() }
  const set = await make.set({ status: 'published', ...references })
  for (const { type, id } of [set, ...Object.values(references)])
    expect((await app.reader.get(`/v1/${type}/${id}`)).status).toBe(200)
})

test('a client chooses no id of a set', async () => {
  const answer = await app.operator.post('/v1/sets', aDocument('sets', { name: 'A' }, {}, crypto.randomUUID()))
  expect([answer.status, answer.faults]).toEqual([403, ['FORBIDDEN /data/id']])
})

test('two sets may have one name', async () => {
  expect([(await post({ name: 'Same' })).status, (await post({ name: 'Same' })).status]).toEqual([201, 201])
})
