import { describe, expect, test } from 'bun:test'
import { testApp } from '../../../../support/app.ts'
import type { Client } from '../../../../support/callers.ts'
import { aDocument, factories } from '../../../../support/factories.ts'
import { merging } from '../../../../support/merges.ts'
import { aPerson, flat } from '../../../../support/people.ts'

const app = await testApp()
const make = factories(app)
const { merge, undo } = merging(app)
const path = '/v1/user/collection'
const set = await make.set({ status: 'published' })
const cards = [await make.card({ set }), await make.card({ set }), await make.card({ set })] as const
const [first, second, third] = cards

const collector = async (operator = false) => (await aPerson(app, { operator })).person
const put = (as: Client, attributes: object) => as.post(path, aDocument('collection-cards', { ...attributes }))
const batch = async (as: Client, rows: object[], more: object = {}) => {
  const { flat: json, ...answer } = await flat(as, 'POST', `${path}/batch`, { cards: rows, ...more })
  return { ...answer, json }
}
const marks = async (as: Client, query = '') =>
  (await flat(as, 'GET', `${path}/marks${query}`)).flat as {
    state: string
    sets: { have: string[]; want: string[] }[] | null
  }
const held = async (as: Client, query = '') =>
  (await as.get(`${path}${query}`)).many.map((one) => one.attributes.card_id)

describe('a signed-in collector', () => {
  test('puts a card in, changes and takes it out again, and nobody else sees it', async () => {
    const [ann, bob] = [await collector(), await collector()]
    const made = await put(ann, { card_id: first.id.toUpperCase(), status: 'have', quantity: 2, note: 'Signed' })
    expect([made.status, made.headers.get('location')]).toEqual([201, `${app.baseUrl}${path}/${made.one.id}`])
    expect(made.one.attributes).toEqual({
      ...{ card_id: first.id, set_id: set.id, status: 'have', quantity: 2, note: 'Signed' },
      ...{ created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/), updated_at: made.one.attributes.created_at },
    })
    const own = `${path}/${made.one.id}`
    const change = { data: { type: 'collection-cards', id: made.one.id, attributes: { status: 'want', note: null } } }
    expect((await bob.get(own)).status).toBe(404)
    expect((await bob.patch(own, change)).status).toBe(404)
    expect((await bob.delete(own)).status).toBe(404)
    expect((await ann.patch(own, change)).one.attributes).toMatchObject({ status: 'want', quantity: 2, note: null })
    expect([await held(ann), await held(bob)]).toEqual([[first.id], []])
    expect((await ann.delete(own)).status).toBe(204)
    expect((await ann.get(own)).status).toBe(404)
  })

  test('has a card once, and none that doesn’t exist or is a draft, which operators may collect', async () => {
    const ann = await collector()
    const draft = await make.card()
    expect((await put(ann, { card_id: first.id, status: 'have' })).status).toBe(201)
    expect((await put(ann, { card_id: first.id, status: 'want' })).status).toBe(409)
    for (const card_id of [draft.id, crypto.randomUUID()]) {
      const { status, faults } = await put(ann, { card_id, status: 'want' })
      expect([status, faults]).toEqual([422, [expect.stringContaining('/data/attributes/card_id')]] as never)
    }
    expect((await put(await collector(true), { card_id: draft.id, status: 'have' })).status).toBe(201)
  })

  test('lists it page by page, by status, by set and by card', async () => {
    const ann = await collector()
    const other = await make.card({ set: await make.set({ status: 'published' }) })
    await batch(ann, [
      ...cards.map(({ id }) => ({ card_id: id, status: 'have' })),
      { card_id: other.id, status: 'want' },
    ])
    expect(await held(ann)).toEqual([...cards.map(({ id }) => id), other.id])
    expect(await held(ann, '?per_page=2&page=2')).toEqual([third.id, other.id])
    expect((await ann.get(`${path}?per_page=1`)).meta).toMatchObject({ total: 4, last_page: 4 })
    expect(await held(ann, '?filter[status]=want')).toEqual([other.id])
    expect(await held(ann, `?filter[set_id]=${set.id}&filter[status]=have`)).toEqual(cards.map(({ id }) => id))
    expect(await held(ann, `?filter[card_id]=${second.id}`)).toEqual([second.id])
  })
})

