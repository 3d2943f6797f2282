import { expect, test } from 'bun:test'
import { idsOf } from '../../../support/answer.ts'
import { testApp } from '../../../support/app.ts'
import { factories } from '../../../support/factories.ts'

const app = await testApp()
const make = factories(app)

const [jordan, bird] = [await make.player({ first_name: 'Michael', last_name: 'Jordan' }), await make.player()]
const [bulls, celtics] = [await make.team({ name: 'Bulls' }), await make.team()]
const jordanBulls = await make.playerTeam({ player: jordan, team: bulls })
const first = await make.set({ name: 'Z comes first by creation', status: 'published' })
const second = await make.set({ name: 'A comes second', status: 'published' })
const draft = await make.set({ name: 'Between' })

const inSecond = await make.card({ set: second, number: '1', oncard: [jordan, bulls] })
const ten = await make.card({ set: first, number: '10', oncard: [jordanBulls] })
const two = await make.card({ set: first, number: '2', oncard: [jordanBulls, jordan, bulls, bird] })
const rc10 = await make.card({ set: first, number: 'RC-10', oncard: [celtics] })
const rc2 = await make.card({ set: first, number: 'rc-2', oncard: [bird, celtics] })
const without = await make.card({ set: first, title: 'Checklist' })
const hidden = await make.card({ set: draft, number: '1', oncard: [jordanBulls] })
const inOrder = [two, ten, rc2, rc10, without, inSecond]

const names = new Map([...inOrder, hidden].map(({ id, attributes }) => [id, attributes.name]))
const list = async (query: string, caller = app.reader) => {
  const answer = await caller.get(`/v1/cards?${query}`)
  return { total: answer.meta.total as number, cards: idsOf(answer.many).map((id) => names.get(id)) }
}
const these = (...cards: { attributes: Record<string, unknown> }[]) => ({
  total: cards.length,
  cards: cards.map(({ attributes }) => attributes.name as never),
})

test('cards are listed by set in the order of creation, then by number in natural order, those without one last', async () => {
  expect(await list('')).toEqual(these(...inOrder))
  expect(await list('', app.draftReader)).toEqual(these(...inOrder, hidden))
})

test('every page size gives the same order', async () => {
  for (const size of [1, 2, 3, 4, 5, 6, 7]) {
    const pages = Math.ceil(inOrder.length / size)
    const read = await Promise.all(
      Array.from({ length: pages }, (_, index) => app.reader.get(`/v1/cards?per_page=${size}&page=${index + 1}`)),
    )
    expect(read.flatMap(({ many }) => idsOf(many))).toEqual(idsOf(inOrder))
    expect(read.map(({ meta }) => meta.total)).toEqual(read.map(() => inOrder.length))
  }
})

test('filter[set_id] lists a set, and nothing of a hidden one', async () => {
  expect(await list(`filter[set_id]=${first.id}`)).toEqual(these(two, ten, rc2, rc10, without))
  expect(await list(`filter[set_id]=${first.id.toUpperCase()}&per_page=2&page=2`)).toEqual({
    ...these(rc2, rc10),
    total: 5,
  })
  expect(await list(`filter[set_id]=${draft.id}`)).toEqual(these())
  expect(await list(`filter[set_id]=${draft.id}`, app.draftReader)).toEqual(these(hidden))
})

test('filter[player_id] finds who is on a card directly or with a team, each card once', async () => {
  expect(await list(`filter[player_id]=${jordan.id}`)).toEqual(these(two, ten, inSecond))
  expect(await list(`filter[player_id]=${jordan.id}`, app.draftReader)).toEqual(these(two, ten, inSecond, hidden))
  expect(await list(`filter[player_id]=${bird.id}&per_page=1&page=2`)).toEqual({ ...these(rc2), total: 2 })
})

test('filter[team_id] finds a team on a card directly or with a player, each card once', async () => {
  expect(await list(`filter[team_id]=${bulls.id}`)).toEqual(these(two, ten, inSecond))
  expect(await list(`filter[team_id]=${celtics.id}`)).toEqual(these(rc2, rc10))
})

test('filters are and-ed', async () => {
  const [player, team, set] = [
    `filter[player_id]=${bird.id}`,
    `filter[team_id]=${celtics.id}`,
    `filter[set_id]=${first.id}`,
  ]
  expect(await list(`${player}&${team}`)).toEqual(these(rc2))
  expect(await list(`${player}&${set}`)).toEqual(these(two, rc2))
  expect(await list(`${team}&${set}`)).toEqual(these(rc2, rc10))
  expect(await list(`${player}&${team}&${set}`)).toEqual(these(rc2))
  expect(await list(`${player}&filter[set_id]=${second.id}`)).toEqual(these())
  expect(await list(`${player}&filter[name]=${encodeURIComponent(rc2.attributes.name as string)}`)).toEqual(these(rc2))
  expect(await list(`${team}&filter[name]=${encodeURIComponent(two.attributes.name as string)}`)).toEqual(these())
})

