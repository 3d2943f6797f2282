import { expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'

const app = await testApp()

test('a write that is refused or changes nothing tells nothing', async () => {
  const count = async () => Number((await app.db.sql<{ n: string }[]>`select count(*) as n from changes`)[0]?.n)
  const brand = (await app.operator.post('/v1/brands', { data: { type: 'brands', attributes: { name: 'Told' } } })).one
  const before = await count()
  const document = (name: unknown) => ({ data: { type: 'brands', id: brand.id, attributes: { name } } })
  for (const name of ['Told', '', null, 7]) await app.operator.patch(`/v1/brands/${brand.id}`, document(name))
  await app.operator.post('/v1/brands', { data: { type: 'brands', attributes: { name: 'told' } } })
  await app.reader.delete(`/v1/brands/${brand.id}`)
  expect(await count()).toBe(before)
  await app.operator.patch(`/v1/brands/${brand.id}`, document('Other'))
  await app.operator.delete(`/v1/brands/${brand.id}`)
  expect(await count()).toBe(before + 2)
})
