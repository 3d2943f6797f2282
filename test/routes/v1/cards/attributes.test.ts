import { expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'
import { aDocument, factories, toMany, toOne } from '../../../support/factories.ts'

const app = await testApp()
const make = factories(app)
const set = await make.set()
const [rookie, autograph] = [await make.attribute(), await make.attribute()]

const create = (attributes: { type: string; id: string }[]) =>
  app.operator.post('/v1/cards', aDocument('cards', {}, { set: toOne(set), attributes: toMany(attributes) }))
const nobody = () => ({ type: 'attributes', id: crypto.randomUUID() })

test('an attribute that is named twice is borne once', async () => {
  const { one } = await create([rookie, autograph, rookie])
  expect(one.relationships?.attributes).toEqual(toMany([rookie, autograph]))
  const again = await app.operator.patch(
    `/v1/cards/${one.id}`,
    aDocument('cards', {}, { attributes: toMany([autograph, rookie, autograph]) }, one.id),
  )
  expect(again.one).toEqual(one)
})

test('a fault behind an attribute that is named twice stands where it was sent', async () => {
  const answer = await create([rookie, rookie, nobody(), autograph, nobody()])
  expect(answer.faults).toEqual([
    'VALIDATION-FAILED /data/relationships/attributes/data/2/id',
    'VALIDATION-FAILED /data/relationships/attributes/data/4/id',
  ])
})

test('a card takes 100 attributes and no more', async () => {
  expect((await create(Array.from({ length: 100 }, () => rookie))).status).toBe(201)
  const answer = await create(Array.from({ length: 101 }, () => rookie))
  expect(answer.faults).toEqual(['VALIDATION-FAILED /data/relationships/attributes/data'])
})
