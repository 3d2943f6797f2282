import { expect, test } from 'bun:test'
import type { Shown } from '../../../support/answer.ts'
import { testApp } from '../../../support/app.ts'
import { aDocument, factories, setStatus } from '../../../support/factories.ts'

const app = await testApp()
const make = factories(app)
const post = (attributes: object) => app.operator.post('/v1/attributes', aDocument('attributes', { ...attributes }))
const patch = (attribute: Shown, attributes: object) =>
  app.operator.patch(`/v1/attributes/${attribute.id}`, aDocument('attributes', { ...attributes }, {}, attribute.id))

test('an attribute shows its code and name, and its color is a hex color', async () => {
  const { one } = await post({ attribute: 'RC', name: 'Rookie', description: 'First card', color: '#C81E1E' })
  expect(one.attributes).toMatchObject({ attribute: 'RC', name: 'Rookie', description: 'First card', color: '#C81E1E' })
  for (const color of ['#fff', '#ffff', '#ABCDEF', '#abcdef00', null])
    expect((await patch(one, { color })).status).toBe(200)
  for (const color of ['', 'red', '#ff', '#fffff', 'fff', '#ggg', '#fff\n', ' #fff', 0xffffff])
    expect([color, (await patch(one, { color })).faults]).toEqual([color, ['VALIDATION-FAILED /data/attributes/color']])
})

test('a code is unique among live attributes, case included, a name is not', async () => {
  const first = await make.attribute({ attribute: 'AU', name: 'Autograph' })
  expect((await post({ attribute: 'AU', name: 'x' })).faults).toEqual(['VALIDATION-FAILED /data/attributes/attribute'])
  expect((await post({ attribute: 'au', name: 'Autograph' })).status).toBe(201)
  const second = await make.attribute({ attribute: 'AU2', name: 'Autograph' })
  expect((await patch(second, { attribute: 'AU' })).faults).toEqual(['VALIDATION-FAILED /data/attributes/attribute'])
  await app.operator.delete(`/v1/attributes/${first.id}`)
  expect((await patch(second, { attribute: 'AU' })).status).toBe(200)
})

test('every reader sees the whole vocabulary', async () => {
  const attribute = await make.attribute()
  for (const caller of [app.reader, app.subscriber, app.visitor, app.draftReader])
    expect((await caller.get(`/v1/attributes/${attribute.id}`)).status).toBe(200)
  const totals = await Promise.all(
    [app.reader, app.operator].map(async (caller) => (await caller.get('/v1/attributes')).meta.total),
  )
  expect(totals[0]).toBe(totals[1])
})

test('its list takes name and filter[name], exact or like:', async () => {
  await make.attribute({ attribute: 'SSP', name: 'Super Short Print' })
  const codes = async (query: string) =>
    (await app.reader.get(`/v1/attributes?${query}`)).many.map(({ attributes }) => attributes.attribute as string)
  for (const name of ['name', 'filter[name]']) {
    expect(await codes(`${name}=Super Short Print`)).toEqual(['SSP'])
    expect(await codes(`${name}=super short print`)).toEqual([])
    expect(await codes(`${name}=like:SHORT`)).toEqual(['SSP'])
    expect(await codes(`${name}=like:%25`)).toEqual([])
  }
})

test('a changed code changes the names of the cards that bear it, in code order', async () => {
  const [a, b] = [await make.attribute({ attribute: 'B1' }), await make.attribute({ attribute: 'C1' })]
  const card = await make.card({ number: '1', attributes: [b, a] })
  expect(card.attributes.name).toBe('1 B1 C1')
  await patch(a, { attribute: 'D1' })
  const after = (await app.operator.get(`/v1/cards/${card.id}`)).one
  expect(after.attributes.name).toBe('1 C1 D1')
  expect(after.relationships.attributes?.data).toEqual([b, a].map(({ id }) => ({ type: 'attributes', id })))
})

test('a changed name of an attribute leaves cards alone', async () => {
  const code = await make.attribute()
  const card = await make.card({ attributes: [code] })
  app.clock.offsetSeconds += 5
  await patch(code, { name: 'Other' })
  expect((await app.operator.get(`/v1/cards/${card.id}`)).one).toEqual(card)
})

test('an attribute that a live card bears or that an object has answers 409 to DELETE', async () => {
  const code = await make.attribute()
  const set = await make.set()
  const card = await make.card({ set, attributes: [code] })
  const value = await make.objectAttribute(set, { attribute_id: code.id })
  const remove = async () => (await app.operator.delete(`/v1/attributes/${code.id}`)).status
  expect(await remove()).toBe(409)
  await app.operator.delete(`/v1/cards/${card.id}`)
  expect(await remove()).toBe(409)
  await app.operator.delete(`/v1/object-attributes/${value.id}`)
  expect(await remove()).toBe(204)
  await setStatus(app, set, 'published')
})
