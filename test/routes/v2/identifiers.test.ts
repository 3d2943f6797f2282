import { describe, expect, test } from 'bun:test'
import { idsOf, type Shown } from '../../support/answer.ts'
import { testApp } from '../../support/app.ts'
import { aDocument, aName, factories, setStatus, toOne } from '../../support/factories.ts'
import { merging } from '../../support/merges.ts'

const app = await testApp()
const make = factories(app)

const on = ({ type, id }: Shown) => ({ object_type: type, object_id: id })
const post = (attributes: object, caller = app.operator) =>
  caller.post('/v2/identifiers', aDocument('identifiers', { source: 'tcdb', value: aName('id'), ...attributes }))
const patch = ({ id }: Shown, attributes: object, caller = app.operator) =>
  caller.patch(`/v2/identifiers/${id}`, aDocument('identifiers', { ...attributes }, {}, id))
const statusFor = async ({ id }: Shown, caller = app.reader) => (await caller.get(`/v2/identifiers/${id}`)).status

const objects = {
  ...{ cards: () => make.card(), sets: () => make.set(), players: () => make.player(), teams: () => make.team() },
  ...{ brands: () => make.brand(), manufacturers: () => make.manufacturer() },
  ...{ genres: () => make.genre(), years: () => make.year() },
}

test.each(Object.entries(objects))('one of %s is made, read, changed and deleted', async (type, anObject) => {
  const object = await anObject()
  const made = await post({ ...on(object), value: 'A 1|b' })
  expect([made.status, made.faults]).toEqual([201, []])
  expect(made.one.attributes).toMatchObject({ object_type: type, object_id: object.id, source: 'tcdb', value: 'A 1|b' })
  expect(made.headers.get('location')).toBe(`${app.baseUrl}/v2/identifiers/${made.one.id}`)
  const read = await app.operator.get(`/v2/identifiers/${made.one.id}?include=object`)
  expect(read.one.relationships.object as object).toEqual({ data: { type, id: object.id } })
  expect(idsOf(read.included)).toEqual([object.id])
  expect((await patch(made.one, { value: '2' })).one.attributes).toMatchObject({ value: '2', source: 'tcdb' })
  expect((await app.operator.delete(`/v2/identifiers/${made.one.id}`)).status).toBe(204)
  expect(await statusFor(made.one, app.operator)).toBe(404)
})

test('/v1 knows none of it', async () => {
  const card = await make.card()
  const identifier = await make.identifier(card)
  expect((await app.operator.get('/v1/identifiers')).status).toBe(404)
  expect((await app.operator.get(`/v1/identifiers/${identifier.id}`)).status).toBe(404)
  expect((await app.operator.get(`/v1/cards/${card.id}?include=identifiers`)).status).toBe(400)
  expect(Object.keys((await app.operator.get(`/v1/cards/${card.id}`)).one.relationships)).not.toContain('identifiers')
})

test('source, value and type of record lead to one record; another of them is a 409, for a change too', async () => {
  const [card, other, player] = [await make.card(), await make.card(), await make.player()]
  const value = aName('id')
  const first = await make.identifier(card, { value })
  expect((await post({ ...on(other), value })).faults).toEqual(['CONFLICT'])
  expect((await post({ ...on(other), value, object_id: 'x' })).faults).toEqual(['CONFLICT'])
  expect((await post({ ...on(other), value, source: '' })).status).toBe(422)
  expect((await post({ ...on(card), value })).document.errors).toMatchObject([
    { code: 'CONFLICT', detail: `One of the cards already has the identifier ${value} of tcdb.` },
  ])
  expect((await post({ ...on(player), value })).status).toBe(201)
  expect((await post({ ...on(other), value, source: 'beckett' })).status).toBe(201)
  const second = await make.identifier(other)
  expect((await patch(second, { value })).faults).toEqual(['CONFLICT'])
  expect((await patch(second, { ...on(card), value })).faults).toEqual(['CONFLICT'])
  expect((await patch(first, { value })).status).toBe(200)
  await app.operator.delete(`/v2/identifiers/${first.id}`)
  expect((await patch(second, { value })).status).toBe(200)
})

test('a card may have several of one source', async () => {
  const card = await make.card()
  const some = [await make.identifier(card), await make.identifier(card)]
  const read = await app.operator.get(`/v2/cards/${card.id}?include=identifiers`)
  expect(idsOf(read.included)).toEqual(idsOf(some))
})