describe('a batch', () => {
  test('puts in, changes and takes out, and says what came of it', async () => {
    const ann = await collector()
    await put(ann, { card_id: first.id, status: 'have', quantity: 3, note: 'Mine' })
    await put(ann, { card_id: second.id, status: 'have' })
    const nothing = crypto.randomUUID()
    const rows = [
      { card_id: first.id, status: 'want' },
      { card_id: second.id, status: null },
      { card_id: third.id, status: 'want' },
      { card_id: third.id.toUpperCase(), status: 'have', quantity: 4 },
      { card_id: nothing, status: 'have' },
    ]
    const { state } = await marks(ann)
    expect((await batch(ann, rows)).json).toEqual({
      ...{ created: 1, updated: 1, kept: 0, deleted: 1, missing: [nothing] },
      ...{ before: state, state: expect.any(String) },
    })
    expect(await marks(ann)).toMatchObject({ sets: [{ have: [third.id], want: [first.id] }] })
    expect((await ann.get(path)).many.map((one) => one.attributes)).toMatchObject([
      { card_id: first.id, status: 'want', quantity: 3, note: 'Mine' },
      { card_id: third.id, status: 'have', quantity: 4 },
    ])
  })

  test('that keeps leaves what is there as it is, so that a merge loses nothing', async () => {
    const ann = await collector()
    await put(ann, { card_id: first.id, status: 'want', quantity: 2 })
    const rows = [first, second].map(({ id }) => ({ card_id: id, status: 'have' }))
    expect((await batch(ann, rows, { keep: true })).json).toMatchObject({ created: 1, updated: 0, kept: 1 })
    expect((await marks(ann)).sets).toEqual([{ set_id: set.id, have: [second.id], want: [first.id] }] as never)
  })

  test.each([
    ['nothing', [], '/cards'],
    ['no status', [{ card_id: first.id }], '/cards/0/status'],
    [
      'no card',
      [
        { card_id: first.id, status: 'have' },
        { card_id: 'x', status: 'have' },
      ],
      '/cards/1/card_id',
    ],
    ['no quantity', [{ card_id: first.id, status: 'have', quantity: 0 }], '/cards/0/quantity'],
    ['an unknown member', [{ card_id: first.id, status: 'have', grade: 9 }], '/cards/0/grade'],
    ['too many cards', Array(1001).fill({ card_id: first.id, status: 'have' }), '/cards'],
  ])('with %s is refused, and nothing is done', async (_, rows, pointer) => {
    const ann = await collector()
    const { status, faults } = await batch(ann, rows)
    expect([status, faults]).toEqual([422, [expect.stringContaining(pointer)]] as never)
    expect(await held(ann)).toEqual([])
  })
})

describe('what becomes of the cards', () => {
  test('a merged card is the one that it became, also beside it, and itself again once that is undone', async () => {
    const ann = await collector()
    const [old, into] = [await make.card({ set, number: '9' }), await make.card({ set, number: '9' })]
    const made = await put(ann, { card_id: old.id, status: 'have' })
    const merged = await merge([old], into)
    expect(await held(ann)).toEqual([into.id])
    expect((await put(ann, { card_id: into.id, status: 'want' })).status).toBe(409)
    expect((await batch(ann, [{ card_id: old.id, status: 'want' }])).json).toMatchObject({ updated: 1 })
    expect((await ann.get(`${path}/${made.one.id}`)).one.attributes.status).toBe('want')
    expect((await undo(merged)).status).toBeLessThan(300)
    expect(await held(ann)).toEqual([old.id])
  })

  test('a card that is unpublished is kept, but not shown, and can be taken out', async () => {
    const ann = await collector()
    const own = await make.set({ status: 'published' })
    const card = await make.card({ set: own })
    const made = await put(ann, { card_id: card.id, status: 'have', note: 'Kept' })
    const publish = (status: string) =>
      app.operator.patch(`/v1/sets/${own.id}`, aDocument('sets', { status }, {}, own.id))
    await publish('draft')
    expect([await held(ann), (await marks(ann)).sets]).toEqual([[], []])
    expect((await ann.get(`${path}/${made.one.id}`)).status).toBe(404)
    await publish('published')
    expect((await ann.get(`${path}/${made.one.id}`)).one.attributes.note).toBe('Kept')
    await publish('draft')
    expect((await batch(ann, [{ card_id: card.id, status: null }])).json).toMatchObject({ deleted: 1 })
  })

  test('it is deleted with its account', async () => {
    const { person, user } = await aPerson(app)
    await put(person, { card_id: first.id, status: 'have' })
    await app.operator.post(`/internal/users/${user}/close`, undefined)
    expect(await app.db.sql`select id from collection_cards where user_id = ${user}`).toHaveLength(0)
  })
})

test('a copy that knows the state is told nothing, until something has changed', async () => {
  const ann = await collector()
  await put(ann, { card_id: first.id, status: 'have' })
  const { state } = await marks(ann)
  expect((await marks(ann, `?state=${state}`)).sets).toBeNull()
  await batch(ann, [{ card_id: first.id, status: null }])
  expect((await marks(ann, `?state=${state}`)).sets).toEqual([])
})
