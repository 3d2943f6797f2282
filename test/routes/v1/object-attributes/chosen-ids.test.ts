import { expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'
import { factories } from '../../../support/factories.ts'

const app = await testApp()
const make = factories(app)

test('whatever id its maker chose, a card counts once among the objects with values and identifiers', async () => {
  const [set, attribute] = [await make.set(), await make.attribute()]
  const ids = Array.from({ length: 16 }, (_, n) => `00000000-0000-0000-0000-00000000000${n.toString(16)}`)
  ids.push('ffffffff-ffff-ffff-ffff-ffffffffffff')
  for (const id of ids) {
    const card = await make.card({ id, set })
    await make.objectAttribute(card, { attribute_id: attribute.id })
    await make.identifier(card, { value: id })
  }
  await make.objectAttribute(set, { attribute_id: attribute.id })
  for (const [query, total] of [
    ...ids.flatMap((id) => [
      [`object-attributes?filter[object]=${id}`, 1],
      [`identifiers?filter[object_id]=${id}`, 1],
    ]),
    ['object-attributes', 18],
    ['identifiers', 17],
    ['object-attributes?filter[object_type]=card', 17],
    ['object-attributes?filter[object_type]=set', 1],
    ['object-attributes?filter[object_type]=player', 0],
    ['identifiers?filter[object_type]=cards', 17],
    ['identifiers?filter[object_type]=sets', 0],
  ] as const) {
    const { many, meta } = await app.operator.get(`/v2/${query}`)
    expect([query, many.length, meta.page]).toEqual([query, total, { total }])
  }
})
