import { expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'
import { aDocument, aName, factories } from '../../../support/factories.ts'

const app = await testApp()
const { operator } = app
const make = factories(app)

/** A document whose data has a type in another spelling. */
const spelled = (type: string, attributes: object, relationships = {}, id?: string) =>
  aDocument(type, { ...attributes }, relationships, id)

test('a type is known without its case, - and _, and shown as always', async () => {
  const set = await make.set()
  const card = await make.card({ set })
  const attached = { attribute_value: '9.5', object_type: 'card', object_id: card.id }
  for (const type of ['objectAttributes', 'OBJECT_ATTRIBUTES', 'object-attributes']) {
    const code = await make.attribute()
    const { status, one } = await operator.post(
      '/v1/object-attributes',
      spelled(type, { ...attached, attribute_id: code.id }),
    )
    expect([status, one.type]).toEqual([201, 'object-attributes'])
    const changed = await operator.patch(
      `/v1/object-attributes/${one.id}`,
      spelled(type, { attribute_value: '10' }, {}, one.id),
    )
    expect([changed.status, changed.one.type, changed.one.attributes.attribute_value]).toEqual([
      ...[200, 'object-attributes', '10'],
    ])
  }
  const [player, team] = [await make.player(), await make.team()]
  const pair = { player_id: player.id, team_id: team.id }
  expect((await operator.post('/v1/player-teams', spelled('player-teams', pair))).one.type).toBe('playerteams')
  const entry = await operator.post('/internal/audit-logs', spelled('audit-logs', { event_type: 'x' }))
  expect([entry.status, entry.one.type]).toEqual([201, 'audit_logs'])
  const other = await operator.post('/v1/object-attributes', spelled('object attributes', attached))
  expect(other.faults).toEqual(['CONFLICT /data/type'])
})

test('types of identifiers are known in the same way, and are checked as always', async () => {
  const [set, player, code] = [await make.set(), await make.player(), await make.attribute()]
  const pair = await make.playerTeam({ player })
  const relationships = {
    set: { data: { type: 'Sets', id: set.id } },
    oncard: { data: [{ type: 'player-teams', id: pair.id }] },
    attributes: { data: [{ type: 'ATTRIBUTES', id: code.id }] },
  }
  const { status, one } = await operator.post('/v1/cards', spelled('Cards', { number: '1' }, relationships))
  expect(status).toBe(201)
  expect(one.relationships.set?.data as object).toEqual({ type: 'sets', id: set.id })
  expect(one.relationships.oncard?.data as object[]).toEqual([{ type: 'playerteams', id: pair.id }])
  const missing = { set: { data: { type: 'SETS', id: crypto.randomUUID() } } }
  expect((await operator.post('/v1/cards', spelled('cards', { number: '2' }, missing))).faults).toEqual([
    'VALIDATION-FAILED /data/relationships/set/data/id',
  ])
  const wrong = { set: { data: { type: 'set', id: set.id } } }
  expect((await operator.post('/v1/cards', spelled('cards', { number: '2' }, wrong))).faults).toEqual([
    'VALIDATION-FAILED /data/relationships/set/data/type',
  ])
})

test('operations and collections of /v2 know the same spellings, local ids included', async () => {
  const set = await make.set()
  const json = { 'Content-Type': 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"' }
  const operations = [
    { op: 'add', data: { type: 'Players', lid: 'a', attributes: { full_name: aName('player') } } },
    {
      op: 'add',
      data: {
        type: 'CARDS',
        attributes: { number: '7' },
        relationships: {
          set: { data: { type: 'sets', id: set.id } },
          oncard: { data: [{ type: 'players', lid: 'a' }] },
        },
      },
    },
  ]
  const done = await operator.post('/v2/operations', { 'atomic:operations': operations }, json)
  expect(done.status).toBe(200)
  const [player, card] = JSON.parse(done.text)['atomic:results'].map(({ data }: { data: object }) => data)
  expect([player.type, card.type]).toEqual(['players', 'cards'])
  expect(card.relationships.oncard.data).toEqual([{ type: 'players', id: player.id }])
  const ref = { type: 'Card-s', id: card.id }
  const removed = await operator.post('/v2/operations', { 'atomic:operations': [{ op: 'remove', ref }] }, json)
  expect(removed.status).toBe(200)
  const found = await operator.post('/v2/cards/collection', {
    data: [{ type: 'Cards', set_id: set.id, number: '7' }],
  })
  expect(found.status).toBe(200)
})

test('a part data of an upload and a flat body in a document know them, too', async () => {
  const [one, other] = [await make.player(), await make.player()]
  const attributes = { object_type: 'players', ids: [one.id, other.id] }
  const { status } = await operator.post('/internal/duplicates/dismissals', {
    data: { type: 'duplicate-dismissals', attributes },
  })
  expect(status).toBe(201)
})
