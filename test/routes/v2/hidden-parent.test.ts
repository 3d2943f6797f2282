import { expect, test } from 'bun:test'
import { testApp } from '../../support/app.ts'
import { factories } from '../../support/factories.ts'

const app = await testApp()
const make = factories(app)
const ignoreStatus = { 'X-Cardstock-Ignore-Status': 'true' }

const genre = await make.genre()
const draft = await make.set({ name: 'Draft', genre })
const child = await make.set({ name: 'Child', genre, parent: draft, status: 'published' })
const open = await make.set({ name: 'Open', genre, status: 'published' })
const below = await make.set({ name: 'Below', genre, parent: open, status: 'published' })

const setStatus = async ({ id }: { id: string }, status: string) => {
  const attributes = { status }
  const answer = await app.operator.patch(`/v1/sets/${id}`, { data: { type: 'sets', id, attributes } })
  expect(answer.status).toBe(200)
}

/** The names on a page of sets and its total, which must agree. */
const listed = async (path: string, caller = app.reader, headers: Record<string, string> = {}) => {
  const { status, many, meta } = await caller.get(path, headers)
  const total = meta.total ?? (meta.page as { total?: number } | undefined)?.total
  expect([path, status, total]).toEqual([path, 200, many.length])
  return many.map(({ attributes }) => attributes.name)
}

const lists = (parent: string) => ({
  roots: ['/v1/sets', `/v1/sets?filter[genre]=${genre.id}`, '/v1/sets?order_by=created_at', '/v1/sets?order_by=year'],
  rootsInV2: [
    '/v2/sets?filter[parent][null]=true',
    `/v2/sets?filter[parent][null]=true&filter[genre]=${genre.id}`,
    '/v2/sets?filter[parent][null]=true&filter[status]=published&sort=updated_at',
    '/v2/sets?filter[parent][null]=true&filter[kind]=base,insert',
  ],
  children: [`/v1/sets?filter[parent_id]=${parent}`, `/v2/sets?filter[parent]=${parent}`],
  withParent: ['/v2/sets?filter[parent][null]=false'],
  notBelowIt: [`/v2/sets?filter[parent][ne]=${parent}`],
})

const sorted = (names: unknown[]) => names.map(String).toSorted()

test('to those who cannot see its parent, a set is a root set in every list', async () => {
  const seen = lists(draft.id)
  for (const path of [...seen.roots, ...seen.rootsInV2]) expect(sorted(await listed(path))).toEqual(['Child', 'Open'])
  for (const path of seen.children) expect(await listed(path)).toEqual([])
  for (const path of seen.withParent) expect(await listed(path)).toEqual(['Below'])
  for (const path of seen.notBelowIt) expect(sorted(await listed(path))).toEqual(['Below', 'Child', 'Open'])
  expect(await listed(`/v2/sets?filter[parent]=${draft.id},${open.id}`)).toEqual(['Below'])
  expect((await app.reader.get(`/v2/sets/${draft.id}/children`)).status).toBe(404)
})

test('to those who see its parent, it is its child in every list', async () => {
  const seen = lists(draft.id)
  const operator = (path: string) => listed(path, app.operator, ignoreStatus)
  for (const path of seen.roots) expect(sorted(await operator(path))).toEqual(['Draft', 'Open'])
  expect(sorted(await operator('/v2/sets?filter[parent][null]=true'))).toEqual(['Draft', 'Open'])
  expect(await operator('/v2/sets?filter[parent][null]=true&filter[status]=published')).toEqual(['Open'])
  for (const path of seen.children) expect(await operator(path)).toEqual(['Child'])
  expect(sorted(await operator('/v2/sets?filter[parent][null]=false'))).toEqual(['Below', 'Child'])
  expect(sorted(await operator(`/v2/sets?filter[parent][ne]=${draft.id}`))).toEqual(['Below', 'Draft', 'Open'])
})

test('publishing, unpublishing and moving keep the lists right', async () => {
  await setStatus(draft, 'published')
  expect(sorted(await listed('/v1/sets'))).toEqual(['Draft', 'Open'])
  expect(await listed(`/v1/sets?filter[parent_id]=${draft.id}`)).toEqual(['Child'])
  await setStatus(open, 'draft')
  expect(sorted(await listed('/v1/sets'))).toEqual(['Below', 'Draft'])
  await setStatus(below, 'draft')
  expect(await listed('/v1/sets')).toEqual(['Draft'])
  await setStatus(below, 'published')
  expect(sorted(await listed('/v1/sets'))).toEqual(['Below', 'Draft'])
  const relationships = { parent: { data: { type: 'sets', id: draft.id } } }
  await app.operator.patch(`/v1/sets/${below.id}`, { data: { type: 'sets', id: below.id, relationships } })
  expect(await listed('/v1/sets')).toEqual(['Draft'])
  await setStatus(draft, 'draft')
  expect(sorted(await listed('/v1/sets'))).toEqual(['Below', 'Child'])
  for (const { id } of [child, below]) expect((await app.operator.delete(`/v1/sets/${id}`)).status).toBe(204)
  expect(await listed('/v1/sets')).toEqual([])
  await setStatus(draft, 'published')
  expect(await listed('/v1/sets')).toEqual(['Draft'])
})

test('a card made from one in a draft has no parent to readers, and is found by none', async () => {
  const [base, gold] = [await make.set(), await make.set({ status: 'published', kind: 'parallel' })]
  const from = await make.card({ set: base, number: '1' })
  const made = await make.card({ set: gold, number: '1' })
  await app.db.sql`update cards set parent_id = ${from.id} where id = ${made.id}`
  const all = `filter[set]=${gold.id}`
  const found = async (filter: string, caller = app.reader) => {
    const { many, meta } = await caller.get(`/v2/cards?${filter}`)
    expect((meta.page as { total: number }).total).toBe(many.length)
    return many.length
  }
  for (const [filter, toReaders, toOperators] of [
    [`filter[parent]=${from.id}`, 0, 1],
    [`filter[parent]=${from.id}&${all}`, 0, 1],
    [`filter[parent]=${from.id},${made.id}`, 0, 1],
    [`filter[parent]=${from.id}&sort=name`, 0, 1],
    [`filter[parent][ne]=${from.id}&${all}`, 1, 0],
    [`filter[parent][null]=true&${all}`, 1, 0],
    [`filter[parent][null]=false&${all}`, 0, 1],
  ] as const)
    expect([filter, await found(filter), await found(filter, app.operator)]).toEqual([filter, toReaders, toOperators])
})

test('a player-team whose player is deleted is not found by him, as it does not show him', async () => {
  const [player, team] = [await make.player(), await make.team()]
  const pair = await make.playerTeam({ player, team })
  expect((await app.operator.delete(`/v1/players/${player.id}`)).status).toBe(204)
  const { one } = await app.operator.get(`/v1/player-teams/${pair.id}`)
  expect(one.relationships.player?.data).toBeNull()
  for (const [filter, expected] of [
    [`/v1/player-teams?filter[player_id]=${player.id}`, []],
    [`/v2/player-teams?filter[player]=${player.id}`, []],
    [`/v2/player-teams?filter[team]=${team.id}`, [pair.attributes.name]],
  ] as const)
    expect(await listed(filter, app.operator)).toEqual([...expected])
})
