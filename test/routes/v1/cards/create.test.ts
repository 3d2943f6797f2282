import { expect, test } from 'bun:test'
import type { Shown } from '../../../support/answer.ts'
import { testApp, testBaseUrl } from '../../../support/app.ts'
import { aDocument, factories, setStatus, toMany, toOne } from '../../../support/factories.ts'
import { aCardImage } from '../../../support/worlds.ts'

const app = await testApp()
const make = factories(app)
const set = await make.set()
const player = await make.player({ first_name: 'Larry', last_name: 'Bird' })
const team = await make.team({ name: 'Celtics' })
const playerTeam = await make.playerTeam({ player, team })
const [rookie, auto] = [await make.attribute({ attribute: 'RC' }), await make.attribute({ attribute: 'AU' })]

const post = (attributes: object, relationships: object, id?: unknown) =>
  app.operator.post('/v1/cards', aDocument('cards', { ...attributes }, { set: toOne(set), ...relationships }, id))

test('a card’s name joins number, entries, title, codes in code order and serial number', async () => {
  const all = { set, number: '57', title: 'Air', serial_number: '3/25' }
  const bearing = { oncard: [playerTeam, team, player], attributes: [rookie, auto] }
  const name = '57 Larry Bird / Celtics / Larry Bird Air AU RC 3/25'
  expect((await make.card({ ...all, ...bearing })).attributes.name).toBe(name)
})

test.each([
  [{ number: '7' }, '7'],
  [{ title: 'Checklist 1-110' }, 'Checklist 1-110'],
  [{ number: null, serial_number: '/25' }, '/25'],
  [{ number: '', title: '', serial_number: '' }, ''],
  [{ number: '1', title: '', serial_number: '/5' }, '1 /5'],
  [{}, ''],
])('what is empty is left out of a card’s name: %p', async (attributes, name) => {
  expect((await make.card({ set, ...attributes })).attributes.name).toBe(name)
})

test.each([
  [() => [], false, false],
  [() => [player], true, false],
  [() => [team], false, true],
  [() => [playerTeam], true, true],
  [() => [player, team], true, true],
] as [() => Shown[], boolean, boolean][])(
  'has_player and has_team follow who is on it %#',
  async (entries, hasPlayer, hasTeam) => {
    const { attributes } = await make.card({ set, oncard: entries() })
    expect([attributes.has_player, attributes.has_team]).toEqual([hasPlayer, hasTeam])
  },
)

