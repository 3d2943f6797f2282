import { describe, expect, test } from 'bun:test'
import type { Shown } from '../../../support/answer.ts'
import { testApp } from '../../../support/app.ts'
import { aDocument, factories } from '../../../support/factories.ts'
import { aPng } from '../../../support/image.ts'
import { merging } from '../../../support/merges.ts'

const app = await testApp()
const { operator, reader, db } = app
const make = factories(app)
const { merge, send, undo, everything } = merging(app)

const read = async ({ type, id }: Shown, include = '') =>
  (await operator.get(`/v2/${type.replace('_', '-')}/${id}${include}`)).one
const setOf = async (one: Shown) => (await read(one)).relationships?.set?.data as unknown as { id: string }
const uploadTo = async (card: Shown) =>
  (
    await operator.send('POST', `/v1/card-images?card_id=${card.id}`, {
      ...{ body: aPng(40, 56), headers: { 'Content-Type': 'image/png' } },
    })
  ).one

describe('POST /internal/merges', () => {
  test.each([
    ['brand', 'brands'],
    ['manufacturer', 'manufacturers'],
    ['genre', 'genres'],
    ['year', 'years'],
  ] as const)('of %s: its sets become those of the target, which is called like it, too', async (name, type) => {
    const [from, into] = [await make[name](), await make[name]()]
    const sets = [
      await make.set({ [name]: from, status: 'published' }),
      await make.set({ [name]: from }),
      await make.set({ [name]: into }),
    ] as const
    const todos = `/internal/sets/${sets[1].id}/todos`
    await operator.post(todos, { data: { type: 'set_todos', attributes: { step: 'fetch', status: 'pending' } } })
    const spare = await make[name]()
    const called = (as: unknown) =>
      operator.patch(`/v1/${type}/${spare.id}`, aDocument(type, { name: as }, {}, spare.id))
    const before = await everything()
    const merged = await merge([from], into)
    const listed = await operator.get(`/v2/sets?filter[${name}]=${into.id}`)
    expect(listed.many.map(({ id }) => id).toSorted()).toEqual(sets.map(({ id }) => id).toSorted())
    expect((await reader.get(`/v2/${type}/${into.id}`)).status).toBe(200)
    expect((await operator.get(`/v2/sets?filter[${name}]=${from.id}`)).many).toHaveLength(3)
    const [row] = await db.sql.unsafe(`select aliases from ${type} where id = $1`, [into.id])
    expect(row?.aliases).toBe(from.attributes.name as never)
    await called(from.attributes.name)
    const taken = await undo(merged)
    expect([taken.status, taken.text]).toEqual([409, expect.stringContaining(spare.id)] as never)
    await called(spare.attributes.name)
    expect((await undo(merged)).status).toBe(204)
    expect(await everything()).toBe(before)
  })

  test('of attributes: a card bears the target once, and of two values the older stays', async () => {
    const [from, into] = [await make.attribute({ attribute: 'RK' }), await make.attribute({ attribute: 'RC' })]
    const [one, both] = [
      await make.card({ number: '1', attributes: [from] }),
      await make.card({ number: '2', attributes: [from, into] }),
    ]
    const kept = await make.objectAttribute(one, { attribute_id: from.id })
    const gone = await make.objectAttribute(one, { attribute_id: into.id })
    const before = await everything()
    const merged = await merge([from], into)
    expect([(await read(one)).attributes.name, (await read(both)).attributes.name]).toEqual(['1 RC', '2 RC'])
    expect((await read(kept)).attributes.attribute_id).toBe(into.id)
    expect((await operator.get(`/v2/object-attributes/${gone.id}`)).status).toBe(404)
    expect((await operator.get(`/v2/attributes/${from.id}`)).status).toBe(301)
    expect((await undo(merged)).status).toBe(204)
    expect(await everything()).toBe(before)
  })

  test('of sets: cards and children move, and a card that both have becomes the older one', async () => {
    const [into, from] = [await make.set({ status: 'published' }), await make.set()]
    const [player, code, other] = [await make.player(), await make.attribute(), await make.player()]
    const same = { number: '7', title: 'Leader', serial_number: '/25', oncard: [player], attributes: [code] }
    const there = await make.card({ set: into, ...same })
    const [twin, third] = [await make.card({ set: from, ...same }), await make.card({ set: from, ...same })]
    const differs = await make.card({ set: from, ...same, oncard: [other] })
    const older = await make.card({ set: from, number: '8' })
    const younger = await make.card({ set: into, number: '8' })
    const child = await make.set({ parent: from })
    const source = await make.setSource(from)
    const value = await make.objectAttribute(twin)
    const image = await uploadTo(twin)
    const before = await everything()
    const merged = await merge([from], into)
    for (const card of [third, differs, older]) expect((await setOf(card)).id).toBe(into.id)
    const redirected = async (card: Shown) => (await operator.get(`/v2/cards/${card.id}`)).headers.get('location')
    expect(await redirected(twin)).toContain(there.id)
    expect(await redirected(younger)).toContain(older.id)
    expect((await reader.get(`/v2/cards?filter[set]=${into.id}`)).many).toHaveLength(4)
    expect((await reader.get(`/v2/cards?filter[set]=${from.id}`)).many).toHaveLength(4)
    expect((await read(child)).relationships?.parent?.data).toEqual({ type: 'sets', id: into.id } as never)
    expect((await read(source)).attributes.set_id).toBe(into.id)
    expect((await read(value)).attributes.object_id).toBe(there.id)
    expect((await read(there)).attributes.image_uuid).toBe(image.id)
    expect((await reader.get(`/v2/sets/${from.id}/children`)).headers.get('location')).toEndWith(`${into.id}/children`)
    const { data } = (
      await reader.send('POST', '/v2/cards/collection', {
        body: JSON.stringify({
          data: [
            { type: 'cards', id: twin.id },
            { type: 'cards', set_id: from.id, number: '8' },
          ],
        }),
        headers: { 'Content-Type': 'application/vnd.api+json' },
      })
    ).document as unknown as { data: { id: string }[] }
    expect(data.map(({ id }) => id)).toEqual([there.id, older.id])
    expect((await undo(merged)).status).toBe(204)
    expect(await everything()).toBe(before)
  })

  test('of cards: images, values and parallels become those of the target', async () => {
    const [set, parallels] = [await make.set({ status: 'published' }), await make.set()]
    const [into, from] = [await make.card({ set, number: '1' }), await make.card({ set, number: '1a' })]
    const batch = await operator.post('/internal/card-batches', {
      data: [
        {
          ...{ type: 'cards', id: crypto.randomUUID(), attributes: { number: '1b' } },
          relationships: { set: { data: { type: 'sets', id: parallels.id } } },
        },
      ],
    })
    expect(batch.status).toBe(200)
    const image = await uploadTo(from)
    const value = await make.objectAttribute(from)
    const before = await everything()
    const merged = await merge([from], into)
    expect((await read(into)).attributes).toMatchObject({ number: '1', image_uuid: image.id })
    expect((await read(value)).attributes.object_id).toBe(into.id)
    expect((await reader.get(`/v2/cards/${from.id}/set`)).status).toBe(301)
    expect((await reader.get(`/v2/card-images/${image.id}`)).status).toBe(200)
    expect((await undo(merged)).status).toBe(204)
    expect(await everything()).toBe(before)
  })

  test('a set with its ancestor or descendant, in either order, is a 422', async () => {
    const root = await make.set()
    const child = await make.set({ parent: root })
    const grandchild = await make.set({ parent: child })
    for (const [from, into] of [
      [root, grandchild],
      [grandchild, root],
    ] as const) {
      const answer = await send({ object_type: 'sets', from_ids: [from.id], into_id: into.id })
      expect([answer.status, answer.faults.map((fault) => fault.split(' ')[1])]).toEqual([422, ['/from_ids/0']])
    }
  })

  test('a batch row with the id of a merged card is a 409, and its references mean the targets', async () => {
    const set = await make.set()
    const [card, target, player, into] = [
      ...[await make.card({ set }), await make.card({ set })],
      ...[await make.player(), await make.player()],
    ] as const
    await merge([card], target)
    await merge([player], into)
    const row = (id: string) => ({
      ...{ type: 'cards', id, attributes: {} },
      relationships: {
        set: { data: { type: 'sets', id: set.id } },
        oncard: { data: [{ type: 'players', id: player.id }] },
      },
    })
    const fresh = crypto.randomUUID()
    const { document } = await operator.post('/internal/card-batches', { data: [row(card.id), row(fresh)] })
    const { results } = document as unknown as { results: { status: string; error: Record<string, unknown> | null }[] }
    expect(results[0]?.error).toMatchObject({
      ...{ code: 'RESOURCE_MERGED', meta: { merged_into: { type: 'cards', id: target.id } } },
    })
    expect(results[1]?.status).toBe('created')
    const { many } = await operator.get(`/v2/cards/${fresh}/relationships/oncard`)
    expect(many.map(({ id }) => id)).toEqual([into.id])
  })

  test('a card whose id was that of a merged player is still written and reverted', async () => {
    const player = await make.player()
    const card = await make.card({ id: player.id, set: await make.set() })
    await merge([player], await make.player())
    const row = { type: 'cards', id: card.id, attributes: { notes: 'new' } }
    const { document } = await operator.post('/internal/card-batches', { data: [row] })
    expect(document).toMatchObject({ results: [{ status: 'updated', error: null }] })
    const [newest] = (await operator.get(`/v2/cards/${card.id}/revisions`)).many
    const attributes = { object_type: 'cards', object_id: card.id, revision: newest?.id }
    expect((await operator.post('/internal/reverts', { data: { type: 'reverts', attributes } })).status).toBe(201)
    expect((await operator.get(`/v2/cards/${card.id}`)).one.attributes.notes).toBe(null)
  })
})
