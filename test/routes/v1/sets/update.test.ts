import { expect, test } from 'bun:test'
import type { Shown } from '../../../support/answer.ts'
import { testApp } from '../../../support/app.ts'
import { aDocument, factories, setStatus, toOne } from '../../../support/factories.ts'
import { aWorld, type World } from '../../../support/worlds.ts'

const app = await testApp()
const make = factories(app)
const patch = (set: Shown, attributes: object, relationships: object = {}, caller = app.operator) =>
  caller.patch(`/v1/sets/${set.id}`, aDocument('sets', { ...attributes }, { ...relationships }, set.id))

/** Identifiers are in /v2 alone. */
const paths: Record<Exclude<keyof World, 'identifiers'>, string> = {
  ...{ attributes: 'attributes', brands: 'brands', manufacturers: 'manufacturers', genres: 'genres', years: 'years' },
  ...{ teams: 'teams', players: 'players', playerteams: 'player-teams', sets: 'sets', cards: 'cards' },
  ...{ 'object-attributes': 'object-attributes', card_images: 'card-images', set_sources: 'set-sources' },
}

/** Which types of a world a published reader is shown. */
const seen = async (world: World) => {
  const all = Object.entries(paths).map(async ([type, path]) => {
    const { status } = await app.reader.get(`/v1/${path}/${world[type as keyof World].id}`)
    return status === 200 ? [type] : []
  })
  return (await Promise.all(all)).flat()
}
const everyType = Object.keys(paths)

test('publishing shows the set and all that it leads to at once, unpublishing hides it again', async () => {
  const world = await aWorld(app, 'draft')
  expect(await seen(world)).toEqual(['attributes'])
  await setStatus(app, world.sets, 'published')
  expect((await seen(world)).toSorted()).toEqual(everyType.toSorted())
  await setStatus(app, world.sets, 'draft')
  expect(await seen(world)).toEqual(['attributes'])
})

test('what another published set leads to as well stays shown', async () => {
  const world = await aWorld(app, 'published')
  const { brands: brand, players: player } = world
  const second = await make.set({ status: 'published', brand })
  await make.card({ set: second, oncard: [player] })
  await setStatus(app, world.sets, 'draft')
  expect((await seen(world)).toSorted()).toEqual(['attributes', 'brands', 'players'])
  await setStatus(app, second, 'draft')
  expect(await seen(world)).toEqual(['attributes'])
})

test('a child set has a status of its own, and a hidden parent is null', async () => {
  const parent = await make.set()
  const child = await make.set({ parent, status: 'published' })
  const shown = (await app.reader.get(`/v1/sets/${child.id}?include=parent`)).document
  expect([(shown.data as Shown).relationships.parent?.data, shown.included]).toEqual([null, []])
  expect((await app.draftReader.get(`/v1/sets/${child.id}`)).one.relationships.parent as object).toEqual(toOne(parent))
  await setStatus(app, parent, 'published')
  expect((await app.reader.get(`/v1/sets/${child.id}`)).one.relationships.parent as object).toEqual(toOne(parent))
})

test('a new reference is published with the set, the old one hidden', async () => {
  const [before, after] = [await make.brand(), await make.brand()]
  const set = await make.set({ status: 'published', brand: before })
  await patch(set, {}, { brand: toOne(after) })
  expect([
    (await app.reader.get(`/v1/brands/${before.id}`)).status,
    (await app.reader.get(`/v1/brands/${after.id}`)).status,
  ]).toEqual([404, 200])
  await patch(set, { brand_id: null })
  expect((await app.reader.get(`/v1/brands/${after.id}`)).status).toBe(404)
})

test('a set cannot be its own ancestor', async () => {
  const grandparent = await make.set()
  const parent = await make.set({ parent: grandparent })
  const child = await make.set({ parent })
  const fault = ['VALIDATION-FAILED /data/relationships/parent/data/id']
  expect((await patch(grandparent, {}, { parent: toOne(child) })).faults).toEqual(fault)
  expect((await patch(grandparent, {}, { parent: toOne(parent) })).faults).toEqual(fault)
  expect((await patch(parent, {}, { parent: toOne(parent) })).faults).toEqual(fault)
  expect((await patch(grandparent, { parent_id: child.id })).faults).toEqual([
    'VALIDATION-FAILED /data/attributes/parent_id',
  ])
  expect((await patch(child, {}, { parent: toOne(grandparent) })).status).toBe(200)
  expect((await patch(parent, {}, { parent: { data: null } })).status).toBe(200)
  expect((await patch(grandparent, {}, { parent: toOne(parent) })).status).toBe(200)
})

test('moving below a parent takes a set out of the roots and back', async () => {
  const [parent, set] = [await make.set({ status: 'published' }), await make.set({ status: 'published' })]
  const roots = async () => (await app.reader.get('/v1/sets')).meta.total as number
  const before = await roots()
  await patch(set, { parent_id: parent.id })
  expect(await roots()).toBe(before - 1)
  expect((await app.reader.get(`/v1/sets/${parent.id}?include=children`)).included.map(({ id }) => id)).toEqual([
    set.id,
  ])
  await patch(set, { parent_id: null })
  expect(await roots()).toBe(before)
})

test('a change that changes nothing leaves updated_at alone', async () => {
  const set = await make.set({ brand: await make.brand() })
  app.clock.offsetSeconds += 5
  expect((await patch(set, { name: set.attributes.name, status: 'draft' })).one).toEqual(set)
  expect((await patch(set, { name: 'New' })).one.attributes.updated_at).not.toBe(set.attributes.updated_at)
})

test('cards_count and children are read-only', async () => {
  const set = await make.set()
  const { status, one } = await patch(set, { cards_count: 7 }, { children: { data: [] } })
  expect([status, one.attributes.cards_count]).toEqual([200, 0])
})

test('a draft is 404 to who cannot read drafts, whatever they write', async () => {
  const set = await make.set()
  for (const caller of [app.publishedWriter, app.blindWriter])
    for (const attributes of [{ status: 'published' }, { name: 'x' }, {}])
      expect((await patch(set, attributes, {}, caller)).status).toBe(404)
  expect((await app.operator.get(`/v1/sets/${set.id}`)).one).toEqual(set)
})

test('who reads published data alone keeps the references that are hidden from it, and is not shown them', async () => {
  const parent = await make.set()
  const set = await make.set({ parent, status: 'published' })
  const answer = await patch(set, { name: 'New' }, {}, app.publishedWriter)
  expect([answer.status, answer.one.relationships.parent?.data]).toEqual([200, null])
  const read = await app.publishedWriter.get(`/v1/sets/${set.id}`)
  expect([answer.one, answer.headers.get('etag')]).toEqual([read.one, read.headers.get('etag')])
  expect((await app.operator.get(`/v1/sets/${set.id}`)).one.relationships.parent as object).toEqual(toOne(parent))
  expect((await patch(set, {}, { brand: toOne(await make.brand()) }, app.publishedWriter)).faults).toEqual([
    'VALIDATION-FAILED /data/relationships/brand/data/id',
  ])
})

test('who unpublishes a set that it may not see as a draft is still answered', async () => {
  const set = await make.set({ status: 'published' })
  const answer = await patch(set, { status: 'draft' }, {}, app.publishedWriter)
  expect([answer.status, answer.one.attributes.status]).toEqual([200, 'draft'])
  expect((await app.publishedWriter.get(`/v1/sets/${set.id}`)).status).toBe(404)
})