test('one of a deleted record gives way, and comes back with it no more', async () => {
  const [card, other] = [await make.card(), await make.card()]
  const same = { source: 'tcdb', value: aName('id') }
  const first = await make.identifier(card, same)
  await app.operator.delete(`/v1/cards/${card.id}`)
  expect(await statusFor(first, app.operator)).toBe(404)
  const second = await make.identifier(other, same)
  expect(await statusFor(second, app.operator)).toBe(200)
  const { one } = await app.operator.get(`/v2/identifiers/${second.id}`)
  expect(one.attributes.object_id).toBe(other.id)
})

test('source and value have a form, and the record must be there and seen', async () => {
  const card = await make.card()
  const refused = async (attributes: object, caller = app.operator) =>
    (await post({ ...on(card), ...attributes }, caller)).faults
  const at = (name: string) => [`VALIDATION-FAILED /data/attributes/${name}`]
  for (const source of ['', 'TCDB', 'a b', 'a_b', 'ä', 'x'.repeat(41), 'a\n', 7, null])
    expect([source, (await refused({ source })).slice(0, 1)]).toEqual([source, at('source')])
  expect((await post({ ...on(card), source: 'x'.repeat(40) })).status).toBe(201)
  for (const value of ['', ' ', 'a\nb', 'x'.repeat(256), 1, null])
    expect([value, await refused({ value })]).toEqual([value, at('value')])
  expect((await post({ ...on(card), value: '\u{20000}'.repeat(255) })).status).toBe(201)
  for (const object_type of ['card', 'attributes', 'identifiers', 'Cards'])
    expect([object_type, await refused({ object_type })]).toEqual([object_type, at('object_type')])
  expect(await refused({ object_type: 'sets' })).toEqual(at('object_id'))
  expect(await refused({ object_id: crypto.randomUUID() })).toEqual(at('object_id'))
  expect(await refused({}, app.publishedWriter)).toEqual(at('object_id'))
})

describe('who sees one is who sees its record', () => {
  const world = async () => {
    const labels = {
      ...{ brand: await make.brand(), manufacturer: await make.manufacturer() },
      ...{ genre: await make.genre(), year: await make.year() },
    }
    const [player, team] = [await make.player(), await make.team()]
    const set = await make.set(labels)
    const card = await make.card({ set, oncard: [player, team] })
    const records = [...Object.values(labels), player, team, set, card]
    return { set, card, records, identifiers: await Promise.all(records.map((record) => make.identifier(record))) }
  }
  const statuses = (some: Shown[]) => Promise.all(some.map((one) => statusFor(one)))
  const all = (status: number) => Array.from({ length: 8 }, () => status)

  test('publishing and unpublishing a set shows and hides all around it, in the feed as well', async () => {
    const { set, identifiers } = await world()
    expect(await statuses(identifiers)).toEqual(all(404))
    const cursor = ((await app.reader.get('/v2/changes?page[after]=now')).meta.page as { cursor: string }).cursor
    await setStatus(app, set, 'published')
    expect(await statuses(identifiers)).toEqual(all(200))
    await setStatus(app, set, 'draft')
    expect(await statuses(identifiers)).toEqual(all(404))
    const feed = await app.reader.get(
      `/v2/changes?page[after]=${encodeURIComponent(cursor)}&filter[type]=identifiers&page[size]=100`,
    )
    const told = feed.many.map(({ attributes, relationships }) => [
      (relationships.resource as { data: Shown }).data.id,
      attributes.action,
    ])
    for (const { id } of identifiers)
      expect(told.filter(([one]) => one === id)).toEqual([
        [id, 'upsert'],
        [id, 'delete'],
      ])
    expect(told).toHaveLength(16)
  })

  test('deleting the card hides its own; moving one to another record shows it as that is', async () => {
    const { set, card, identifiers } = await world()
    const ofCard = identifiers.at(-1) as Shown
    await setStatus(app, set, 'published')
    const draft = await make.player()
    expect((await patch(ofCard, on(draft))).status).toBe(200)
    expect([await statusFor(ofCard), await statusFor(ofCard, app.draftReader)]).toEqual([404, 200])
    expect((await patch(ofCard, on(card))).status).toBe(200)
    expect(await statusFor(ofCard)).toBe(200)
    await app.operator.delete(`/v1/cards/${card.id}`)
    expect(await statusFor(ofCard, app.draftReader)).toBe(404)
    expect(idsOf((await app.operator.get(`/v2/identifiers?filter[object_id]=${card.id}`)).many)).toEqual([])
  })

  test('a card that changes its set takes its identifiers along', async () => {
    const card = await make.card()
    const identifier = await make.identifier(card)
    const open = await make.set({ status: 'published' })
    await app.operator.patch(`/v2/cards/${card.id}`, aDocument('cards', {}, { set: toOne(open) }, card.id))
    expect(await statusFor(identifier)).toBe(200)
    await app.operator.delete(`/v1/sets/${open.id}?force=true`)
    expect(await statusFor(identifier, app.draftReader)).toBe(404)
    const rows = await app.db.sql`select 1 from identifiers where id = ${identifier.id}`
    expect(rows).toHaveLength(0)
  })

  test('a label that is deleted takes its own along', async () => {
    const brand = await make.brand()
    const identifier = await make.identifier(brand)
    expect((await app.operator.delete(`/v1/brands/${brand.id}`)).status).toBe(204)
    expect(await statusFor(identifier, app.draftReader)).toBe(404)
  })
})

