import { describe, expect, test } from 'bun:test'
import type { Shown } from '../../../support/answer.ts'
import { testApp } from '../../../support/app.ts'
import { factories } from '../../../support/factories.ts'
import { merging } from '../../../support/merges.ts'

const app = await testApp()
const { operator, reader, db } = app
const make = factories(app)
const { merge, send, undo, everything } = merging(app)

const oncard = async ({ id }: Shown) =>
  ((await operator.get(`/v2/cards/${id}/relationships/oncard`)).many as unknown as { type: string; id: string }[]).map(
    (one) => [one.type, one.id],
  )
const card = async ({ id }: Shown) => (await operator.get(`/v2/cards/${id}`)).one
const nameOf = async (one: Shown) => (await card(one)).attributes.name
const totalOf = async (query: string) => (await operator.get(`/v2/cards?${query}`)).meta.page as { total: number }
describe('POST /internal/merges of players', () => {
  test('everything that names the merged players names the target', async () => {
    const set = await make.set({ status: 'published' })
    const [from, second, into] = [
      await make.player({ first_name: 'Ken', last_name: 'Griffey Jr' }),
      await make.player({ first_name: 'Ken', last_name: 'GRIFFEY JR.' }),
      await make.player({ first_name: 'Ken', last_name: 'Griffey Jr.' }),
    ]
    const team = await make.team({ name: 'Mariners' })
    const pair = await make.playerTeam({ player: from, team })
    const cards = [
      await make.card({ set, number: '1', oncard: [from] }),
      await make.card({
        ...{ set, number: '2', title: 'Stars', serial_number: '7/50' },
        attributes: [await make.attribute({ attribute: 'RC' }), await make.attribute({ attribute: 'AU' })],
        oncard: [pair, await make.player({ first_name: 'Jay', last_name: 'Buhner' })],
      }),
      await make.card({ set, number: '3', oncard: [second, into] }),
    ] as const
    const value = await make.objectAttribute(from)
    const before = await everything()
    const merged = await merge([from, second], into, 'one man')
    expect(merged.attributes).toMatchObject({
      ...{ object_type: 'players', from_ids: [from.id, second.id], into_id: into.id, note: 'one man' },
    })
    expect(await oncard(cards[0])).toEqual([['players', into.id]])
    expect((await oncard(cards[1]))[0]).toEqual(['playerteams', pair.id])
    expect(await oncard(cards[2])).toEqual([['players', into.id]])
    expect(await Promise.all(cards.map(nameOf))).toEqual([
      ...['1 Ken Griffey Jr.', '2 Ken Griffey Jr. / Jay Buhner Stars AU RC 7/50', '3 Ken Griffey Jr.'],
    ] as never)
    expect((await totalOf(`filter[player]=${into.id}`)).total).toBe(3)
    expect((await operator.get(`/v2/player-teams/${pair.id}`)).one.attributes).toMatchObject({
      ...{ player_id: into.id, name: 'Ken Griffey Jr. (Mariners)' },
    })
    expect((await operator.get(`/v2/object-attributes/${value.id}`)).one.attributes.object_id).toBe(into.id)
    expect((await operator.get(`/v1/players/${from.id}`)).status).toBe(301)
    const [row] = await db.sql`select aliases from players where id = ${into.id}`
    expect(row?.aliases).toBe('Ken Griffey Jr\nKen GRIFFEY JR.')
    expect((await undo(merged)).status).toBe(204)
    expect(await everything()).toBe(before)
  })

  test('of player-teams and values that become equal the older stays, and the newer id of a player-team redirects', async () => {
    const [from, into, team] = [await make.player(), await make.player(), await make.team()]
    const older = await make.playerTeam({ player: from, team })
    const newer = await make.playerTeam({ player: into, team })
    const attribute = await make.attribute()
    const kept = await make.objectAttribute(into, { attribute_id: attribute.id, attribute_value: 'first' })
    const gone = await make.objectAttribute(from, { attribute_id: attribute.id, attribute_value: 'second' })
    const one = await make.card({ oncard: [newer] })
    const both = await make.card({ oncard: [into, older] })
    const before = await everything()
    const merged = await merge([from], into)
    expect(await oncard(one)).toEqual([['playerteams', older.id]])
    expect(await oncard(both)).toEqual([['playerteams', older.id]])
    const moved = await operator.get(`/v2/player-teams/${newer.id}`)
    expect([moved.status, moved.headers.get('location')]).toEqual([301, expect.stringContaining(older.id)] as never)
    expect((await operator.get(`/v2/object-attributes/${kept.id}`)).status).toBe(200)
    expect((await operator.get(`/v2/object-attributes/${gone.id}`)).status).toBe(404)
    expect((await undo(merged)).status).toBe(204)
    expect(await everything()).toBe(before)
    expect((await operator.get(`/v2/player-teams/${newer.id}`)).status).toBe(200)
  })

  test('a target that nothing published named is shown with what it gets', async () => {
    const [from, into] = [await make.player(), await make.player()]
    await make.card({ set: await make.set({ status: 'published' }), oncard: [from] })
    expect((await reader.get(`/v2/players/${into.id}`)).status).toBe(404)
    await merge([from], into)
    expect((await reader.get(`/v2/players/${into.id}`)).status).toBe(200)
    expect((await reader.get(`/v2/players/${from.id}`)).status).toBe(301)
  })

  test('teams: a card keeps a team beside each of its players', async () => {
    const [from, into] = [await make.team({ name: 'St Louis' }), await make.team({ name: 'St. Louis' })]
    const [one, other] = [await make.player(), await make.player()]
    const pairs = [
      await make.playerTeam({ player: one, team: from }),
      await make.playerTeam({ player: other, team: into }),
      await make.playerTeam({ player: one, team: into }),
    ] as const
    const card = await make.card({ oncard: [pairs[0], pairs[1]] })
    const twice = await make.card({ oncard: [from, into] })
    const before = await everything()
    const merged = await merge([from], into)
    expect(await oncard(card)).toEqual([
      ['playerteams', pairs[0].id],
      ['playerteams', pairs[1].id],
    ])
    expect(await oncard(twice)).toEqual([['teams', into.id]])
    expect((await operator.get(`/v2/player-teams/${pairs[2].id}`)).status).toBe(301)
    await undo(merged)
    expect(await everything()).toBe(before)
  })

  test('what cannot be merged is a 422 at its place', async () => {
    const [player, team, gone] = [await make.player(), await make.team(), await make.player()]
    await operator.delete(`/v1/players/${gone.id}`)
    const refused = async (from_ids: string[], into_id: string) => {
      const answer = await send({ object_type: 'players', from_ids, into_id })
      return [answer.status, ...answer.faults.map((fault) => fault.split(' ')[1])]
    }
    expect(await refused([team.id, gone.id], player.id)).toEqual([422, '/from_ids/0', '/from_ids/1'])
    expect(await refused([player.id], team.id)).toEqual([422, '/into_id'])
    expect(await refused([player.id], player.id)).toEqual([422, '/from_ids/0'])
    expect(await refused([], player.id)).toEqual([422, '/from_ids'])
    const other = await make.player()
    await merge([player], other)
    expect(await refused([other.id], player.id)).toEqual([422, '/into_id'])
  })
})