test('a card is answered whole, with its place', async () => {
  const answer = await post({ number: '1' }, { oncard: toMany([player]), attributes: toMany([rookie, rookie]) })
  const { id, attributes, relationships, links, type } = answer.one
  const url = `${testBaseUrl}/v1/cards/${id}`
  expect([answer.status, type, answer.headers.get('location'), links.self, attributes.url]).toEqual([
    ...[201, 'cards', url, url, url],
  ])
  expect(Object.keys(attributes).toSorted()).toEqual(
    [
      ...['name', 'number', 'serial_number', 'image_uuid', 'title', 'notes', 'has_player', 'has_team'],
      ...['created_at', 'updated_at', 'url'],
    ].toSorted(),
  )
  expect(attributes.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(attributes.updated_at).toBe(attributes.created_at as string)
  expect(relationships as object).toEqual({
    set: toOne(set),
    oncard: toMany([player]),
    attributes: toMany([rookie]),
    images: { data: [] },
    parent: { data: null },
  })
  expect((await app.operator.get(`/v1/cards/${id}`)).one).toEqual(answer.one)
})

test.each(['/v1/cards', '/v2/cards', '/v1/cards?fields[cards]=number'])(
  'the document of a new card links to where it can be read again: POST %s',
  async (path) => {
    const { links, document } = await app.operator.post(path, aDocument('cards', { number: '1' }, { set: toOne(set) }))
    expect((await app.operator.get((links.self as string).slice(testBaseUrl.length))).document).toEqual(document)
  },
)

test('a card without an id gets a random one', async () => {
  expect((await make.card({ set })).id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('a card takes the id that the client gives, and gives it to no second one', async () => {
  const id = crypto.randomUUID()
  const card = await make.card({ set, id: id.toUpperCase(), number: '1' })
  expect(card.id).toBe(id)
  const again = await post({ number: '2' }, {}, id)
  expect([again.status, again.faults]).toEqual([409, ['CONFLICT /data/id']])
  expect((await app.operator.get(`/v1/cards/${id}`)).one).toEqual(card)
})

test('the id of a deleted card is still taken', async () => {
  const card = await make.card({ set })
  expect((await app.operator.delete(`/v1/cards/${card.id}`)).status).toBe(204)
  expect((await post({}, {}, card.id)).status).toBe(409)
  expect((await app.operator.get(`/v1/cards/${card.id}`)).status).toBe(404)
})

test.each([[null], [''], ['x'], [1], [{}], [[]], [true]])('an id that is %p is a fault of the id', async (id) => {
  expect((await post({}, {}, id)).faults).toEqual(['VALIDATION-FAILED /data/id'])
})

test('a card needs a set', async () => {
  const without = await app.operator.post('/v1/cards', { data: { type: 'cards', attributes: {} } })
  expect(without.faults).toEqual(['VALIDATION-FAILED /data/relationships/set'])
  expect((await post({}, { set: { data: null } })).faults).toEqual(['VALIDATION-FAILED /data/relationships/set/data'])
  expect((await post({}, { set: {} })).faults).toEqual(['VALIDATION-FAILED /data/relationships/set'])
})

test('every reference to nothing is a fault at its place', async () => {
  const nobody = (type: string) => ({ type, id: crypto.randomUUID() })
  const answer = await post(
    { image_uuid: crypto.randomUUID() },
    {
      set: { data: nobody('sets') },
      oncard: { data: [toOne(player).data, nobody('players'), nobody('teams'), nobody('playerteams')] },
      attributes: { data: [nobody('attributes')] },
    },
  )
  expect(answer.faults).toEqual([
    'VALIDATION-FAILED /data/relationships/set/data/id',
    'VALIDATION-FAILED /data/relationships/oncard/data/1/id',
    'VALIDATION-FAILED /data/relationships/oncard/data/2/id',
    'VALIDATION-FAILED /data/relationships/oncard/data/3/id',
    'VALIDATION-FAILED /data/relationships/attributes/data/0/id',
    'VALIDATION-FAILED /data/attributes/image_uuid',
  ])
})

test('an id of another type is nothing', async () => {
  const answer = await post({}, { oncard: { data: [{ type: 'teams', id: player.id }] } })
  expect(answer.faults).toEqual(['VALIDATION-FAILED /data/relationships/oncard/data/0/id'])
  const wrong = await post({}, { oncard: { data: [{ type: 'sets', id: set.id }, { type: 'players' }, null, 1] } })
  expect(wrong.faults).toEqual([
    'VALIDATION-FAILED /data/relationships/oncard/data/0/type',
    'VALIDATION-FAILED /data/relationships/oncard/data/1/id',
    'VALIDATION-FAILED /data/relationships/oncard/data/2',
    'VALIDATION-FAILED /data/relationships/oncard/data/3',
  ])
})

test('a writer refers to what it can see, and to nothing else', async () => {
  const open = await make.set({ status: 'published' })
  const refer = (relationships: object) =>
    app.publishedWriter.post('/v1/cards', aDocument('cards', {}, { ...relationships }))
  expect((await refer({ set: toOne(set) })).faults).toEqual(['VALIDATION-FAILED /data/relationships/set/data/id'])
  expect((await refer({ set: toOne(open), oncard: toMany([player]) })).faults).toEqual([
    'VALIDATION-FAILED /data/relationships/oncard/data/0/id',
  ])
  expect((await refer({ set: toOne(open), attributes: toMany([rookie]) })).status).toBe(201)
  await make.card({ set: open, oncard: [player] })
  expect((await refer({ set: toOne(open), oncard: toMany([player]) })).status).toBe(201)
  const blind = await app.blindWriter.post('/v1/cards', aDocument('cards', {}, { set: toOne(open) }))
  expect(blind.faults).toEqual(['VALIDATION-FAILED /data/relationships/set/data/id'])
})

test('an image that the writer cannot see cannot be a card’s own', async () => {
  const image = await aCardImage(app, await make.card({ set }))
  const open = await make.set({ status: 'published' })
  const document = aDocument('cards', { image_uuid: image.id }, { set: toOne(open) })
  expect((await app.publishedWriter.post('/v1/cards', document)).faults).toEqual([
    'VALIDATION-FAILED /data/attributes/image_uuid',
  ])
  expect((await app.operator.post('/v1/cards', document)).one.attributes.image_uuid).toBe(image.id)
})

test('read-only attributes and relationships are taken and ignored', async () => {
  const readOnly = { name: 'x', has_player: 'maybe', has_team: null, created_at: 1, url: [] }
  const answer = await post(readOnly, { images: 1, children: {}, parent: { data: { type: 'cards', id: 'x' } } })
  expect([answer.status, answer.one.attributes.name, answer.one.attributes.has_player]).toEqual([201, '', false])
})

test('a new card of a published set is published with all that it bears, at once', async () => {
  const open = await make.set({ status: 'published' })
  const bearing = [await make.player(), await make.team(), await make.playerTeam()]
  const seen = () =>
    Promise.all(bearing.map(async ({ attributes }) => (await app.reader.get(pathOf(attributes))).status))
  expect(await seen()).toEqual([404, 404, 404])
  const card = await make.card({ set: open, oncard: bearing })
  expect(await seen()).toEqual([200, 200, 200])
  expect((await app.reader.get(`/v1/cards/${card.id}`)).status).toBe(200)
  await setStatus(app, open, 'draft')
  expect(await seen()).toEqual([404, 404, 404])
})

const pathOf = ({ url }: Record<string, unknown>) => (url as string).slice(testBaseUrl.length)

test('a set counts its cards', async () => {
  const counted = await make.set()
  for (const number of ['1', '2', '3']) await make.card({ set: counted, number })
  expect((await app.operator.get(`/v1/sets/${counted.id}`)).one.attributes.cards_count).toBe(3)
})

test('a card in a deleted set is refused', async () => {
  const gone = await make.set()
  await app.operator.delete(`/v1/sets/${gone.id}`)
  const answer = await app.operator.post('/v1/cards', aDocument('cards', {}, { set: toOne(gone) }))
  expect(answer.faults).toEqual(['VALIDATION-FAILED /data/relationships/set/data/id'])
})

test('deleted players, teams and attributes are refused', async () => {
  const [gonePlayer, goneTeam, gonePair] = [await make.player(), await make.team(), await make.playerTeam()]
  const goneCode = await make.attribute()
  for (const { attributes } of [gonePlayer, goneTeam, gonePair, goneCode])
    expect((await app.operator.delete(pathOf(attributes))).status).toBe(204)
  const answer = await post({}, { oncard: toMany([gonePlayer, goneTeam, gonePair]), attributes: toMany([goneCode]) })
  expect(answer.faults).toHaveLength(4)
})
