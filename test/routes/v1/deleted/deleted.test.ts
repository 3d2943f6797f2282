import { expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'
import { aToken, aUser } from '../../../support/callers.ts'
import { factories } from '../../../support/factories.ts'
import { bearerOf } from '../../../support/people.ts'

const app = await testApp()
const { context, operator } = app
const make = factories(app)
const user = await aUser(context, { operator: true })
const reader = bearerOf(app, (await aToken(context, user, ['read:draft'])).secret)
const curator = bearerOf(app, (await aToken(context, user, ['read:all-status'])).secret)

type Listed = { data: { id: string; attributes: Record<string, unknown> }[]; meta: { total: number } }
const listed = async (path: string, caller = curator) => {
  const { status, document } = await caller.get(path)
  expect(status).toBe(200)
  return document as unknown as Listed
}
const idsIn = ({ data }: Listed) => data.map(({ id }) => id)
/** Deletes two of a type and keeps a third. The ids of the deleted, the latest first. */
const deletesTwo = async (path: string, create: () => Promise<{ id: string }>) => {
  const [first, second] = [await create(), await create(), await create()] as const
  for (const { id } of [first, second]) {
    app.clock.offsetSeconds++
    expect((await operator.delete(`/v1/${path}/${id}`)).status).toBe(204)
  }
  return [second.id, first.id]
}

const creations = { players: make.player, teams: make.team, genres: make.genre, cards: make.card, sets: make.set }

for (const [path, create] of Object.entries(creations)) {
  test(`deleted ${path} are listed, the latest first, and read, for who may read any status`, async () => {
    const deleted = await deletesTwo(path, () => create())
    const page = await listed(`/v1/${path}?filter[status]=deleted`)
    expect(idsIn(page).slice(0, 2)).toEqual(deleted)
    expect(page.meta.total).toBe(page.data.length)
    const times = page.data.slice(0, 2).map(({ attributes }) => Date.parse(String(attributes.deleted_at)))
    expect(Math.abs((times[0] ?? 0) - app.clock.now().getTime())).toBeLessThan(60_000)
    expect(times[0]).toBeGreaterThan(times[1] ?? 0)
    const second = await listed(`/v1/${path}?filter[status]=deleted&page=2&per_page=1`)
    expect(idsIn(second)).toEqual(deleted.slice(1))
    const one = await curator.get(`/v1/${path}/${deleted[0]}?include_trashed=true`)
    expect(one.status).toBe(200)
    expect(one.one.attributes.deleted_at).toBe(page.data[0]?.attributes.deleted_at as string)
    expect((await curator.get(`/v1/${path}/${deleted[0]}`)).status).toBe(404)
    expect((await curator.get(`/v1/${path}/${deleted[0]}?include_trashed=false`)).status).toBe(404)
  })

  test(`for others there are no deleted ${path}, even right after somebody else has read them`, async () => {
    const [id] = await deletesTwo(path, () => create())
    for (const caller of [curator, reader, curator]) {
      const isCurator = caller === curator
      const page = await listed(`/v1/${path}?filter[status]=deleted`, caller)
      expect(page.data.length > 0).toBe(isCurator)
      expect(page.meta.total > 0).toBe(isCurator)
      expect((await caller.get(`/v1/${path}/${id}?include_trashed=true`)).status).toBe(isCurator ? 200 : 404)
    }
  })
}

test('a live record says no deleted_at, whoever asks for deleted ones, too', async () => {
  const { id } = await make.card()
  for (const caller of [curator, reader]) {
    const { status, one } = await caller.get(`/v1/cards/${id}?include_trashed=true`)
    expect(status).toBe(200)
    expect(one.attributes).not.toHaveProperty('deleted_at')
  }
})

test('deleted cards can be narrowed to a set, which is included, and to fields', async () => {
  const set = await make.set()
  const cards = await deletesTwo('cards', () => make.card({ set }))
  const page = await listed(
    `/v1/cards?filter[status]=deleted&filter[set_id]=${set.id}&include=set&fields[cards]=deleted_at`,
  )
  expect(idsIn(page)).toEqual(cards)
  expect(Object.keys(page.data[0]?.attributes ?? {})).toEqual(['deleted_at'])
  expect((page as unknown as { included: { id: string }[] }).included.map(({ id }) => id)).toEqual([set.id])
})

test('sets are sorted as asked; those below others are among them unless only roots are asked for', async () => {
  const parent = await make.set({ name: 'Parent' })
  const below = await make.set({ name: 'Aaa below', parent })
  const root = await make.set({ name: 'Aab root' })
  for (const { id } of [root, below]) await operator.delete(`/v1/sets/${id}`)
  const asked = '/v1/sets?filter[status]=deleted&order_by=name'
  expect(idsIn(await listed(asked)).slice(0, 2)).toEqual([below.id, root.id])
  expect(idsIn(await listed(`${asked}&scope=root`))[0]).toBe(root.id)
})

test('a merged record is not among the deleted ones', async () => {
  const [from, into] = [await make.player(), await make.player()]
  const merge = { object_type: 'players', from_ids: [from.id], into_id: into.id }
  expect((await operator.post('/internal/merges', merge)).status).toBe(201)
  expect(idsIn(await listed('/v1/players?filter[status]=deleted'))).not.toContain(from.id)
})

test('other statuses are refused where records have none, and under types that show no deleted ones', async () => {
  expect((await curator.get('/v1/cards?filter[status]=draft')).status).toBe(400)
  expect((await curator.get('/v1/brands?filter[status]=deleted')).status).toBe(400)
  expect((await curator.get('/v1/cards/1?include_trashed=maybe')).status).toBe(400)
})