describe('DELETE /internal/merges/{id}', () => {
  test('is a 409 that names what was changed since, or the later merge', async () => {
    const [from, into, third] = [await make.player(), await make.player(), await make.player()]
    const card = await make.card({ oncard: [from] })
    const merged = await merge([from], into)
    const later = await merge([into], third)
    const waits = await undo(merged)
    expect([waits.status, waits.text]).toEqual([409, expect.stringContaining(later.id)] as never)
    expect((await undo(later)).status).toBe(204)
    await operator.patch(`/v1/cards/${card.id}`, {
      data: { type: 'cards', id: card.id, attributes: { notes: 'seen' } },
    })
    const changed = await undo(merged)
    expect([changed.status, changed.text]).toEqual([409, expect.stringContaining(card.id)] as never)
    expect((await undo({ ...merged, id: 'd0000000-0000-4000-8000-000000000000' })).status).toBe(404)
  })

  test('chains come apart in their order, and what was written beside stays', async () => {
    const [from, into, third] = [await make.player(), await make.player(), await make.player()]
    const card = await make.card({ oncard: [from] })
    const before = await everything()
    const [first, second] = [await merge([from], into), await merge([into], third)]
    expect((await operator.get(`/v2/players/${from.id}/cards`)).headers.get('location')).toContain(third.id)
    expect([(await undo(second)).status, (await undo(first)).status]).toEqual([204, 204])
    expect(await everything()).toBe(before)
    expect(await oncard(card)).toEqual([['players', from.id]])
    expect((await undo(first)).status).toBe(409)
  })
})

const of = async (query: string) => (await operator.get(`/internal/merges?${query}`)).many.map(({ id }) => id)

test('a record that was merged itself stands for its target where merges are listed', async () => {
  const [from, into, third] = [await make.team(), await make.team(), await make.team()]
  const [first, second] = [await merge([from], into), await merge([into], third)]
  for (const { id } of [from, into, third]) expect(await of(`filter[into_id]=${id}`)).toEqual([second.id, first.id])
  await undo(second)
  expect(await of(`filter[into_id]=${into.id}`)).toEqual([first.id])
  expect(await of(`filter[into_id]=${third.id}`)).toEqual([])
})

test('GET /internal/merges lists them, the newest first', async () => {
  const [from, into] = [await make.team(), await make.team()]
  const merged = await merge([from], into)
  expect(await of(`filter[into_id]=${into.id}`)).toEqual([merged.id])
  expect((await of('filter[object_type]=teams'))[0]).toBe(merged.id)
  expect((await operator.get(`/internal/merges/${merged.id}`)).one.attributes.into_id).toBe(into.id)
  await undo(merged)
  expect(await of(`filter[into_id]=${into.id}`)).toEqual([])
  const { many } = await operator.get(`/internal/audit-logs?filter[auditable_id]=${into.id}`)
  expect(many.map(({ attributes }) => attributes.event_type)).toEqual([
    'merge.undone',
    'records.merged',
    'team.created',
  ] as never)
})
