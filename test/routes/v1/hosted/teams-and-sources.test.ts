import { expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'
import { aDocument, aName, factories } from '../../../support/factories.ts'

const app = await testApp()
const { operator } = app
const make = factories(app)

const team = async (attributes: object) => operator.post('/v1/teams', aDocument('teams', { ...attributes }))

test("a team's mascot is its name without the location", async () => {
  const mascotOf = async (attributes: object) => (await team(attributes)).one.attributes.mascot
  expect(await mascotOf({ name: 'Chicago Bulls', location: 'Chicago' })).toBe('Bulls')
  expect(await mascotOf({ name: 'Chicagoland Bears', location: 'Chicago' })).toBe('Chicagoland Bears')
  expect(await mascotOf({ name: 'Real Madrid' })).toBe('Real Madrid')
  expect(await mascotOf({ name: '100% Wolves', location: '100%' })).toBe('Wolves')
})

test('location and mascot make the name, which wins where it is given', async () => {
  const made = await team({ location: 'Utah', mascot: 'Jazz' })
  expect([made.status, made.one.attributes.name, made.one.attributes.mascot]).toEqual([201, 'Utah Jazz', 'Jazz'])
  expect((await team({ mascot: 'Globetrotters' })).one.attributes.name).toBe('Globetrotters')
  expect((await team({ name: 'Utah Stars', location: 'Utah', mascot: 'Jazz' })).one.attributes.name).toBe('Utah Stars')
  expect((await team({ location: 'Utah' })).faults).toEqual(['VALIDATION-FAILED /data/attributes/name'])
  expect((await team({ location: 'U'.repeat(200), mascot: 'J'.repeat(60) })).faults).toEqual([
    'VALIDATION-FAILED /data/attributes/mascot',
  ])
  const { id } = made.one
  const patch = async (attributes: object) =>
    (await operator.patch(`/v1/teams/${id}`, aDocument('teams', { ...attributes }, {}, id))).one.attributes
  expect(await patch({ mascot: 'Grizzlies' })).toMatchObject({ name: 'Utah Grizzlies', location: 'Utah' })
  expect(await patch({ location: 'Memphis', mascot: 'Grizzlies' })).toMatchObject({ name: 'Memphis Grizzlies' })
  expect(await patch({ abbreviation: 'MEM' })).toMatchObject({ name: 'Memphis Grizzlies' })
  expect(await patch({ name: 'Bears' })).toMatchObject({ name: 'Bears', mascot: 'Bears', location: 'Memphis' })
  expect(await patch({ mascot: 'Cubs' })).toMatchObject({ name: 'Cubs', location: 'Memphis' })
})

test('a source says what it was for, and when somebody verified it', async () => {
  const set = await make.set()
  const plain = await make.setSource(set)
  expect(plain.attributes).toMatchObject({ source_type: 'checklist', verified_at: null, source_name: null })
  const name = aName('List')
  const told = await make.setSource(set, {
    source_type: 'images',
    source_name: name,
    verified_at: '2026-01-02T03:04:05.678+01:00',
  })
  const stored = { source_type: 'images', source_name: name, title: name, verified_at: '2026-01-02T02:04:05.678Z' }
  expect(told.attributes).toMatchObject(stored)
  const patch = async (attributes: object) =>
    operator.patch(`/v1/set-sources/${told.id}`, aDocument('set_sources', { ...attributes }, {}, told.id))
  expect((await patch({ source_type: 'metadata', verified_at: null })).one.attributes).toMatchObject({
    ...{ ...stored, source_type: 'metadata', verified_at: null },
  })
  expect((await patch({ source_name: null })).one.attributes).toMatchObject({ title: null, source_name: null })
  expect((await patch({ title: 'A', source_name: 'B' })).faults).toEqual([
    'VALIDATION-FAILED /data/attributes/source_name',
  ])
  expect((await patch({ source_type: 'rumor' })).faults).toEqual(['VALIDATION-FAILED /data/attributes/source_type'])
  expect((await patch({ verified_at: 'yesterday' })).faults).toEqual(['VALIDATION-FAILED /data/attributes/verified_at'])
})
