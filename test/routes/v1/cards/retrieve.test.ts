import { expect, test } from 'bun:test'
import { blankCard } from '../../../../src/catalog/write/card/read.ts'
import { writeCards } from '../../../../src/catalog/write/card/write.ts'
import { enter } from '../../../../src/catalog/write/write-transaction.ts'
import { idsOf, type Shown } from '../../../support/answer.ts'
import { testApp } from '../../../support/app.ts'
import { aDocument, factories, setStatus, toMany, toOne } from '../../../support/factories.ts'
import { aWorld } from '../../../support/worlds.ts'

const app = await testApp()
const make = factories(app)

/** A card of a parallel, made from another card, as propagation makes it. */
const aChild = async (parent: Shown, set: Shown, number: string) => {
  const id = crypto.randomUUID()
  const change = () => ({ ...blankCard, set_id: set.id, number, parent_id: parent.id })
  await enter(app.db, (tx) => writeCards(tx, [{ id, setId: set.id, change }], { level: 1, now: new Date() }))
  return (await app.operator.get(`/v1/cards/${id}`)).one
}

test('a card shows its set, entries in order, attributes in code order and images; children only when included', async () => {
  const world = await aWorld(app, 'published')
  const { one, links } = await app.reader.get(`/v1/cards/${world.cards.id}`)
  expect(links.self).toBe(one.attributes.url as string)
  expect(one.relationships as object).toEqual({
    set: toOne(world.sets),
    oncard: toMany([world.playerteams]),
    attributes: toMany([world.attributes]),
    images: toMany([world.card_images]),
    parent: { data: null },
  })
})

test('include brings set, entries and attributes, each once', async () => {
  const world = await aWorld(app, 'published')
  const { player, team } = { player: world.players, team: world.teams }
  const card = await make.card({
    set: world.sets,
    oncard: [player, team, world.playerteams, player],
    attributes: [world.attributes],
  })
  const { included } = await app.reader.get(`/v1/cards/${card.id}?include=set,oncard,attributes,children`)
  expect(idsOf(included).toSorted()).toEqual(
    idsOf([world.sets, player, team, world.playerteams, world.attributes]).toSorted(),
  )
  expect((await app.reader.get(`/v1/cards/${card.id}?include=set`)).included).toHaveLength(1)
  expect((await app.reader.get(`/v1/cards/${card.id}`)).document).not.toHaveProperty('included')
})

test('children are the visible, live cards of parallels, in checklist order', async () => {
  const set = await make.set({ status: 'published' })
  const gold = await make.set({ status: 'published', kind: 'parallel', parent: set })
  const draft = await make.set({ kind: 'parallel', parent: set })
  const card = await make.card({ set, number: '1' })
  const [ten, two] = [await aChild(card, gold, '10'), await aChild(card, gold, '2')]
  const [hidden, gone] = [await aChild(card, draft, '1'), await aChild(card, gold, '3')]
  await app.operator.delete(`/v1/cards/${gone.id}`)
  const childrenFor = async (caller = app.reader) => {
    const { one, included } = await caller.get(`/v1/cards/${card.id}?include=children`)
    expect(included.map(({ type, id }) => ({ type, id }))).toEqual(one.relationships.children?.data as never)
    return idsOf(included)
  }
  expect(await childrenFor()).toEqual(idsOf([two, ten]))
  expect(await childrenFor(app.draftReader)).toEqual(idsOf([two, ten, hidden]))
  await setStatus(app, gold, 'draft')
  expect(await childrenFor()).toEqual([])
})

