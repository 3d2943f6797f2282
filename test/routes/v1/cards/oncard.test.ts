import { expect, test } from 'bun:test'
import type { Shown } from '../../../support/answer.ts'
import { testApp } from '../../../support/app.ts'
import { aDocument, factories, toMany, toOne } from '../../../support/factories.ts'
import { runJobs } from '../../../support/jobs.ts'

const app = await testApp()
const { operator } = app
const make = factories(app)
const set = await make.set()
const player = await make.player({ first_name: 'Ann', last_name: 'Lee' })
const team = await make.team({ name: 'Tigers' })
const pair = await make.playerTeam({ player, team })

const entriesOf = (card: Shown) => card.relationships.oncard?.data as unknown
const read = async (id: string) => (await operator.get(`/v1/cards/${id}`)).one
const nobody = () => ({ type: 'players', id: crypto.randomUUID() })
const post = (oncard: Pick<Shown, 'type' | 'id'>[]) =>
  operator.post('/v1/cards', aDocument('cards', { number: '1' }, { set: toOne(set), oncard: toMany(oncard) }))

test('an entry that is named twice is on a card once, where it was named first', async () => {
  const { one } = await post([player, team, player, pair, team, pair])
  expect(entriesOf(one)).toEqual(toMany([player, team, pair]).data)
  expect(one.attributes.name).toBe('1 Ann Lee / Tigers / Ann Lee')
})

test('naming an entry of a card again changes nothing', async () => {
  const card = await make.card({ set, oncard: [player, team] })
  const { one } = await operator.patch(
    `/v1/cards/${card.id}`,
    aDocument('cards', {}, { oncard: toMany([player, team, player]) }, card.id),
  )
  expect(one).toEqual(card)
  expect((await operator.get(`/v2/cards/${card.id}/revisions`)).many).toEqual([])
})

test('a fault behind an entry that is named twice stands where it was sent', async () => {
  expect((await post([player, player, nobody(), team, nobody()])).faults).toEqual([
    'VALIDATION-FAILED /data/relationships/oncard/data/2/id',
    'VALIDATION-FAILED /data/relationships/oncard/data/4/id',
  ])
  const card = await make.card({ set, oncard: [player] })
  const asTeam = toMany([{ type: 'teams', id: player.id }, player])
  expect(
    (await operator.patch(`/v1/cards/${card.id}`, aDocument('cards', {}, { oncard: asTeam }, card.id))).faults,
  ).toEqual(['VALIDATION-FAILED /data/relationships/oncard/data/0/id'])
})

test('relationships, operations, batches and imports agree', async () => {
  const twice = toMany([player, team, player])
  const once = toMany([player, team]).data

  const { id } = await make.card({ set })
  const replaced = await operator.patch(`/v2/cards/${id}/relationships/oncard`, twice)
  expect(replaced.document.data as unknown).toEqual(once)

  const operation = {
    op: 'add',
    data: { type: 'cards', attributes: {}, relationships: { set: toOne(set), oncard: twice } },
  }
  const atomic = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'
  const operated = await operator.post(
    '/v2/operations',
    { 'atomic:operations': [operation] },
    { 'Content-Type': atomic },
  )
  const results = operated.document as unknown as { 'atomic:results': { data: Shown }[] }
  expect(results['atomic:results'].map(({ data }) => entriesOf(data))).toEqual([once])

  const row = { type: 'cards', id: crypto.randomUUID(), relationships: { set: toOne(set), oncard: twice } }
  expect((await operator.post('/internal/card-batches', { data: [row] })).status).toBe(200)
  expect(entriesOf(await read(row.id))).toEqual(once)

  const file = 'set,year,genre,number,player,team\nNamed twice,1990,Baseball,7,Bo Ray|Bo Ray,Rooks|Rooks\n'
  const sent = { body: file, headers: { 'Content-Type': 'text/csv' } }
  expect((await operator.send('POST', '/internal/imports', sent)).status).toBe(202)
  await runJobs(app.context)
  const imported = await operator.get('/v2/cards?filter[number]=7&include=oncard')
  expect(imported.many.map(({ attributes }) => attributes.name)).toEqual(['7 Bo Ray'])
  expect(imported.included.map(({ attributes }) => attributes.name)).toEqual(['Bo Ray (Rooks)'])
})
