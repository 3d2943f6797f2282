import { expect, test } from 'bun:test'
import { testApp } from '../../support/app.ts'
import { aDocument, factories, toMany, toOne } from '../../support/factories.ts'

const app = await testApp()
const { operator } = app
const make = factories(app)
const [player, team] = [await make.player(), await make.team()]
const set = await make.set()
const unknown = (type: string) => ({ type, id: crypto.randomUUID() })

test.each(['/v1', '/v2'])(
  'one refusal tells all: faulty fields, and references to what is not there (%s)',
  async (version) => {
    const codes = version === '/v1' ? 'attributes' : 'card_attributes'
    const relationships = {
      set: toOne(unknown('sets')),
      oncard: { data: ['x', { type: 'players', id: player.id }, unknown('teams')] },
      [codes]: { data: [unknown('attributes')] },
    }
    const answer = await operator.post(
      `${version}/cards`,
      aDocument('cards', { number: 7, zip: 1, set_id: 'x' }, relationships),
    )
    expect([answer.status, answer.faults.toSorted()]).toEqual([
      422,
      [
        ...['/data/attributes/number', '/data/attributes/set_id', '/data/attributes/zip'],
        `/data/relationships/${codes}/data/0/id`,
        ...['/data/relationships/oncard/data/0', '/data/relationships/oncard/data/2/id'],
        '/data/relationships/set/data/id',
      ].map((pointer) => `VALIDATION-FAILED ${pointer}`),
    ])
  },
)

test('attributes that name a record are references, too', async () => {
  const pair = await operator.post(
    '/v1/player-teams',
    aDocument('playerteams', { player_id: 'x', team_id: unknown('teams').id }),
  )
  expect([pair.status, pair.faults]).toEqual([
    422,
    ['VALIDATION-FAILED /data/attributes/player_id', 'VALIDATION-FAILED /data/attributes/team_id'],
  ])
  const change = { name: 5, genre_id: unknown('genres').id }
  const answer = await operator.patch(`/v1/sets/${set.id}`, aDocument('sets', change, {}, set.id))
  expect(answer.faults).toEqual([
    'VALIDATION-FAILED /data/attributes/name',
    'VALIDATION-FAILED /data/attributes/genre_id',
  ])
})

test('what is good, or borne already, is no fault beside another', async () => {
  const card = await make.card({ set, oncard: [player, team] })
  const relationships = { set: toOne(set), oncard: toMany([player, team]) }
  const answer = await operator.patch(`/v1/cards/${card.id}`, aDocument('cards', { number: 7 }, relationships, card.id))
  expect(answer.faults).toEqual(['VALIDATION-FAILED /data/attributes/number'])
})

test('that a card id is taken is told before what is wrong with the fields', async () => {
  const { id } = await make.card({ set })
  const again = () => operator.post('/v1/cards', aDocument('cards', { number: 7 }, {}, id))
  expect([(await again()).status, (await again()).faults]).toEqual([409, ['CONFLICT /data/id']])
  await operator.delete(`/v1/cards/${id}`)
  expect((await again()).status).toBe(409)
})

const labels = ['brands', 'genres', 'manufacturers', 'years'] as const

test.each(labels)('a taken name is told beside other faults, in POST and PATCH of %s', async (type) => {
  const [{ one: first }, { one: other }] = [
    await operator.post(`/v1/${type}`, aDocument(type, { name: `Taken ${type}` })),
    await operator.post(`/v1/${type}`, aDocument(type, { name: `Other ${type}` })),
  ]
  const faulty = { name: ` TAKEN ${type} `, zip: 1 }
  const both = ['VALIDATION-FAILED /data/attributes/name', 'VALIDATION-FAILED /data/attributes/zip']
  expect((await operator.post(`/v1/${type}`, aDocument(type, faulty))).faults.toSorted()).toEqual(both)
  const change = (id: string) => operator.patch(`/v1/${type}/${id}`, aDocument(type, faulty, {}, id))
  expect((await change(other.id)).faults.toSorted()).toEqual(both)
  expect((await change(first.id)).faults).toEqual(['VALIDATION-FAILED /data/attributes/zip'])
})

