import { expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'
import { factories } from '../../../support/factories.ts'
import { aCardImage, aWorld } from '../../../support/worlds.ts'

const app = await testApp()
const make = factories(app)

test('a deleted card is gone for everyone, and so is all that hangs on it', async () => {
  const world = await aWorld(app, 'published')
  const card = world.cards
  const answer = await app.deleter.delete(`/v1/cards/${card.id}`)
  expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([204, '', null])
  const gone = [
    `cards/${card.id}`,
    `object-attributes/${world['object-attributes'].id}`,
    `card-images/${world.card_images.id}`,
  ]
  for (const path of gone)
    for (const caller of [app.operator, app.reader])
      expect([path, (await caller.get(`/v1/${path}`)).status]).toEqual([path, 404])
  expect((await app.operator.delete(`/v1/cards/${card.id}`)).status).toBe(404)
})

test('a deleted card is in no list and in no count', async () => {
  const set = await make.set({ status: 'published' })
  const [player, code] = [await make.player(), await make.attribute()]
  const card = await make.card({ set, number: '1', oncard: [player], attributes: [code] })
  const image = await aCardImage(app, card)
  const before = (await app.operator.get('/v1/cards')).meta.total as number
  await app.operator.delete(`/v1/cards/${card.id}`)
  expect((await app.operator.get('/v1/cards')).meta.total).toBe(before - 1)
  for (const query of [`filter[set_id]=${set.id}`, `filter[player_id]=${player.id}`, `filter[name]=1`])
    expect((await app.operator.get(`/v1/cards?${query}`)).many.some(({ id }) => id === card.id)).toBe(false)
  expect((await app.operator.get(`/v1/card-images?filter[card_id]=${card.id}`)).meta.total).toBe(0)
  expect((await app.operator.get(`/v1/sets/${set.id}`)).one.attributes.cards_count).toBe(0)
  expect((await app.operator.get(`/v1/card-images/${image.id}`)).status).toBe(404)
})

test('what only a deleted card bore may be deleted, and is hidden from published readers', async () => {
  const set = await make.set({ status: 'published' })
  const [player, team, code] = [await make.player(), await make.team(), await make.attribute()]
  const playerTeam = await make.playerTeam({ player, team })
  const card = await make.card({ set, oncard: [playerTeam], attributes: [code] })
  const pair = `player-teams/${playerTeam.id}`
  const paths = [`players/${player.id}`, `teams/${team.id}`, `attributes/${code.id}`]
  for (const path of paths) expect([path, (await app.operator.delete(`/v1/${path}`)).status]).toEqual([path, 409])
  const { text } = await app.operator.delete(`/v1/players/${player.id}`)
  expect(text).toContain('The player is used by 1 live card and cannot be deleted.')
  await app.operator.delete(`/v1/cards/${card.id}`)
  for (const path of [pair, ...paths.slice(0, 2)]) expect((await app.reader.get(`/v1/${path}`)).status).toBe(404)
  for (const path of [pair, ...paths])
    expect([path, (await app.operator.delete(`/v1/${path}`)).status]).toEqual([path, 204])
})

test('the rest of a set stays as it was', async () => {
  const set = await make.set({ status: 'published' })
  const [a, b, c] = [
    await make.card({ set, number: '1' }),
    await make.card({ set, number: '2' }),
    await make.card({ set, number: '3' }),
  ]
  await app.operator.delete(`/v1/cards/${b.id}`)
  expect((await app.reader.get(`/v1/cards?filter[set_id]=${set.id}`)).many).toEqual([a, c])
})

test('a card that is hidden, unknown or misspelt answers 404', async () => {
  const card = await make.card()
  expect((await app.publishedWriter.delete(`/v1/cards/${card.id}`)).status).toBe(404)
  expect((await app.operator.delete(`/v1/cards/${crypto.randomUUID()}`)).status).toBe(404)
  for (const id of ['x', '1', `${card.id}0`, '%00', '%zz', '..%2fsets'])
    expect([id, (await app.operator.delete(`/v1/cards/${id}`)).status]).toEqual([id, 404])
  expect((await app.operator.get(`/v1/cards/${card.id}`)).status).toBe(200)
})

test('DELETE takes no parameter', async () => {
  const card = await make.card()
  expect((await app.operator.delete(`/v1/cards/${card.id}?force=true`)).faults).toEqual(['INVALID_PARAMETER force'])
  expect((await app.operator.get(`/v1/cards/${card.id}`)).status).toBe(200)
})