test('a card of a parallel shows the card that it was made from, to who may see that', async () => {
  const [set, gold] = [await make.set({ status: 'published' }), await make.set({ status: 'published' })]
  const card = await make.card({ set, number: '1' })
  const child = await aChild(card, gold, '1')
  const parentFor = async (caller = app.reader) =>
    (await caller.get(`/v1/cards/${child.id}`)).one.relationships.parent as unknown
  const shown = toOne(card)
  expect(await parentFor()).toEqual(shown)
  const { many } = await app.reader.get(`/v1/cards?filter[set_id]=${gold.id}`)
  expect(many.map(({ relationships }) => relationships.parent as unknown)).toEqual([shown])
  await setStatus(app, set, 'draft')
  expect(await parentFor()).toEqual({ data: null })
  expect(await parentFor(app.draftReader)).toEqual(shown)
  const written = await app.publishedWriter.patch(
    `/v1/cards/${child.id}`,
    aDocument('cards', { notes: 'read' }, {}, child.id),
  )
  expect([written.status, written.one.relationships.parent?.data]).toEqual([200, null])
  await app.operator.delete(`/v1/cards/${card.id}`)
  expect(await parentFor(app.draftReader)).toEqual({ data: null })
})

test('the parent cannot be written; after force deletion of its set a child has none, which is a change of it', async () => {
  const [set, gold] = [await make.set(), await make.set({ kind: 'parallel' })]
  const card = await make.card({ set, number: '1' })
  const child = await aChild(card, gold, '1')
  const document = aDocument('cards', {}, { parent: { data: null } }, child.id)
  expect((await app.operator.patch(`/v1/cards/${child.id}`, document)).status).toBe(200)
  expect((await app.operator.get(`/v1/cards/${card.id}?include=children`)).included).toHaveLength(1)
  app.clock.offsetSeconds += 5
  expect((await app.operator.delete(`/v1/sets/${set.id}?force=true`)).status).toBe(204)
  const { one } = await app.operator.get(`/v1/cards/${child.id}`)
  expect(one.relationships.parent as unknown).toEqual({ data: null })
  expect((one.attributes.updated_at as string) > (child.attributes.updated_at as string)).toBe(true)
})

test('sparse fieldsets hold for the record and for what is included', async () => {
  const world = await aWorld(app, 'published')
  const query = 'include=set,attributes&fields[cards]=name,set&fields[sets]=name&fields[attributes]='
  const { one, included } = await app.reader.get(`/v1/cards/${world.cards.id}?${query}`)
  expect([one.attributes, one.relationships as object]).toEqual([
    { name: world.cards.attributes.name },
    { set: toOne(world.sets) },
  ])
  expect(included.map(({ type, attributes }) => [type, attributes])).toEqual([
    ['sets', { name: world.sets.attributes.name }],
    ['attributes', {}],
  ])
})

test('a query that is wrong names every fault', async () => {
  const { cards } = await aWorld(app, 'published')
  const answer = await app.reader.get(`/v1/cards/${cards.id}?include=images,set&page=1&fields[cards]=x&filter[name]=a`)
  expect(answer.faults).toEqual([
    'INVALID_PARAMETER include',
    'INVALID_PARAMETER page',
    'INVALID_PARAMETER fields[cards]',
    'INVALID_PARAMETER filter[name]',
  ])
})

test('the path’s id may be written in capitals', async () => {
  const { cards } = await aWorld(app, 'published')
  const answer = await app.reader.get(`/v1/cards/${cards.id.toUpperCase()}`)
  expect([answer.status, answer.one.id]).toEqual([200, cards.id])
})

test('more than 1,000 children are cut, and meta says how many there are', async () => {
  const [set, gold] = [await make.set({ status: 'published' }), await make.set({ status: 'published' })]
  const card = await make.card({ set })
  await aChild(card, gold, '1')
  const plans = Array.from({ length: 1100 }, (_, n) => ({
    id: crypto.randomUUID(),
    setId: gold.id,
    change: () => ({ ...blankCard, set_id: gold.id, number: String(n + 2), parent_id: card.id }),
  }))
  await enter(app.db, (tx) => writeCards(tx, plans, { level: 1, now: new Date() }))
  const { one, included } = await app.reader.get(`/v1/cards/${card.id}?include=children`)
  const children = one.relationships.children
  expect([included.length, children?.meta]).toEqual([1000, { total: 1101, truncated: true } as never])
})
