import { expect, test } from 'bun:test'
import { arrayOf } from '../../../../db/arrays.ts'
import { testApp } from '../../../support/app.ts'
import { aDocument, factories } from '../../../support/factories.ts'
import { aWorld, type World } from '../../../support/worlds.ts'

const app = await testApp()
const make = factories(app)

const dependents = (world: World) => [
  ...[`sets/${world.sets.id}`, `cards/${world.cards.id}`, `card-images/${world.card_images.id}`],
  ...[`object-attributes/${world['object-attributes'].id}`, `set-sources/${world.set_sources.id}`],
]
const entities = (world: World) => [
  ...[`brands/${world.brands.id}`, `manufacturers/${world.manufacturers.id}`, `genres/${world.genres.id}`],
  ...[`years/${world.years.id}`, `players/${world.players.id}`, `teams/${world.teams.id}`],
  `player-teams/${world.playerteams.id}`,
]
const statusesOf = (paths: string[], caller = app.operator) =>
  Promise.all(paths.map(async (path) => (await caller.get(`/v1/${path}`)).status))
const all = (paths: unknown[], status: number) => paths.map(() => status)

test.each(['', '?force=true', '?force=false'])(
  'DELETE%s takes a set with all that hangs on it out of sight',
  async (query) => {
    const world = await aWorld(app, 'published')
    const onSet = await make.objectAttribute(world.sets)
    const answer = await app.deleter.delete(`/v1/sets/${world.sets.id}${query}`)
    expect([answer.status, answer.text]).toEqual([204, ''])
    const gone = [...dependents(world), `object-attributes/${onSet.id}`]
    expect(await statusesOf(gone)).toEqual(all(gone, 404))
    expect(await statusesOf(entities(world))).toEqual(all(entities(world), 200))
    expect(await statusesOf(entities(world), app.reader)).toEqual(all(entities(world), 404))
    expect((await app.operator.delete(`/v1/sets/${world.sets.id}${query}`)).status).toBe(404)
  },
)

test.each(['', '?force=true'])('after DELETE%s nothing keeps what the set led to', async (query) => {
  const world = await aWorld(app, 'draft')
  await app.operator.delete(`/v1/sets/${world.sets.id}${query}`)
  const paths = [...entities(world).toReversed(), `attributes/${world.attributes.id}`]
  for (const path of paths) expect([path, (await app.operator.delete(`/v1/${path}`)).status]).toEqual([path, 204])
})

test('a set that is soft-deleted keeps its rows, and the ids of its cards are taken', async () => {
  const world = await aWorld(app, 'published')
  await app.operator.delete(`/v1/sets/${world.sets.id}`)
  const set = await make.set()
  const document = aDocument('cards', {}, { set: { data: { type: 'sets', id: set.id } } }, world.cards.id)
  expect((await app.operator.post('/v1/cards', document)).status).toBe(409)
})

test('a forced deletion leaves no row, and frees the ids of the cards', async () => {
  const world = await aWorld(app, 'published')
  await app.operator.delete(`/v1/sets/${world.sets.id}?force=true`)
  const set = await make.set()
  expect((await make.card({ set, id: world.cards.id })).id).toBe(world.cards.id)
  const [left] = await app.db.sql<{ rows: string }[]>`
    select (select count(*) from sets where id = ${world.sets.id})
      + (select count(*) from cards where set_id = ${world.sets.id})
      + (select count(*) from set_sources where set_id = ${world.sets.id})
      + (select count(*) from card_images where id = ${world.card_images.id})
      + (select count(*) from object_attributes where id = ${world['object-attributes'].id}) as rows`
  expect(Number(left?.rows)).toBe(0)
})

test('a forced deletion is a change of the cards elsewhere that showed an image of it', async () => {
  const world = await aWorld(app, 'published')
  const set = await make.set({ status: 'published' })
  const image_uuid = world.card_images.id
  const [bearer, hidden, other] = [
    await make.card({ set, image_uuid }),
    await make.card({ image_uuid }),
    await make.card({ set }),
  ]
  const versionOf = async ({ id }: { id: string }) =>
    Number((await app.db.sql<{ version: string }[]>`select version from cards where id = ${id}`)[0]?.version)
  const read = async ({ id }: { id: string }) => (await app.operator.get(`/v1/cards/${id}`)).one.attributes
  const before = await Promise.all([bearer, hidden, other].map(versionOf))
  const earlier = (await app.db.sql<{ id: string }[]>`select id from changes`).map(({ id }) => id)
  app.clock.offsetSeconds += 5
  expect((await app.operator.delete(`/v1/sets/${world.sets.id}?force=true`)).status).toBe(204)
  expect(await Promise.all([bearer, hidden, other].map(versionOf))).toEqual(
    before.map((one, at) => one + (at < 2 ? 1 : 0)),
  )
  for (const card of [bearer, hidden]) {
    const now = await read(card)
    expect(now.image_uuid).toBeNull()
    expect((now.updated_at as string) > (card.attributes.updated_at as string)).toBe(true)
  }
  expect(await read(other)).toEqual(other.attributes)
  const told = await app.db.sql<{ ids: string; before: number; after: number }[]>`
    select array_to_string(ids, ',') as ids, audience_before as before, audience_after as after from changes
    where id <> all(${arrayOf(earlier)}::uuid[]) and type = 'cards' and audience_after > 0`
  expect([...told].map(({ ids, before, after }) => [ids, before, after]).toSorted()).toEqual(
    [
      [bearer.id, 2, 2],
      [hidden.id, 1, 1],
    ].toSorted(),
  )
})

test.each(['', '?force=true'])(
  'DELETE%s of a set with live children answers 409 and changes nothing',
  async (query) => {
    const world = await aWorld(app, 'published')
    const child = await make.set({ parent: world.sets })
    const answer = await app.operator.delete(`/v1/sets/${world.sets.id}${query}`)
    expect([answer.status, answer.faults]).toEqual([409, ['CONFLICT']])
    expect(await statusesOf(dependents(world), app.reader)).toEqual(all(dependents(world), 200))
    await app.operator.delete(`/v1/sets/${child.id}`)
    expect((await app.operator.delete(`/v1/sets/${world.sets.id}${query}`)).status).toBe(204)
  },
)

test('a child of a deleted set’s deleted child keeps nothing', async () => {
  const parent = await make.set()
  const child = await make.set({ parent })
  await app.operator.delete(`/v1/sets/${child.id}`)
  expect((await app.operator.delete(`/v1/sets/${parent.id}?force=true`)).status).toBe(204)
})

test('a draft is 404 to who cannot see it, a reader is refused', async () => {
  const set = await make.set()
  expect((await app.publishedWriter.delete(`/v1/sets/${set.id}`)).status).toBe(404)
  expect((await app.blindDeleter.delete(`/v1/sets/${set.id}?force=true`)).status).toBe(404)
  expect((await app.writer.delete(`/v1/sets/${set.id}`)).faults).toEqual(['INSUFFICIENT_SCOPE'])
  expect((await app.operator.get(`/v1/sets/${set.id}`)).status).toBe(200)
})

test('force is true or false', async () => {
  const set = await make.set()
  for (const value of ['', '1', 'yes', 'TRUE'])
    expect((await app.operator.delete(`/v1/sets/${set.id}?force=${value}`)).faults).toEqual(['INVALID_PARAMETER force'])
  expect((await app.operator.delete(`/v1/sets/${set.id}?hard=true`)).faults).toEqual(['INVALID_PARAMETER hard'])
})
