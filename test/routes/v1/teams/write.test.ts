import { expect, test } from 'bun:test'
import type { Shown } from '../../../support/answer.ts'
import { testApp } from '../../../support/app.ts'
import { aDocument, factories } from '../../../support/factories.ts'

const app = await testApp()
const make = factories(app)
const patch = (team: Shown, attributes: object) =>
  app.operator.patch(`/v1/teams/${team.id}`, aDocument('teams', { ...attributes }, {}, team.id))
const named = async (query: string) =>
  (await app.draftReader.get(`/v1/teams?${query}`)).many.map(({ attributes }) => attributes.name as string)

test('a team needs a name; location and abbreviation may be null', async () => {
  const team = await make.team({ name: 'Bulls', location: 'Chicago', abbreviation: 'CHI' })
  expect((await patch(team, { location: null, abbreviation: null })).one.attributes).toMatchObject({
    ...{ name: 'Bulls', location: null, abbreviation: null },
  })
  expect((await patch(team, { name: null })).faults).toEqual(['VALIDATION-FAILED /data/attributes/name'])
})

test('two teams may have one name', async () => {
  const [a, b] = [await make.team({ name: 'Giants' }), await make.team({ name: 'Giants' })]
  expect(await named('filter[name]=Giants')).toEqual(['Giants', 'Giants'])
  expect(a.id).not.toBe(b.id)
})

test('filter[name] is exact, or with like: any part without case', async () => {
  await make.team({ name: 'Trail Blazers' })
  expect(await named('filter[name]=trail blazers')).toEqual([])
  expect(await named('filter[name]=like:L BLAZ')).toEqual(['Trail Blazers'])
  expect(await named('filter[name]=like:bl')).toEqual(['Trail Blazers'])
  expect(await named('name=Trail Blazers')).toEqual(['Trail Blazers'])
  expect((await app.draftReader.get('/v1/teams?include=cards')).faults).toHaveLength(1)
})

test('a renamed team renames its cards and player-teams; a card that bears a player-team keeps the player’s name', async () => {
  const [team, player] = [await make.team(), await make.player({ first_name: 'A', last_name: 'B' })]
  const playerTeam = await make.playerTeam({ player, team })
  const set = await make.set()
  await make.card({ set, number: '1', oncard: [team] })
  const second = await make.card({ set, number: '2', oncard: [playerTeam] })
  app.clock.offsetSeconds += 5
  await patch(team, { name: 'New' })
  const [one, two] = (await app.operator.get(`/v1/cards?filter[set_id]=${set.id}`)).many
  expect(one?.attributes.name).toBe('1 New')
  expect(two).toEqual(second)
  expect((await app.operator.get(`/v1/player-teams/${playerTeam.id}`)).one.attributes.name).toBe('A B (New)')
})

test('a team that a live card bears answers 409 to DELETE, directly or with a player', async () => {
  const [direct, withPlayer] = [await make.team(), await make.team()]
  const card = await make.card({ oncard: [direct, await make.playerTeam({ team: withPlayer })] })
  for (const team of [direct, withPlayer]) expect((await app.operator.delete(`/v1/teams/${team.id}`)).status).toBe(409)
  await app.operator.delete(`/v1/cards/${card.id}`)
  for (const team of [direct, withPlayer]) expect((await app.operator.delete(`/v1/teams/${team.id}`)).status).toBe(204)
  expect((await app.operator.delete(`/v1/teams/${direct.id}`)).status).toBe(404)
})

test('a deleted team takes its object attributes out of sight', async () => {
  const team = await make.team()
  const value = await make.objectAttribute(team)
  await app.operator.delete(`/v1/teams/${team.id}`)
  expect((await app.operator.get(`/v1/object-attributes/${value.id}`)).status).toBe(404)
  expect((await app.operator.get(`/v1/object-attributes?filter[object_id]=${team.id}`)).meta.total).toBe(0)
})