test('the list is filtered by type and id of the record, source and value, each with an exact total', async () => {
  const [card, player] = [await make.card(), await make.player()]
  const source = `s-${crypto.randomUUID().slice(0, 8)}`
  const some = [
    await make.identifier(card, { source, value: 'a,1' }),
    await make.identifier(player, { source, value: '2' }),
    await make.identifier(card, { source, value: '2' }),
  ]
  const list = async (query: string) => {
    const { many, meta, status } = await app.operator.get(`/v2/identifiers?filter[source]=${source}${query}`)
    expect([query, status, meta]).toEqual([query, 200, { page: { total: many.length } }])
    return many.map(({ id }) => some.findIndex((one) => one.id === id))
  }
  expect(await list('')).toEqual([0, 1, 2])
  expect(await list('&filter[object_type]=cards')).toEqual([0, 2])
  expect(await list(`&filter[object_id]=${card.id}`)).toEqual([0, 2])
  expect(await list(`&filter[object_id]=${card.id}&filter[object_type]=players`)).toEqual([])
  expect(await list('&filter[value]=2')).toEqual([1, 2])
  expect(await list('&filter[value]=2&filter[object_type]=players')).toEqual([1])
  expect(await list('&filter[value]=a%5C,1')).toEqual([0])
  expect(await list('&filter[value]=2,a%5C,1')).toEqual([0, 1, 2])
  expect(await list('&filter[value][ne]=2')).toEqual([0])
  expect(await list('&sort=-created_at')).toEqual([2, 1, 0])
  for (const [query, parameter] of [
    ['filter[object_type]=card', 'filter[object_type]'],
    ['filter[object_id]=1', 'filter[object_id]'],
    ['filter[object]=1', 'filter[object]'],
    ['filter[value][like]=1', 'filter[value][like]'],
  ])
    expect((await app.operator.get(`/v2/identifiers?${query}`)).faults).toEqual([`INVALID_PARAMETER ${parameter}`])
})

test('cards, sets, players and teams include them, as their lists and relationships do', async () => {
  const set = await make.set({ status: 'published' })
  const [player, team] = [await make.player(), await make.team()]
  const card = await make.card({ set, oncard: [player, team] })
  for (const object of [card, set, player, team]) {
    const identifier = await make.identifier(object)
    const address = `/v2/${object.type}/${object.id}`
    const { one, included } = await app.reader.get(`${address}?include=identifiers`)
    const data = [{ type: 'identifiers', id: identifier.id }]
    expect([one.relationships.identifiers as object, idsOf(included)]).toEqual([{ data }, [identifier.id]])
    expect(included[0]?.attributes.value).toBe(identifier.attributes.value as string)
    expect(idsOf((await app.reader.get(`${address}/identifiers`)).many)).toEqual([identifier.id])
    expect(idsOf((await app.reader.get(`${address}/relationships/identifiers`)).many)).toEqual([identifier.id])
    const listed = await app.reader.get(`/v2/${object.type}?filter[id]=${object.id}&include=identifiers`)
    expect(idsOf(listed.included)).toEqual([identifier.id])
  }
  const deep = await app.reader.get(`/v2/cards/${card.id}?include=oncard.identifiers,set.identifiers`)
  expect(deep.included.filter(({ type }) => type === 'identifiers')).toHaveLength(3)
  expect((await app.reader.get(`/v2/brands?include=identifiers`)).status).toBe(400)
})