test('filter[name] is exact, case included, and refuses like:', async () => {
  expect(await list('filter[name]=10+Michael+Jordan')).toEqual(these(ten))
  expect(await list('filter[name]=10%20Michael%20Jordan')).toEqual(these(ten))
  for (const other of ['10 michael jordan', '10 Michael', '10 Michael Jordan ', '', '%25'])
    expect([other, await list(`filter[name]=${encodeURIComponent(other)}`)]).toEqual([other, these()])
  expect((await app.reader.get('/v1/cards?filter[name]=like:Jordan')).faults).toEqual([
    'INVALID_PARAMETER filter[name]',
  ])
})

test('filter[name] finds hidden cards for readers of drafts alone', async () => {
  const name = `filter[name]=${encodeURIComponent('1 Michael Jordan')}`
  expect(await list(name)).toEqual(these())
  expect(await list(name, app.allReader)).toEqual(these(hidden))
})

test('a filter that wants an id refuses what is none, and is empty for one that nobody has', async () => {
  for (const filter of ['filter[set_id]', 'filter[player_id]', 'filter[team_id]']) {
    for (const value of ['', 'x', `like:${first.id}`, `${first.id},${second.id}`, 'null'])
      expect((await app.reader.get(`/v1/cards?${filter}=${value}`)).faults).toEqual([`INVALID_PARAMETER ${filter}`])
    expect(await list(`${filter}=${crypto.randomUUID()}`)).toEqual(these())
  }
  expect((await app.reader.get('/v1/cards?set_id=x')).faults).toEqual(['INVALID_PARAMETER set_id'])
})

test('the cards of a player or a team are a list like any other', async () => {
  const of = async (path: string, caller = app.reader) => {
    const answer = await caller.get(path)
    return { total: answer.meta.total as number, cards: idsOf(answer.many).map((id) => names.get(id)) }
  }
  expect(await of(`/v1/players/${jordan.id}/cards`)).toEqual(these(two, ten, inSecond))
  expect(await of(`/v1/teams/${bulls.id}/cards`, app.draftReader)).toEqual(these(two, ten, inSecond, hidden))
  expect(await of(`/v1/players/${bird.id}/cards?filter[team_id]=${celtics.id}`)).toEqual(these(rc2))
  expect(await of(`/v1/teams/${celtics.id}/cards?filter[set_id]=${first.id}&per_page=1`)).toEqual({
    ...these(rc2),
    total: 2,
  })
  expect(await of(`/v1/players/${bird.id}/cards?filter[player_id]=${jordan.id}`)).toEqual(these(two))
})

test('the cards of a player who is hidden, unknown or misspelt answer 404', async () => {
  const lonely = await make.player()
  for (const path of ['players', 'teams'])
    for (const id of [crypto.randomUUID(), 'x', '%zz'])
      expect((await app.reader.get(`/v1/${path}/${id}/cards`)).status).toBe(404)
  expect((await app.reader.get(`/v1/players/${lonely.id}/cards`)).status).toBe(404)
  expect((await app.draftReader.get(`/v1/players/${lonely.id}/cards`)).meta).toMatchObject({ total: 0, last_page: 1 })
  expect((await app.reader.get(`/v1/players/${jordan.id}/cards?foo=1`)).faults).toEqual(['INVALID_PARAMETER foo'])
  expect((await app.operator.post(`/v1/players/${jordan.id}/cards`, {})).status).toBe(405)
})

test('includes bring each record once', async () => {
  const answer = await app.reader.get('/v1/cards?include=set,oncard,attributes,children')
  const kinds = answer.included.map(({ type, id }) => `${type} ${id}`)
  expect(new Set(kinds).size).toBe(kinds.length)
  expect(kinds.toSorted()).toEqual(
    [first, second, jordan, bird, bulls, celtics, jordanBulls].map(({ type, id }) => `${type} ${id}`).toSorted(),
  )
  const some = await app.reader.get('/v1/cards?include=set&fields[sets]=name&fields[cards]=number,set')
  expect(some.included.map(({ attributes }) => attributes)).toEqual([
    { name: 'Z comes first by creation' },
    { name: 'A comes second' },
  ])
  expect(some.many.map((card) => [Object.keys(card.attributes), Object.keys(card.relationships)])).toEqual(
    some.many.map(() => [['number'], ['set']]),
  )
})
