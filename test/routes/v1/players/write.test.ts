import { expect, test } from 'bun:test'
import type { Shown } from '../../../support/answer.ts'
import { testApp } from '../../../support/app.ts'
import { aDocument, factories, toMany } from '../../../support/factories.ts'

const app = await testApp()
const make = factories(app)
const post = (attributes: object) => app.operator.post('/v1/players', aDocument('players', { ...attributes }))
const patch = (player: Shown, attributes: object) =>
  app.operator.patch(`/v1/players/${player.id}`, aDocument('players', { ...attributes }, {}, player.id))
const namesOf = ({ attributes }: Shown) => [attributes.first_name, attributes.last_name, attributes.name]

test.each([
  ['Michael Jordan', 'Michael', 'Jordan'],
  ['Ken Griffey Jr.', 'Ken', 'Griffey Jr.'],
  ['Ken Griffey Sr.', 'Ken', 'Griffey Sr.'],
  ['Robert Griffin III', 'Robert', 'Griffin III'],
  ['Ichiro', '', 'Ichiro'],
  ['Juan Carlos de la Cruz', 'Juan Carlos de la', 'Cruz'],
  ['  Larry   Bird ', 'Larry', 'Bird'],
  ['Griffey Jr.', '', 'Griffey Jr.'],
])('full_name %p is split', async (full, first, last) => {
  expect(namesOf((await post({ full_name: full })).one)).toEqual([first, last, first ? `${first} ${last}` : last])
})

test('full_name beside a first or last name is refused, at its pointer, with what else is wrong', async () => {
  const refused = ['VALIDATION-FAILED /data/attributes/full_name']
  for (const names of [{ first_name: 'A', last_name: 'B' }, { first_name: 'A' }, { last_name: 'B' }, { last_name: '' }])
    for (const version of ['/v1', '/v2']) {
      const answer = await app.operator.post(`${version}/players`, aDocument('players', { ...names, full_name: 'C D' }))
      expect([answer.status, answer.faults]).toEqual([422, refused])
    }
  expect((await post({ first_name: 'A', full_name: 'C D', position: 5 })).faults).toEqual([
    'VALIDATION-FAILED /data/attributes/position',
    ...refused,
  ])
})

test('full_name in a PATCH is refused, at its pointer', async () => {
  const player = await make.player()
  expect((await patch(player, { full_name: 'C D' })).faults).toEqual(['VALIDATION-FAILED /data/attributes/full_name'])
  expect((await patch(player, { full_name: 'C D', position: 5 })).faults.toSorted()).toEqual([
    'VALIDATION-FAILED /data/attributes/full_name',
    'VALIDATION-FAILED /data/attributes/position',
  ])
  expect((await patch(player, { ...player.attributes })).status).toBe(200)
})

test('one of the names is enough', async () => {
  expect(namesOf((await post({ last_name: 'Bird' })).one)).toEqual(['', 'Bird', 'Bird'])
  expect(namesOf((await post({ first_name: 'Larry' })).one)).toEqual(['Larry', '', 'Larry'])
})

test.each([
  [{}],
  [{ first_name: '' }],
  [{ first_name: '', last_name: '' }],
  [{ full_name: '' }],
  [{ full_name: ' ' }],
  [{ position: 'C' }],
  [{ first_name: ' ', last_name: ' ' }],
])('no name at all is refused: %p', async (attributes) => {
  const answer = await post(attributes)
  expect([answer.status, answer.faults.length]).toEqual([422, 1])
})

test('a full name is refused where a part of it is longer than a first or last name may be', async () => {
  const [part, tooLong] = ['x'.repeat(255), 'x'.repeat(256)]
  expect(namesOf((await post({ full_name: `A ${part}` })).one)[1]).toBe(part)
  for (const full_name of [tooLong, `A ${tooLong}`, `${tooLong} B`])
    expect((await post({ full_name })).faults).toEqual(['VALIDATION-FAILED /data/attributes/full_name'])
})

test('null is no name, but it is a position', async () => {
  expect((await post({ first_name: null, last_name: 'A' })).faults).toEqual([
    'VALIDATION-FAILED /data/attributes/first_name',
  ])
  expect((await post({ full_name: null })).faults).toEqual(['VALIDATION-FAILED /data/attributes/full_name'])
  expect((await post({ last_name: 'A', position: null })).one.attributes.position).toBeNull()
})

test('name is taken and ignored', async () => {
  const { one } = await post({ last_name: 'A', name: 'B' })
  expect(namesOf(one)).toEqual(['', 'A', 'A'])
  expect(namesOf((await patch(one, { name: 'C' })).one)).toEqual(['', 'A', 'A'])
})