test('operations make one of a record that the same request makes, and change and remove it', async () => {
  const value = aName('id')
  const data = {
    type: 'identifiers',
    attributes: { object_type: 'teams', source: 'tcdb', value },
    relationships: { object: { data: { type: 'teams', lid: 't' } } },
  }
  const atomic = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'
  const send = (operations: object[]) =>
    app.operator.send('POST', '/v2/operations', {
      body: JSON.stringify({ 'atomic:operations': operations }),
      headers: { 'Content-Type': atomic, Accept: atomic },
    })
  const team = { op: 'add', data: { type: 'teams', lid: 't', attributes: { name: 'New' } } }
  const made = await send([team, { op: 'add', data: { ...data, lid: 'i' } }])
  const [, { data: identifier }] = JSON.parse(made.text)['atomic:results'] as [unknown, { data: Shown }]
  expect(identifier.attributes).toMatchObject({ object_type: 'teams', value })
  const twice = await send([team, { op: 'add', data }])
  expect([twice.status, twice.faults]).toEqual([409, ['CONFLICT /atomic:operations/1']])
  const ref = { type: 'identifiers', id: identifier.id }
  const gone = await send([
    { op: 'update', data: { ...ref, attributes: { value: aName('id') } } },
    { op: 'remove', ref },
  ])
  expect(gone.status).toBe(200)
  expect(await statusFor(identifier, app.operator)).toBe(404)
})

test('many who give records the same identifiers at once: one has each, and every other is a 409', async () => {
  const teams = await Promise.all(Array.from({ length: 6 }, () => make.team()))
  const values = [aName('id'), aName('id'), aName('id')]
  const answers = await Promise.all(
    teams.flatMap((team) => values.map((value) => post({ ...on(team), value }).then(({ status }) => [value, status]))),
  )
  for (const value of values)
    expect(answers.filter(([one]) => one === value).map(([, status]) => status)).toSatisfy(
      (all: unknown[]) =>
        all.filter((one) => one === 201).length === 1 && all.filter((one) => one === 409).length === 5,
    )
})

test('a merge gives them to the record that stays, and undoing it gives them back', async () => {
  const [stray, player] = [await make.player(), await make.player()]
  const [own, other] = [await make.identifier(player), await make.identifier(stray)]
  const heldBy = async () =>
    Promise.all(
      [own, other].map(async ({ id }) => (await app.operator.get(`/v2/identifiers/${id}`)).one.attributes.object_id),
    )
  const merge = await merging(app).merge([stray], player)
  expect(await heldBy()).toEqual([player.id, player.id])
  expect((await merging(app).undo(merge)).status).toBe(204)
  expect(await heldBy()).toEqual([player.id, stray.id])
})

test('one that was deleted comes back by a revert, unless another has its place', async () => {
  const team = await make.team()
  const identifier = await make.identifier(team)
  const address = `/v2/identifiers/${identifier.id}`
  expect((await app.operator.delete(address)).status).toBe(204)
  const [revision] = (await app.operator.get(`${address}/revisions`)).many
  const revert = () =>
    app.operator.send('POST', '/internal/reverts', {
      body: JSON.stringify({ object_type: 'identifiers', object_id: identifier.id, revision: revision?.id }),
      headers: { 'Content-Type': 'application/json' },
    })
  const { value, source } = identifier.attributes
  const taking = await make.identifier(await make.team(), { value, source })
  expect((await revert()).status).toBe(409)
  expect((await app.operator.delete(`/v2/identifiers/${taking.id}`)).status).toBe(204)
  expect([(await revert()).status < 300, await statusFor(identifier, app.operator)]).toEqual([true, 200])
})

test('the counts of identifiers are what the rows say', async () => {
  expect([...(await app.db.sql`select what, place, stored, truth from catalog_drift`)]).toEqual([])
})
