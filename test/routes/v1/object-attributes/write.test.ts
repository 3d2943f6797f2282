import { expect, test } from 'bun:test'
import { idsOf, type Shown } from '../../../support/answer.ts'
import { testApp } from '../../../support/app.ts'
import { aDocument, factories, setStatus } from '../../../support/factories.ts'

const app = await testApp()
const make = factories(app)
const grade = await make.attribute()
const post = (attributes: object, caller = app.operator) =>
  caller.post(
    '/v1/object-attributes',
    aDocument('object-attributes', { attribute_id: grade.id, attribute_value: 'PSA 10', ...attributes }),
  )
const patch = (value: Shown, attributes: object, caller = app.operator) =>
  caller.patch(`/v1/object-attributes/${value.id}`, aDocument('object-attributes', { ...attributes }, {}, value.id))
const on = (object: Shown) => ({ object_type: object.type.slice(0, -1), object_id: object.id })

const objects = { card: () => make.card(), set: () => make.set(), player: () => make.player(), team: () => make.team() }

test.each(Object.entries(objects))('a value hangs on a %s, which include=object brings', async (kind, anObject) => {
  const object = await anObject()
  const { status, one } = await post(on(object))
  expect([status, one.attributes.object_type, one.attributes.object_id]).toEqual([201, kind, object.id])
  const read = await app.operator.get(`/v1/object-attributes/${one.id}?include=object,attribute`)
  expect(read.one.relationships as object).toEqual({
    attribute: { data: { type: 'attributes', id: grade.id } },
    object: { data: { type: object.type, id: object.id } },
  })
  expect(idsOf(read.included).toSorted()).toEqual([grade.id, object.id].toSorted())
})

test('one value for one attribute on one object', async () => {
  const [set, other] = [await make.set(), await make.attribute()]
  const first = await make.objectAttribute(set, { attribute_id: grade.id })
  const second = await make.objectAttribute(set, { attribute_id: other.id })
  expect((await post(on(set))).faults).toEqual(['CONFLICT'])
  expect((await patch(second, { attribute_id: grade.id })).status).toBe(409)
  await app.operator.delete(`/v1/object-attributes/${first.id}`)
  expect((await patch(second, { attribute_id: grade.id })).status).toBe(200)
})

test('a second value is a 409 before whatever else is wrong with it, for those who see the first', async () => {
  const [set, attribute] = [await make.set(), await make.attribute()]
  const first = await make.objectAttribute(set, { attribute_id: grade.id })
  const other = await make.objectAttribute(set, { attribute_id: attribute.id })
  const faulty = { ...on(set), attribute_value: '', nothing: 1 }
  const wrong = ['VALIDATION-FAILED /data/attributes/attribute_value', 'VALIDATION-FAILED /data/attributes/nothing']
  expect((await post(faulty)).faults).toEqual(['CONFLICT'])
  expect((await post({ ...faulty, object_id: set.id.toUpperCase() })).faults).toEqual(['CONFLICT'])
  expect((await patch(other, { attribute_id: grade.id, attribute_value: '' })).faults).toEqual(['CONFLICT'])
  expect((await patch(first, { attribute_value: '' })).faults).toEqual(wrong.slice(0, 1))
  expect((await post(faulty, app.publishedWriter)).faults).toEqual([
    ...wrong,
    'VALIDATION-FAILED /data/attributes/object_id',
  ])
  expect((await post({ ...faulty, object_id: 'x' })).status).toBe(422)
  await app.operator.delete(`/v1/object-attributes/${first.id}`)
  expect((await post(faulty)).faults).toEqual(wrong)
})