test('a taken code is told beside other faults', async () => {
  await operator.post('/v1/attributes', aDocument('attributes', { attribute: 'TKN', name: 'Taken' }))
  const answer = await operator.post('/v1/attributes', aDocument('attributes', { attribute: 'tkn' }))
  expect(answer.faults.toSorted()).toEqual([
    'VALIDATION-FAILED /data/attributes/attribute',
    'VALIDATION-FAILED /data/attributes/name',
  ])
})

test('of a value, the missing attribute and the missing object are told together, with what is misshapen', async () => {
  const missing = { attribute_id: crypto.randomUUID(), object_id: crypto.randomUUID(), object_type: 'player' }
  const pointers = ['attribute_id', 'object_id'].map((name) => `VALIDATION-FAILED /data/attributes/${name}`)
  const post = (more: object) =>
    operator.post('/v1/object-attributes', aDocument('object-attributes', { ...missing, ...more }))
  expect((await post({ attribute_value: 'x' })).faults.toSorted()).toEqual(pointers)
  expect((await post({ attribute_value: 5 })).faults.toSorted()).toEqual([
    pointers[0] as string,
    'VALIDATION-FAILED /data/attributes/attribute_value',
    pointers[1] as string,
  ])
  expect((await post({ attribute_value: 'x', object_type: 7 })).faults.toSorted()).toEqual([
    pointers[0] as string,
    'VALIDATION-FAILED /data/attributes/object_type',
  ])
})

test('a hidden record is as missing as one that is not there, in the same answer', async () => {
  const hidden = await make.genre()
  const change = { name: 5, genre_id: hidden.id, brand_id: crypto.randomUUID() }
  const answer = await app.publishedWriter.post('/v1/sets', aDocument('sets', change))
  expect(answer.faults.toSorted()).toEqual(
    ['brand_id', 'genre_id', 'name'].map((name) => `VALIDATION-FAILED /data/attributes/${name}`),
  )
})

test('each field has one error, with the first rule that it breaks', async () => {
  const long = ` \n${'x'.repeat(300)}\n`
  const answer = await operator.post('/v1/brands', aDocument('brands', { name: long, description: 5 }))
  expect(answer.faults).toEqual([
    'VALIDATION-FAILED /data/attributes/name',
    'VALIDATION-FAILED /data/attributes/description',
  ])
  const errors = answer.document.errors as { detail: string }[]
  expect(errors[0]?.detail).toBe('Must have at most 255 characters.')
  const query = await operator.get('/v1/cards?include=a,b&page=0&per_page=500&filter[set_id]=x&fields[cards]=q,r')
  expect(query.faults.toSorted()).toEqual(
    ['fields[cards]', 'filter[set_id]', 'include', 'page', 'per_page'].map((name) => `INVALID_PARAMETER ${name}`),
  )
  const listed = await operator.get('/v2/cards?include=a,b&sort=x,y&page[size]=0&filter[set]=x,y')
  expect(listed.faults.toSorted()).toEqual(
    ['filter[set]', 'include', 'page[size]', 'sort'].map((name) => `INVALID_PARAMETER ${name}`),
  )
})

test('an error repeats at most 200 characters of what was sent, in source, too', async () => {
  const long = 'x'.repeat(5000)
  const body = await operator.post('/v1/brands', aDocument('brands', { [long]: 1, name: 'Long' }))
  const query = await operator.get(`/v1/cards?${long}=1&include=${long}&fields[cards]=${long}`)
  const more = await operator.get(`/v2/cards?sort=${long}&filter[${long}]=1&include=${long}`)
  const search = await operator.get(`/v2/search?q=${long.slice(0, 400)}:x`)
  const batch = await operator.post('/internal/card-batches', { data: [{ type: 'cards', id: long, [long]: 1 }] })
  for (const { text, status } of [body, query, more, search, batch]) {
    expect([200, 400, 422]).toContain(status)
    expect(Math.max(...[...text.matchAll(/x+/g)].map(([run]) => run.length))).toBeLessThanOrEqual(200)
  }
})