test('an update cannot take the last name that a player has', async () => {
  const { one } = await post({ last_name: 'A' })
  expect((await patch(one, { last_name: '' })).status).toBe(422)
  expect((await patch(one, { last_name: '', first_name: 'B' })).one.attributes.name).toBe('B')
})

test('two players may have one name', async () => {
  expect([(await post({ last_name: 'Smith' })).status, (await post({ last_name: 'Smith' })).status]).toEqual([201, 201])
})

test('a renamed player renames their cards and player-teams, and nothing else', async () => {
  const [player, bystander] = [await make.player(), await make.player()]
  const team = await make.team({ name: 'Bulls' })
  const playerTeam = await make.playerTeam({ player, team })
  const set = await make.set()
  const cards = [
    await make.card({ set, number: '1', oncard: [player] }),
    await make.card({ set, number: '2', oncard: [bystander, playerTeam] }),
    await make.card({ set, number: '3', oncard: [bystander] }),
  ]
  app.clock.offsetSeconds += 5
  await patch(player, { first_name: 'Air', last_name: 'Jordan' })
  const shown = (await app.operator.get(`/v1/cards?filter[set_id]=${set.id}`)).many
  const other = bystander.attributes.name
  expect(shown.map(({ attributes }) => attributes.name as string)).toEqual([
    '1 Air Jordan',
    `2 ${other} / Air Jordan`,
    `3 ${other}`,
  ])
  expect(shown[2]).toEqual(cards[2] as Shown)
  expect(shown[0]?.attributes.updated_at).not.toBe(cards[0]?.attributes.updated_at as string)
  expect((await app.operator.get(`/v1/player-teams/${playerTeam.id}`)).one.attributes.name).toBe('Air Jordan (Bulls)')
  expect((await app.operator.get('/v1/cards?filter[name]=1 Air Jordan')).meta.total).toBe(1)
  expect((await app.operator.get(`/v1/cards?filter[name]=${cards[0]?.attributes.name}`)).meta.total).toBe(0)
})

test('a change of position renames nothing', async () => {
  const player = await make.player()
  const card = await make.card({ oncard: [player] })
  app.clock.offsetSeconds += 5
  expect((await patch(player, { position: 'SG' })).one.attributes.position).toBe('SG')
  expect((await app.operator.get(`/v1/cards/${card.id}`)).one).toEqual(card)
})

test('a player whom a live card bears answers 409 to DELETE, directly or with a team', async () => {
  const [direct, withTeam] = [await make.player(), await make.player()]
  const card = await make.card({ oncard: [direct, await make.playerTeam({ player: withTeam })] })
  for (const player of [direct, withTeam])
    expect((await app.operator.delete(`/v1/players/${player.id}`)).status).toBe(409)
  await app.operator.delete(`/v1/cards/${card.id}`)
  for (const player of [direct, withTeam])
    expect((await app.operator.delete(`/v1/players/${player.id}`)).status).toBe(204)
})

test('a deleted player is gone, their player-teams show null, their object attributes are gone', async () => {
  const player = await make.player()
  const playerTeam = await make.playerTeam({ player })
  const value = await make.objectAttribute(player)
  expect((await app.operator.delete(`/v1/players/${player.id}`)).status).toBe(204)
  expect((await app.operator.get(`/v1/players/${player.id}`)).status).toBe(404)
  expect((await app.operator.get(`/v1/object-attributes/${value.id}`)).status).toBe(404)
  const { one, included } = await app.operator.get(`/v1/player-teams/${playerTeam.id}?include=player,team`)
  expect([one.relationships.player?.data, one.attributes.player_id, included.length]).toEqual([null, null as never, 1])
})

test('a name that more than 50,000 live cards bear is not changed here, everything else is', async () => {
  const [player, card] = [await make.player(), await make.card()]
  await app.operator.patch(`/v1/cards/${card.id}`, aDocument('cards', {}, { oncard: toMany([player]) }, card.id))
  const pretend = (cards: number) =>
    app.db.sql`update tallies set live = live + ${cards}::int where list = 2 and id = ${player.id}`
  await pretend(50_000)
  const refused = await patch(player, { last_name: 'Renamed' })
  expect([refused.status, refused.faults]).toEqual([409, ['CONFLICT']])
  expect(refused.text).toContain('50,001')
  expect((await patch(player, { position: 'C' })).status).toBe(200)
  await pretend(-1)
  expect((await patch(player, { last_name: 'Renamed' })).status).toBe(200)
  await pretend(-49_999)
})