test('attribute and object must exist, and be of the kind that is named', async () => {
  const set = await make.set()
  const objectFault = ['VALIDATION-FAILED /data/attributes/object_id']
  expect((await post({ ...on(set), attribute_id: crypto.randomUUID() })).faults).toEqual([
    'VALIDATION-FAILED /data/attributes/attribute_id',
  ])
  expect((await post({ ...on(set), object_id: crypto.randomUUID() })).faults).toEqual(objectFault)
  expect((await post({ ...on(set), object_type: 'card' })).faults).toEqual(objectFault)
  expect((await post({ ...on(set), object_type: 'brand' })).faults).toEqual([
    'VALIDATION-FAILED /data/attributes/object_type',
  ])
  expect((await post(on(set), app.publishedWriter)).faults).toEqual(objectFault)
  await app.operator.delete(`/v1/sets/${set.id}`)
  expect((await post(on(set))).faults).toEqual(objectFault)
})

test('a value moves to another object, and is seen as that one is', async () => {
  const [draft, open] = [await make.set(), await make.set({ status: 'published' })]
  const value = await make.objectAttribute(draft)
  const seen = async () => (await app.reader.get(`/v1/object-attributes/${value.id}`)).status
  expect(await seen()).toBe(404)
  expect((await patch(value, on(open))).status).toBe(200)
  expect(await seen()).toBe(200)
  await setStatus(app, open, 'draft')
  expect(await seen()).toBe(404)
  const total = async (object: Shown) =>
    (await app.operator.get(`/v1/object-attributes?filter[object_id]=${object.id}`)).meta.total
  expect([await total(draft), await total(open)]).toEqual([0, 1])
})

test('a value on a player or a team is seen while a published card bears them', async () => {
  const player = await make.player()
  const value = await make.objectAttribute(player)
  const card = await make.card({ set: await make.set({ status: 'published' }), oncard: [player] })
  expect((await app.reader.get(`/v1/object-attributes/${value.id}`)).status).toBe(200)
  await app.operator.delete(`/v1/cards/${card.id}`)
  expect((await app.reader.get(`/v1/object-attributes/${value.id}`)).status).toBe(404)
  expect((await patch(value, { attribute_value: 'x' }, app.publishedWriter)).status).toBe(404)
})

test('an object that moves between sets takes its values with it', async () => {
  const open = await make.set({ status: 'published' })
  const card = await make.card()
  const value = await make.objectAttribute(card)
  const document = aDocument('cards', {}, { set: { data: { type: 'sets', id: open.id } } }, card.id)
  await app.operator.patch(`/v1/cards/${card.id}`, document)
  expect((await app.reader.get(`/v1/object-attributes/${value.id}`)).status).toBe(200)
})

test('lists are in the order of creation and filter by object, kind and attribute', async () => {
  const [set, player] = [await make.set(), await make.player()]
  const attribute = await make.attribute()
  const values = [
    await make.objectAttribute(set, { attribute_id: attribute.id }),
    await make.objectAttribute(player, { attribute_id: attribute.id }),
    await make.objectAttribute(set),
  ]
  const list = async (query: string) => {
    const { many, meta } = await app.operator.get(`/v1/object-attributes?per_page=100&${query}`)
    expect(meta.total).toBe(many.length)
    return idsOf(many).filter((id) => values.some((value) => value.id === id))
  }
  const [a, b, c] = idsOf(values)
  expect(await list('')).toEqual([a, b, c] as string[])
  expect(await list(`filter[object_id]=${set.id}`)).toEqual([a, c] as string[])
  expect(await list(`filter[attribute_id]=${attribute.id}`)).toEqual([a, b] as string[])
  expect(await list('filter[object_type]=player')).toEqual([b] as string[])
  expect(await list(`filter[object_type]=set&filter[attribute_id]=${attribute.id}`)).toEqual([a] as string[])
  expect((await app.operator.get('/v1/object-attributes?filter[object_type]=brand')).faults).toEqual([
    'INVALID_PARAMETER filter[object_type]',
  ])
})

test('a value in no name: the object’s name stays', async () => {
  const card = await make.card({ number: '1' })
  await make.objectAttribute(card)
  expect((await app.operator.get(`/v1/cards/${card.id}`)).one.attributes.name).toBe('1')
})
