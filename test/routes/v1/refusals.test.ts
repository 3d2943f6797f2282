import { expect, test } from 'bun:test'
import { testApp } from '../../support/app.ts'
import { aDocument, factories, toMany, toOne } from '../../support/factories.ts'

const app = await testApp()
const { operator } = app
const make = factories(app)
const [player, team] = [await make.player(), await make.team()]
const set = await make.set()
const unknown = (type: string) => ({ type, id: crypto.randomUUID() })

test.each(['/v1', '/v2'])(
  'one refusal tells all: faulty fields, and references to what is not there (%s)',
  async (version) => {
    const codes = version === '/v1' ? 'attributes' : 'card_attributes'
    const relationships = {
      set: toOne(unknown('sets')),
      oncard: { data: ['x', { type: 'players', id: player.id }, unknown('teams')] },
      [codes]: { data: [unknown('attributes')] },
    }
    const answer = await operator.post(
      `${version}/cards`,
      aDocument('cards', { number: 7, zip: 1, set_id: 'x' }, relationships),
    )
    expect([answer.status, answer.faults.toSorted()]).toEqual([
      422,
      [
        ...['/data/attributes/number', '/data/attributes/set_id', '/data/attributes/zip'],
        `/data/relationships/${codes}/data/0/id`,
        ...['/data/relationships/oncard/data/0', '/data/relationships/oncard/data/2/id'],
        '/data/relationships/set/data/id',
      ].map((pointer) => `VALIDATION-FAILED ${pointer}`),
    ])
  },
)

test('attributes that name a record are references, too', async () => {
  const pair = await operator.post(
    '/v1/player-teams',
    aDocument('playerteams', { player_id: 'x', team_id: unknown('teams').id }),
  )
  expect([pair.status, pair.faults]).toEqual([
    422,
    ['VALIDATION-FAILED /data/attributes/player_id', 'VALIDATION-FAILED /data/attributes/team_id'],
  ])
  const change = { name: 5, genre_id: unknown('genres').id }
  const answer = await operator.patch(`/v1/sets/${set.id}`, aDocument('sets', change, {}, set.id))
  expect(answer.faults).toEqual([
    'VALIDATION-FAILED /data/attributes/name',
    'VALIDATION-FAILED /data/attributes/genre_id',
  ])
})

test('what is good, or borne already, is no fault beside another', async () => {
  const card = await make.card({ set, oncard: [player, team] })
  const relationships = { set: toOne(set), oncard: toMany([player, team]) }
  const answer = await operator.patch(`/v1/cards/${card.id}`, aDocument('cards', { number: 7 }, relationships, card.id))
  expect(answer.faults).toEqual(['VALIDATION-FAILED /data/attributes/number'])
})

test('that a card id is taken is told before what is wrong with the fields', async () => {
  const { id } = await make.card({ set })
  const again = () => operator.post('/v1/cards', aDocument('cards', { number: 7 }, {}, id))
  expect([(await again()).status, (await again()).faults]).toEqual([409, ['CONFLICT /data/id']])
  await operator.delete(`/v1/cards/${id}`)
  expect((await again()).status).toBe(409)
})
