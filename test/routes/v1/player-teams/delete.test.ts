import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { startNumbering } from '../../../../src/catalog/sync/feed/number.ts'
import type { Shown } from '../../../support/answer.ts'
import { testApp } from '../../../support/app.ts'
import { aDocument, factories, toMany } from '../../../support/factories.ts'
import { operate } from '../../../support/storm-of-writers.ts'
import { until } from '../../../support/until.ts'

const app = await testApp()
const { operator, reader } = app
const make = factories(app)
afterAll(startNumbering(app.context))

const remove = ({ id }: Shown) => operator.delete(`/v1/player-teams/${id}`)
const post = (player: Shown, team: Shown) =>
  operator.post('/v1/player-teams', aDocument('playerteams', { player_id: player.id, team_id: team.id }))
const cardNow = async ({ id }: Shown) => (await operator.get(`/v1/cards/${id}`)).one
const oncard = async (card: Shown) =>
  (await cardNow(card)).relationships.oncard?.data as unknown as { type: string; id: string }[]
const patch = (card: Shown, attributes: object, relationships: object = {}) =>
  operator.patch(`/v1/cards/${card.id}`, aDocument('cards', { ...attributes }, { ...relationships }, card.id))
const idsOf = async (path: string) => (await operator.get(path)).many.map(({ id }) => id)
const identified = (...records: Shown[]) => records.map(({ type, id }) => ({ type, id }))

let player: Shown
let team: Shown
let pair: Shown
let set: Shown
let card: Shown
beforeEach(async () => {
  player = await make.player({ first_name: 'Ozzie', last_name: 'Vale' })
  team = await make.team({ name: 'Port City' })
  pair = await make.playerTeam({ player, team })
  set = await make.set({ status: 'published' })
  card = await make.card({ set, number: '7', title: 'Rookie', oncard: [pair] })
})

describe('a player-team that a card shows is deleted', () => {
  test('with 204, and the card keeps the player alone', async () => {
    expect((await remove(pair)).status).toBe(204)
    expect((await operator.get(`/v1/player-teams/${pair.id}`)).status).toBe(404)
    const { attributes } = await cardNow(card)
    expect([attributes.name, attributes.has_player, attributes.has_team]).toEqual(['7 Ozzie Vale Rookie', true, false])
    expect(await oncard(card)).toEqual(identified(player))
  })

  test('and lists, totals, visibility and search follow', async () => {
    expect((await reader.get(`/v1/teams/${team.id}`)).status).toBe(200)
    await remove(pair)
    expect(await idsOf(`/v1/cards?filter[team_id]=${team.id}`)).toEqual([])
    expect(await idsOf(`/v1/cards?filter[player_id]=${player.id}`)).toEqual([card.id])
    expect((await operator.get(`/v1/teams/${team.id}/cards`)).meta.total).toBe(0)
    expect((await operator.get(`/v1/players/${player.id}/cards`)).meta.total).toBe(1)
    expect((await reader.get(`/v1/teams/${team.id}`)).status).toBe(404)
    expect((await reader.get(`/v1/players/${player.id}`)).status).toBe(200)
    expect(await idsOf('/v2/search?q=team:"Port City"')).not.toContain(card.id)
    expect((await operator.delete(`/v1/teams/${team.id}`)).status).toBe(204)
  })

  test('and the feed names the card, and its history says which player-team it was', async () => {
    const allNumbered = () =>
      until(async () => (await app.db.sql`select 1 from changes where no is null limit 1`).length === 0)
    await allNumbered()
    const { links } = await operator.get('/v2/changes?page[after]=now')
    await remove(pair)
    await allNumbered()
    const { many } = await operator.get((links.next as string).replace(app.baseUrl, ''))
    expect(
      many.map(({ attributes, relationships }) => [attributes.action, relationships.resource?.data]),
    ).toContainEqual(['upsert', { type: 'cards', id: card.id }])
    const [revision] = (await operator.get(`/v2/cards/${card.id}/revisions`)).many
    expect(revision?.attributes).toMatchObject({
      cause: 'request',
      cause_id: pair.id,
      changes: { oncard: { before: identified(pair), after: identified(player) } },
    })
  })

  test('once where the player stands on the card twice', async () => {
    const [other, both] = [await make.team(), await make.card({ set, oncard: [player, pair] })]
    const second = await make.playerTeam({ player, team: other })
    const twice = await make.card({ set, oncard: [pair, second] })
    await remove(pair)
    expect(await oncard(both)).toEqual(identified(player))
    expect(await oncard(twice)).toEqual(identified(player, second))
    await remove(second)
    expect(await oncard(twice)).toEqual(identified(player))
    await post(player, other)
    expect(await oncard(twice)).toEqual(identified(player, second))
    await post(player, team)
    expect(await oncard(twice)).toEqual(identified(pair, second))
    expect(await oncard(both)).toEqual(identified(player, pair))
  })

  test('by an operation, and through /v2', async () => {
    const next = await make.playerTeam()
    const shown = await make.card({ set, oncard: [next, pair] })
    const answer = await operate(operator, [
      { op: 'remove', ref: { type: 'playerteams', id: pair.id } },
      { op: 'update', data: { type: 'cards', id: card.id, attributes: { title: 'Second' } } },
    ])
    expect(answer.status).toBe(200)
    expect((await operator.delete(`/v2/player-teams/${next.id}`)).status).toBe(204)
    expect((await oncard(shown)).map(({ type }) => type)).toEqual(['players', 'players'])
    expect((await cardNow(card)).attributes.name).toBe('7 Ozzie Vale Second')
  })

  test('while its set is deleted', async () => {
    await operator.delete(`/v1/sets/${set.id}`)
    expect((await remove(pair)).status).toBe(204)
    const [deletion] = (await operator.get(`/v2/sets/${set.id}/revisions`)).many
    const body = { object_type: 'sets', object_id: set.id, revision: deletion?.id }
    expect((await operator.post('/internal/reverts', body)).status).toBe(201)
    expect(await oncard(card)).toEqual(identified(player))
  })

  test('and a card that was deleted before comes back with the player alone', async () => {
    await operator.delete(`/v1/cards/${card.id}`)
    await remove(pair)
    const [deletion] = (await operator.get(`/v2/cards/${card.id}/revisions`)).many
    const body = { object_type: 'cards', object_id: card.id, revision: deletion?.id }
    expect((await operator.post('/internal/reverts', body)).status).toBe(201)
    expect(await oncard(card)).toEqual(identified(player))
  })
})

