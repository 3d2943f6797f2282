import { describe, expect, test } from 'bun:test'
import type { Shown } from '../../../support/answer.ts'
import { testApp } from '../../../support/app.ts'
import { factories, setStatus } from '../../../support/factories.ts'
import { flat } from '../../../support/people.ts'

const app = await testApp()
const { operator } = app
const make = factories(app)
const preview = async ({ id }: Pick<Shown, 'id'>, query = '') =>
  (await flat(operator, 'GET', `/internal/sets/${id}/publication${query}`)).flat as {
    below: { id: string; depth: number; status: string }[]
    comes_into_sight: { sets: number; cards: number; records: unknown[] }
    leaves_sight: { cards: number; records: unknown[] }
  }

const [known, rookie] = [
  await make.player({ first_name: 'Ken', last_name: 'Griffey' }),
  await make.player({ first_name: 'Gary', last_name: 'Sheffield' }),
]
const brand = await make.brand({ name: 'Upper Deck' })
await make.card({ set: await make.set({ status: 'published' }), oncard: [known] })
const root = await make.set({ name: '1989 Upper Deck', brand })
const insert = await make.set({ name: 'B Insert', parent: root, kind: 'insert' })
const parallel = await make.set({ name: 'A Gold', parent: insert, kind: 'parallel' })
const shown = await make.set({ name: 'C Checklist', parent: root, status: 'published' })
await make.card({ set: root, oncard: [known] })
await make.card({ set: insert, oncard: [rookie] })
await make.card({ set: parallel, oncard: [rookie] })

describe('GET /internal/sets/{set}/publication', () => {
  test('lists what is below a set, each behind the set above it, and counts what its drafts bring into sight', async () => {
    const { below, comes_into_sight } = await preview(root)
    expect(below.map(({ id, depth, status }) => ({ id, depth, status }))).toEqual([
      { id: insert.id, depth: 1, status: 'draft' },
      { id: parallel.id, depth: 2, status: 'draft' },
      { id: shown.id, depth: 1, status: 'published' },
    ])
    expect(comes_into_sight).toEqual({
      ...{ sets: 3, cards: 3 },
      records: [
        { type: 'players', count: 1, names: ['Gary Sheffield'] },
        { type: 'brands', count: 1, names: ['Upper Deck'] },
      ],
    })
  })

  test('counts only the drafts that are named', async () => {
    const { comes_into_sight } = await preview(root, `?set_ids=${root.id}`)
    expect(comes_into_sight).toEqual({
      ...{ sets: 1, cards: 1 },
      records: [{ type: 'brands', count: 1, names: ['Upper Deck'] }],
    })
    expect((await preview(root, '?set_ids=')).comes_into_sight).toEqual({ sets: 0, cards: 0, records: [] })
  })

  test('says what publishing then shows: readers see just these players afterwards', async () => {
    const seen = async ({ id }: Shown) => (await app.reader.get(`/v1/players/${id}`)).status
    expect(await seen(rookie)).toBe(404)
    for (const set of [root, insert]) await setStatus(app, set, 'published')
    expect(await seen(rookie)).toBe(200)
    expect((await preview(root)).comes_into_sight).toEqual({ sets: 1, cards: 1, records: [] })
  })

  test('says what readers no longer see if a published set is a draft again, and they do not', async () => {
    expect((await preview(parallel)).leaves_sight).toEqual({ cards: 0, records: [] })
    expect((await preview(insert)).leaves_sight).toEqual({
      cards: 1,
      records: [{ type: 'players', count: 1, names: ['Gary Sheffield'] }],
    })
    expect((await preview(root)).leaves_sight).toEqual({
      cards: 1,
      records: [{ type: 'brands', count: 1, names: ['Upper Deck'] }],
    })
    await setStatus(app, insert, 'draft')
    const seen = async ({ id }: Shown) => (await app.reader.get(`/v1/players/${id}`)).status
    expect([await seen(rookie), await seen(known)]).toEqual([404, 200])
    // Two cards of his are in one set alone: he leaves with it.
    await make.card({ set: insert, oncard: [rookie] })
    await setStatus(app, insert, 'published')
    expect((await preview(insert)).leaves_sight).toEqual({
      cards: 2,
      records: [{ type: 'players', count: 1, names: ['Gary Sheffield'] }],
    })
  })

  test('refuses ids that are none, or of sets elsewhere, and knows no set that is not there', async () => {
    const status = async (path: string) => (await operator.get(`/internal/sets/${path}`)).status
    expect(await status(`${root.id}/publication?set_ids=57`)).toBe(400)
    expect(await status(`${insert.id}/publication?set_ids=${root.id}`)).toBe(400)
    expect(await status(`${crypto.randomUUID()}/publication`)).toBe(404)
    expect(await status('57/publication')).toBe(404)
  })
})
