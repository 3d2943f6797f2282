import { expect, test } from 'bun:test'
import type { Shown } from '../../../support/answer.ts'
import { testApp } from '../../../support/app.ts'
import { aDocument, factories, toMany } from '../../../support/factories.ts'

const app = await testApp()
const make = factories(app)
const post = (player: { id: string }, team: { id: string }, caller = app.operator) =>
  caller.post('/v1/player-teams', aDocument('playerteams', { player_id: player.id, team_id: team.id }))
const patch = (pair: Shown, attributes: object, caller = app.operator) =>
  caller.patch(`/v1/player-teams/${pair.id}`, aDocument('playerteams', { ...attributes }, {}, pair.id))
const remove = ({ id }: Shown) => app.operator.delete(`/v1/player-teams/${id}`)

test('a player-team is named for its player and team', async () => {
  const [player, team] = [await make.player({ first_name: 'A', last_name: 'B' }), await make.team({ name: 'C' })]
  const { one } = await post(player, team)
  expect([one.attributes.name, one.attributes.player_id, one.attributes.team_id]).toEqual([
    'A B (C)',
    player.id,
    team.id,
  ])
  expect(one.relationships as object).toEqual({
    player: { data: { type: 'players', id: player.id } },
    team: { data: { type: 'teams', id: team.id } },
  })
})

test('a live pair posted again answers 409', async () => {
  const [player, team] = [await make.player(), await make.team()]
  expect([(await post(player, team)).status, (await post(player, team)).status]).toEqual([201, 409])
})

test('a soft-deleted pair posted again is restored: 201, the same row, with the names of now', async () => {
  const [player, team] = [await make.player(), await make.team()]
  const pair = await make.playerTeam({ player, team })
  expect([(await remove(pair)).status, (await remove(pair)).status]).toEqual([204, 404])
  expect((await app.operator.get(`/v1/player-teams?filter[player_id]=${player.id}`)).meta.total).toBe(0)
  await app.operator.patch(`/v1/teams/${team.id}`, aDocument('teams', { name: 'Renamed' }, {}, team.id))
  app.clock.offsetSeconds += 5
  const again = await post(player, team)
  expect([again.status, again.one.id]).toEqual([201, pair.id])
  expect(again.one.attributes.name).toBe(`${player.attributes.name} (Renamed)`)
  expect(again.one.attributes.created_at).toBe(pair.attributes.created_at as string)
  expect((await app.operator.get(`/v1/player-teams/${pair.id}`)).status).toBe(200)
  expect((await app.operator.get(`/v1/player-teams?filter[player_id]=${player.id}`)).meta.total).toBe(1)
})

test('players and teams that do not exist, are deleted or hidden are faults at their fields', async () => {
  const [gone, hidden] = [await make.player(), await make.team()]
  await app.operator.delete(`/v1/players/${gone.id}`)
  const faults = ['VALIDATION-FAILED /data/attributes/player_id', 'VALIDATION-FAILED /data/attributes/team_id']
  expect((await post({ id: crypto.randomUUID() }, { id: crypto.randomUUID() })).faults).toEqual(faults)
  expect((await post(gone, hidden, app.publishedWriter)).faults).toEqual(faults)
  expect((await post(hidden, gone)).faults).toEqual(faults)
})

test('another player or team changes names, cards and lists with it', async () => {
  const [before, after] = [await make.player(), await make.player({ first_name: 'New', last_name: 'Man' })]
  const team = await make.team({ name: 'C' })
  const pair = await make.playerTeam({ player: before, team })
  const card = await make.card({ number: '1', oncard: [pair] })
  expect((await patch(pair, { player_id: after.id })).one.attributes.name).toBe('New Man (C)')
  expect((await app.operator.get(`/v1/cards/${card.id}`)).one.attributes.name).toBe('1 New Man')
  const cardsOf = async ({ id }: Shown) => (await app.operator.get(`/v1/players/${id}/cards`)).meta.total
  expect([await cardsOf(before), await cardsOf(after)]).toEqual([0, 1])
  expect((await app.operator.delete(`/v1/players/${before.id}`)).status).toBe(204)
})

test('a change to a pair that exists answers 409, deleted or not', async () => {
  const [player, other, team] = [await make.player(), await make.player(), await make.team()]
  const [pair, taken] = [await make.playerTeam({ player, team }), await make.playerTeam({ player: other, team })]
  expect((await patch(pair, { player_id: other.id })).status).toBe(409)
  expect((await app.operator.get(`/v1/player-teams/${pair.id}`)).one).toEqual(pair)
  expect((await patch(pair, { player_id: player.id, team_id: team.id })).one).toEqual(pair)
  await remove(taken)
  expect((await patch(pair, { player_id: other.id })).document.errors).toMatchObject([
    { status: '409', detail: expect.stringContaining('create it again to restore it') },
  ])
})

test('a change to what the writer cannot see is refused, and a hidden pair is 404', async () => {
  const set = await make.set({ status: 'published' })
  const [pair, hidden] = [await make.playerTeam(), await make.player()]
  expect((await patch(pair, {}, app.publishedWriter)).status).toBe(404)
  await make.card({ set, oncard: [pair] })
  expect((await patch(pair, { player_id: hidden.id }, app.publishedWriter)).faults).toEqual([
    'VALIDATION-FAILED /data/attributes/player_id',
  ])
})

test('a hidden player or team is null, as a deleted one is', async () => {
  const [player, team] = [await make.player(), await make.team()]
  const pair = await make.playerTeam({ player, team })
  await app.operator.delete(`/v1/teams/${team.id}`)
  const { one, included } = await app.operator.get(`/v1/player-teams/${pair.id}?include=player,team`)
  expect([one.relationships.team?.data, one.attributes.team_id, included.length]).toEqual([null, null as never, 1])
  expect(
    (
      await app.operator.post(
        '/v1/cards',
        aDocument('cards', {}, { set: { data: { type: 'sets', id: (await make.set()).id } }, oncard: toMany([pair]) }),
      )
    ).status,
  ).toBe(422)
})

test('a soft-deleted pair whose player is gone is not restored', async () => {
  const [player, team] = [await make.player(), await make.team()]
  await remove(await make.playerTeam({ player, team }))
  await app.operator.delete(`/v1/players/${player.id}`)
  expect((await post(player, team)).faults).toEqual(['VALIDATION-FAILED /data/attributes/player_id'])
})

test('PUT answers 405', async () => {
  const pair = await make.playerTeam()
  const answer = await app.operator.send('PUT', `/v1/player-teams/${pair.id}`, { body: '{}' })
  expect([answer.status, answer.faults]).toEqual([405, ['METHOD_NOT_ALLOWED']])
  expect(answer.headers.get('allow')).toContain('PATCH')
})