describe('a deleted pair posted again', () => {
  test('is the same row, and back on its cards', async () => {
    await remove(pair)
    await patch(card, { title: 'Changed meanwhile' })
    const again = await post(player, team)
    expect([again.status, again.one.id]).toEqual([201, pair.id])
    expect(await oncard(card)).toEqual(identified(pair))
    expect((await cardNow(card)).attributes).toMatchObject({ name: '7 Ozzie Vale Changed meanwhile', has_team: true })
    expect(await idsOf(`/v1/cards?filter[team_id]=${team.id}`)).toEqual([card.id])
    expect((await reader.get(`/v1/player-teams/${pair.id}`)).status).toBe(200)
  })

  test('leaves cards whose entry somebody changed as they are', async () => {
    const [gone, beside, moved] = [
      await make.card({ set, oncard: [pair] }),
      await make.card({ set, oncard: [pair] }),
      await make.card({ set, oncard: [pair] }),
    ]
    const other = await make.player()
    await remove(pair)
    await patch(gone, {}, { oncard: toMany([other]) })
    await patch(gone, {}, { oncard: toMany([player]) })
    await patch(beside, {}, { oncard: toMany([other, player]) })
    await patch(moved, {}, { oncard: toMany([other]) })
    await post(player, team)
    expect(await oncard(gone)).toEqual(identified(player))
    expect(await oncard(beside)).toEqual(identified(other, pair))
    expect(await oncard(moved)).toEqual(identified(other))
  })

  test('is back on the cards of its last deletion alone', async () => {
    await remove(pair)
    await post(player, team)
    await patch(card, {}, { oncard: toMany([player]) })
    const second = await make.card({ set, oncard: [pair] })
    await remove(pair)
    await post(player, team)
    expect(await oncard(card)).toEqual(identified(player))
    expect(await oncard(second)).toEqual(identified(pair))
  })

  test('comes back by a revert, too', async () => {
    await remove(pair)
    const [deletion] = (await operator.get(`/v2/player-teams/${pair.id}/revisions`)).many
    const body = { object_type: 'playerteams', object_id: pair.id, revision: deletion?.id }
    expect((await operator.post('/internal/reverts', body)).status).toBe(201)
    expect(await oncard(card)).toEqual(identified(pair))
  })

  test('comes back after a merge of the player was undone', async () => {
    await remove(pair)
    const into = await make.player()
    const merge = await operator.post('/internal/merges', {
      object_type: 'players',
      from_ids: [player.id],
      into_id: into.id,
    })
    expect(await oncard(card)).toEqual(identified(into))
    await operator.delete(`/internal/merges/${merge.one.id}`)
    await post(player, team)
    expect(await oncard(card)).toEqual(identified(pair))
  })

  test('comes back to a card that is deleted, and to one that moved to another set', async () => {
    const [hidden, other] = [await make.card({ set, oncard: [pair] }), await make.set()]
    await remove(pair)
    await operator.delete(`/v1/cards/${hidden.id}`)
    await patch(card, {}, { set: { data: { type: 'sets', id: other.id } } })
    await post(player, team)
    const [deletion] = (await operator.get(`/v2/cards/${hidden.id}/revisions`)).many.filter(
      ({ attributes }) => 'deleted' in (attributes.changes as object),
    )
    const body = { object_type: 'cards', object_id: hidden.id, revision: deletion?.id }
    expect((await operator.post('/internal/reverts', body)).status).toBe(201)
    expect(await oncard(hidden)).toEqual(identified(pair))
    expect(await oncard(card)).toEqual(identified(pair))
  })
})
