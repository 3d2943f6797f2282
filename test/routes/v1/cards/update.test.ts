import { expect, test } from 'bun:test'
import type { Shown } from '../../../support/answer.ts'
import { testApp } from '../../../support/app.ts'
import { aDocument, factories, setStatus, toMany, toOne } from '../../../support/factories.ts'

const app = await testApp()
const make = factories(app)
const set = await make.set()
const [player, other] = [await make.player({ first_name: 'Larry', last_name: 'Bird' }), await make.player()]
const team = await make.team({ name: 'Celtics' })
const code = await make.attribute({ attribute: 'RC' })

const patch = (card: Shown, attributes: object, relationships: object = {}, caller = app.operator) =>
  caller.patch(`/v1/cards/${card.id}`, aDocument('cards', { ...attributes }, { ...relationships }, card.id))
const whole = () =>
  make.card({
    ...{ set, number: '1', title: 'Title', serial_number: '/9', notes: 'Notes' },
    ...{ oncard: [player, team], attributes: [code] },
  })
const cardsOf = async (owner: Shown) => (await app.operator.get(`/v1/${owner.type}/${owner.id}/cards`)).meta.total

test('what a change does not name stays', async () => {
  const card = await whole()
  const answer = await patch(card, { title: 'Other' })
  expect(answer.status).toBe(200)
  expect(answer.one.attributes).toEqual({
    ...card.attributes,
    ...{ title: 'Other', name: '1 Larry Bird / Celtics Other RC /9', updated_at: answer.one.attributes.updated_at },
  })
  expect(answer.one.relationships).toEqual(card.relationships)
})

test('null empties an attribute and takes it out of the name', async () => {
  const { one } = await patch(await whole(), { number: null, title: null, serial_number: null, notes: null })
  expect([one.attributes.name, one.attributes.number, one.attributes.notes]).toEqual([
    'Larry Bird / Celtics RC',
    null as never,
    null,
  ])
})

test('relationships are replaced as a whole', async () => {
  const card = await whole()
  const { one } = await patch(card, {}, { oncard: toMany([team, other]), attributes: { data: [] } })
  expect(one.attributes.name).toBe(`1 Celtics / ${other.attributes.name} Title /9`)
  expect(one.relationships.oncard as object).toEqual(toMany([team, other]))
  expect(one.relationships.attributes?.data).toEqual([])
  const bare = (await patch(card, {}, { oncard: { data: [] } })).one
  expect([bare.attributes.has_player, bare.attributes.has_team]).toEqual([false, false])
})

test('a change of entries moves the card between the lists of players', async () => {
  const [before, after] = [await make.player(), await make.player()]
  const card = await make.card({ set, oncard: [before] })
  await patch(card, {}, { oncard: toMany([after]) })
  expect([await cardsOf(before), await cardsOf(after)]).toEqual([0, 1])
})

test('a card moves to another set, and is seen as that set is', async () => {
  const open = await make.set({ status: 'published' })
  const [card, lone] = [await make.card({ set }), await make.player()]
  const before = (await app.operator.get(`/v1/sets/${set.id}`)).one.attributes.cards_count as number
  expect((await patch(card, {}, { set: toOne(open), oncard: toMany([lone]) })).one.relationships.set as object).toEqual(
    toOne(open),
  )
  expect((await app.reader.get(`/v1/cards/${card.id}`)).status).toBe(200)
  expect((await app.reader.get(`/v1/players/${lone.id}`)).status).toBe(200)
  expect((await app.operator.get(`/v1/sets/${set.id}`)).one.attributes.cards_count).toBe(before - 1)
  expect((await app.operator.get(`/v1/cards?filter[set_id]=${open.id}`)).meta.total).toBe(1)
  await patch(card, {}, { set: toOne(set) })
  expect((await app.reader.get(`/v1/cards/${card.id}`)).status).toBe(404)
  expect((await app.reader.get(`/v1/players/${lone.id}`)).status).toBe(404)
})

test('a new number moves a card in its checklist', async () => {
  const list = await make.set()
  const [a, b] = [await make.card({ set: list, number: '2' }), await make.card({ set: list, number: '10' })]
  await patch(a, { number: '11' })
  const listed = (await app.operator.get(`/v1/cards?filter[set_id]=${list.id}`)).many
  expect(listed.map(({ id }) => id)).toEqual([b.id, a.id])
})

test('a change that changes nothing leaves updated_at alone', async () => {
  const card = await whole()
  app.clock.offsetSeconds += 5
  expect((await patch(card, { title: 'Title' }, { oncard: toMany([player, team]) })).one).toEqual(card)
  const changed = (await patch(card, { title: 'New' })).one
  expect(changed.attributes.updated_at).not.toBe(card.attributes.updated_at)
  expect(changed.attributes.created_at).toBe(card.attributes.created_at)
})

test('a card is read back and written back without a change', async () => {
  const card = await whole()
  const answer = await app.operator.patch(`/v1/cards/${card.id}`, { data: card })
  expect([answer.status, answer.one]).toEqual([200, card])
})

test('a set cannot be taken away', async () => {
  const card = await whole()
  expect((await patch(card, {}, { set: { data: null } })).faults).toEqual([
    'VALIDATION-FAILED /data/relationships/set/data',
  ])
  expect((await patch(card, {}, { set: toOne({ type: 'sets', id: crypto.randomUUID() }) })).faults).toEqual([
    'VALIDATION-FAILED /data/relationships/set/data/id',
  ])
})

test('a refused change changes nothing at all', async () => {
  const card = await whole()
  const nobody = toMany([other, { type: 'players', id: crypto.randomUUID() }])
  expect((await patch(card, { title: 'Half' }, { oncard: nobody })).status).toBe(422)
  expect((await app.operator.get(`/v1/cards/${card.id}`)).one).toEqual(card)
})

test('a card of a draft set, a deleted one and one that never was are 404 to who cannot see them', async () => {
  const card = await whole()
  for (const caller of [app.publishedWriter, app.blindWriter])
    expect((await patch(card, { title: 'x' }, {}, caller)).status).toBe(404)
  await app.operator.delete(`/v1/cards/${card.id}`)
  expect((await patch(card, { title: 'x' })).status).toBe(404)
  expect((await patch({ ...card, id: crypto.randomUUID() }, {})).status).toBe(404)
})

test('a card cannot be moved to where its writer sees nothing', async () => {
  const open = await make.set({ status: 'published' })
  const card = await make.card({ set: open })
  expect((await patch(card, {}, { set: toOne(set) }, app.publishedWriter)).faults).toEqual([
    'VALIDATION-FAILED /data/relationships/set/data/id',
  ])
})

test('the last published card of a player takes the player with it', async () => {
  const open = await make.set({ status: 'published' })
  const [a, b] = [await make.card({ set: open, oncard: [other] }), await make.card({ set: open, oncard: [other] })]
  const seen = async () => (await app.reader.get(`/v1/players/${other.id}`)).status
  await patch(a, {}, { oncard: { data: [] } })
  expect(await seen()).toBe(200)
  await patch(b, {}, { oncard: { data: [] } })
  expect(await seen()).toBe(404)
  await setStatus(app, open, 'draft')
})
