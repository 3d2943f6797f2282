import { describe, expect, test } from 'bun:test'
import { putBack } from '../../../../src/catalog/curate/history/put-back.ts'
import { resourcesInV2 } from '../../../../src/catalog/model/v2.ts'
import type { Shown } from '../../../support/answer.ts'
import { testApp } from '../../../support/app.ts'
import { aDocument, aName, factories, setStatus, toMany, toOne } from '../../../support/factories.ts'
import { aWorld, type World } from '../../../support/worlds.ts'

const app = await testApp()
const { operator } = app
const make = factories(app)

const paths: Record<string, string> = {
  ...{ playerteams: 'player-teams', set_sources: 'set-sources', card_images: 'card-images' },
}
const at = ({ type, id }: Pick<Shown, 'type' | 'id'>) => `/v2/${paths[type] ?? type}/${id}`
const change = async (record: Shown, attributes: object, relationships: object = {}) => {
  const document = aDocument(record.type, { ...attributes }, { ...relationships }, record.id)
  expect((await operator.patch(at(record), document)).status).toBe(200)
}
const remove = async (record: Shown) => expect((await operator.delete(at(record))).status).toBe(204)
const now = async (record: Shown) => (await operator.get(at(record))).one
const historyOf = async (record: Pick<Shown, 'type' | 'id'>) => (await operator.get(`${at(record)}/revisions`)).many
const newestOf = async (record: Pick<Shown, 'type' | 'id'>) => (await historyOf(record))[0]?.id ?? ''
const post = (body: unknown, client = operator) =>
  client.send('POST', '/internal/reverts', {
    ...{ body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } },
  })
const revert = async (record: Pick<Shown, 'type' | 'id'>, revision?: string) =>
  post({ object_type: record.type, object_id: record.id, revision: revision ?? (await newestOf(record)) })
const identifierOf = ({ type, id }: Shown) => ({ type, id })
/** Without what each write changes, and without addresses that are signed anew. */
const content = ({ attributes, relationships }: Shown) => {
  const { updated_at: _, url: __, ...rest } = attributes
  return { rest, relationships }
}

test('every type of record can be put back', () => {
  expect(Object.keys(putBack).toSorted()).toEqual(resourcesInV2.map(({ type }) => type).toSorted())
})

describe('a revert puts the fields back', () => {
  const edits: Partial<Record<keyof World, object>> = {
    ...{
      attributes: { attribute: 'XYZ', color: '#fff' },
      brands: { name: 'Other' },
      manufacturers: { description: 'x' },
    },
    ...{
      genres: { name: 'Chess' },
      years: { name: '1999-00' },
      teams: { name: 'Reds', abbreviation: 'CIN', aliases: [] },
    },
    ...{
      players: { first_name: 'Sam', aliases: ['A', 'B'], disambiguation: 'P', born_on: '1969-11-21' },
      sets: { name: 'Else', kind: 'insert', release_date: '1989-01-02' },
    },
    ...{ cards: { number: '7', title: 'Air', notes: 'n', serial_number: '/9', image_uuid: null } },
    ...{ 'object-attributes': { attribute_value: 'BGS 9' }, set_sources: { title: 't', notes: 'n' } },
    identifiers: { source: 'tcdb', value: 'other' },
  }
  test.each(Object.entries(edits))('of one of the %s', async (type, attributes) => {
    const record = await now((await aWorld(app, 'published'))[type as keyof World])
    await change(record, attributes)
    const changed = await newestOf(record)
    const answer = await revert(record)
    expect(answer.status).toBe(201)
    expect(content(await now(record))).toEqual(content(record))
    const [newest, before] = await historyOf(record)
    expect(before?.id).toBe(changed)
    expect(newest).toMatchObject({ id: answer.one.id, attributes: { cause: 'revert', cause_id: null } })
    expect(answer.one).toMatchObject({ type: 'revisions', attributes: newest?.attributes })
    expect(answer.headers.get('location')).toBe(`${app.baseUrl}${at(record)}/revisions`)
  })

  test('of a player-team, with the names of its cards', async () => {
    const pair = await make.playerTeam()
    const card = await make.card({ number: '1', oncard: [pair] })
    await change(pair, { player_id: (await make.player()).id, team_id: (await make.team()).id })
    expect((await revert(pair)).status).toBe(201)
    expect(content(await now(pair))).toEqual(content({ ...pair, relationships: (await now(pair)).relationships }))
    expect((await now(card)).attributes.name).toBe(card.attributes.name as never)
  })

  test('of the relationships of a card and of a set', async () => {
    const [one, other, codes] = [
      await make.player(),
      await make.team(),
      [await make.attribute(), await make.attribute()],
    ]
    const card = await now(await make.card({ oncard: [one, other], attributes: codes }))
    await change(card, {}, { set: toOne(await make.set()), oncard: toMany([other]), card_attributes: toMany([]) })
    await revert(card)
    expect(content(await now(card))).toEqual(content(card))
    const set = await now(await make.set({ genre: await make.genre(), year: await make.year() }))
    const parent = await make.set()
    await change(set, {}, { genre: toOne(null), year: toOne(await make.year()), parent: toOne(parent) })
    await revert(set)
    expect(content(await now(set))).toEqual(content(set))
  })

  test('and leaves what was changed of other fields since', async () => {
    const player = await make.player({ first_name: 'Ken', last_name: 'Griffey Jr' })
    await change(player, { last_name: 'Griffey Jr.' })
    const wrong = await newestOf(player)
    await change(player, { first_name: 'George', position: 'CF' })
    await revert(player, wrong)
    expect((await now(player)).attributes).toMatchObject({ name: 'George Griffey Jr', position: 'CF' })
  })

  test('of a publishing, which hides the set and its cards again', async () => {
    const set = await make.set()
    const card = await make.card({ set })
    await setStatus(app, set, 'published')
    expect((await app.reader.get(at(card))).status).toBe(200)
    await revert(set)
    expect((await app.reader.get(at(card))).status).toBe(404)
  })

  test('of a revert', async () => {
    const team = await make.team({ name: 'One' })
    await change(team, { name: 'Two' })
    for (const name of ['One', 'Two', 'One']) {
      await revert(team)
      expect((await now(team)).attributes.name).toBe(name)
    }
  })
})

describe('a revert of a delete', () => {
  test('of a set brings its cards back, with all that was attached', async () => {
    const world = await aWorld(app, 'published')
    const kept = ['sets', 'cards', 'object-attributes', 'card_images', 'set_sources', 'identifiers', 'genres'] as const
    const read = () => Promise.all(kept.map(async (type) => (await app.reader.get(at(world[type]))).status))
    await remove(world.sets)
    expect(await read()).toEqual([404, 404, 404, 404, 404, 404, 404])
    expect((await revert(world.sets)).status).toBe(201)
    expect(await read()).toEqual([200, 200, 200, 200, 200, 200, 200])
    const { many } = await operator.get(`/internal/audit-logs?filter[auditable_id]=${world.sets.id}`)
    expect(many.map(({ attributes }) => attributes.event_type)).toEqual(
      expect.arrayContaining(['revision.reverted', 'set.restored']),
    )
  })

  test('of a card brings it back with what was on it and attached to it', async () => {
    const world = await aWorld(app, 'published')
    const card = await now(world.cards)
    await remove(card)
    expect((await app.reader.get(at(world['object-attributes']))).status).toBe(404)
    await revert(card)
    expect(content(await now(card))).toEqual(content(card))
    for (const type of ['object-attributes', 'card_images'] as const)
      expect((await app.reader.get(at(world[type]))).status).toBe(200)
  })

  test.each(['attributes', 'brands', 'genres', 'years', 'teams', 'players'] as const)(
    'of one of the %s',
    async (type) => {
      const record = await now(await make[type.slice(0, -1) as 'team']())
      await remove(record)
      expect((await revert(record)).status).toBe(201)
      expect(content(await now(record)).rest).toEqual(content(record).rest)
    },
  )

  test('of a player brings the values of attributes back', async () => {
    const player = await make.player()
    const value = await make.objectAttribute(player)
    await remove(player)
    expect((await operator.get(at(value))).status).toBe(404)
    await revert(player)
    expect((await operator.get(at(value))).status).toBe(200)
  })

  test.each(['object-attributes', 'set_sources', 'identifiers', 'playerteams'] as const)(
    'of one of the %s',
    async (type) => {
      const world = await aWorld(app, 'published')
      const record = await now(world[type])
      if (type === 'playerteams') await change(world.cards, {}, { oncard: toMany([]) })
      await remove(record)
      expect((await revert(record)).status).toBe(201)
      expect(content(await now(record))).toEqual(content(record))
      expect((await app.reader.get(at(record))).status).toBe(type === 'playerteams' ? 404 : 200)
    },
  )

  test('of a card leaves an identifier that another card has taken to that one', async () => {
    const card = await make.card()
    const identifier = await make.identifier(card)
    await remove(card)
    const { source, value } = identifier.attributes
    const taken = await make.identifier(await make.card(), { source, value })
    const reverted = await revert(card)
    expect([reverted.status, reverted.document.meta]).toEqual([201, { left_out: [identifierOf(identifier)] }])
    expect((await operator.get(at(identifier))).status).toBe(404)
    expect((await revert(identifier)).status).toBe(409)
    await remove(taken)
    expect((await revert(identifier)).status).toBe(201)
    expect(content(await now(identifier))).toEqual(content(identifier))
  })

  test('of a set names the identifiers of its cards that were taken meanwhile, and no others', async () => {
    const [set, other] = [await make.set(), await make.card()]
    const cards = [await make.card({ set }), await make.card({ set }), await make.card({ set })]
    const [first, second, third] = await Promise.all(cards.map((card) => make.identifier(card)))
    if (!first || !second || !third) throw new Error('There are three.')
    await remove(second)
    await remove(set)
    const take = ({ attributes: { source, value } }: Shown) => make.identifier(other, { source, value })
    const [, taken] = [await take(second), await take(first)]
    await remove(taken)
    expect((await revert(set)).document.meta).toEqual({ left_out: [identifierOf(first)] })
    expect((await operator.get(at(third))).status).toBe(200)
    expect((await revert(first)).document.meta).toEqual({ left_out: [] })
  })

  test('takes back a restoration, too', async () => {
    const pair = await make.playerTeam()
    await remove(pair)
    await revert(pair)
    expect((await revert(pair)).status).toBe(201)
    expect((await operator.get(at(pair))).status).toBe(404)
  })
})

describe('a revert that cannot be is a 409 that names why, and changes nothing', () => {
  const refused = async (record: Shown, why: string, revision?: string) => {
    const history = await historyOf(record)
    const { status, document } = await revert(record, revision)
    expect([status, document.errors?.[0]?.detail]).toEqual([409, expect.stringContaining(why)])
    expect(await historyOf(record)).toEqual(history)
  }
  test('a name that is taken', async () => {
    const [name, brand, code] = [aName('Brand'), await make.brand(), await make.attribute({ attribute: aName('C') })]
    await change(brand, { name })
    const old = String(brand.attributes.name)
    await make.brand({ name: old.toUpperCase() })
    await refused(brand, 'taken')
    await remove(code)
    await make.attribute({ attribute: code.attributes.attribute })
    await refused(code, 'taken')
  })
  test('a player that is gone, from the card and from the pair', async () => {
    const [player, card] = [await make.player(), await make.card()]
    const pair = await make.playerTeam({ player })
    await change(card, {}, { oncard: toMany([player]) })
    await change(card, {}, { oncard: toMany([]) })
    await change(pair, { player_id: (await make.player()).id })
    await remove(player)
    await refused(card, 'There is no such player')
    await refused(pair, 'There is no such player')
  })
  test('a set that is gone, or gone for good', async () => {
    const [soft, hard] = [await make.set(), await make.set()]
    const [one, other] = [await make.card({ set: soft }), await make.card({ set: hard })]
    for (const card of [one, other]) await change(card, {}, { set: toOne(await make.set()) })
    await remove(soft)
    await operator.delete(`${at(hard)}?force=true`)
    for (const card of [one, other]) await refused(card, 'There is no such set')
  })
  test('a parent that was erased', async () => {
    const parent = await make.set()
    const child = await make.set({ parent })
    await change(child, {}, { parent: toOne(null) })
    await operator.delete(`${at(parent)}?force=true`)
    await refused(child, 'There is no such parent')
  })
  test('another field of what is deleted, a card of a deleted set, and what is erased', async () => {
    const set = await make.set()
    const card = await make.card({ set, number: '1' })
    await change(card, { number: '2' })
    const number = await newestOf(card)
    await remove(card)
    await refused(card, 'deleted', number)
    await remove(set)
    await refused(card, 'There is no such set')
    await revert(set)
    await operator.delete(`${at(set)}?force=true`)
    await refused(card, 'permanently deleted')
    await refused(set, 'permanently deleted')
  })
  test('a card in the way: a brand in use, a value beside another, a pair on a card', async () => {
    const brand = await make.brand()
    await remove(brand)
    await revert(brand)
    await make.set({ brand })
    await refused(brand, 'used by 1 live set')
    const card = await make.card()
    const value = await make.objectAttribute(card)
    await remove(value)
    await make.objectAttribute(card, { attribute_id: value.attributes.attribute_id })
    await refused(value, 'already has a value for this attribute')
  })
  test('a pair that another record is, an image whose files are gone, and what is so already', async () => {
    const [pair, team] = [await make.playerTeam(), await make.team()]
    await change(pair, { team_id: team.id })
    const old = { player_id: pair.attributes.player_id, team_id: pair.attributes.team_id }
    await operator.post('/v2/player-teams', aDocument('playerteams', old))
    await refused(pair, 'taken')
    const world = await aWorld(app, 'draft')
    await remove(world.card_images)
    await refused(world.card_images, 'files')
    const set = await make.set({ name: 'One' })
    await change(set, { name: 'Two' })
    await change(set, { name: 'One' })
    await refused(set, 'already', (await historyOf(set))[1]?.id)
  })
})

describe('what it takes', () => {
  test('an unknown revision is a 404, one of another record a 422', async () => {
    const [one, other] = [await make.team(), await make.team()]
    await change(one, { name: 'Else' })
    const revision = await newestOf(one)
    expect((await post({ object_type: 'teams', object_id: one.id, revision: '99999999' })).status).toBe(404)
    for (const [object_type, object_id] of [
      ['teams', other.id],
      ['players', one.id],
      ['teams', crypto.randomUUID()],
    ])
      expect((await post({ object_type, object_id, revision })).faults).toEqual(['VALIDATION-FAILED /revision'])
    const asNumber = { object_type: 'teams', object_id: one.id.toUpperCase(), revision: Number(revision) }
    expect((await post(asNumber)).status).toBe(201)
  })
  test.each([
    [{}, ['/object_type', '/object_id', '/revision']],
    [{ object_type: 'users', object_id: 'x', revision: '1' }, ['/object_type', '/object_id']],
    [{ object_type: 'cards', object_id: crypto.randomUUID(), revision: '0' }, ['/revision']],
    [{ object_type: 'cards', object_id: crypto.randomUUID(), revision: '9'.repeat(30) }, ['/revision']],
    [{ object_type: 'cards', object_id: crypto.randomUUID(), revision: 1.5 }, ['/revision']],
    [{ object_type: 'cards', object_id: crypto.randomUUID(), revision: -1 }, ['/revision']],
    [{ object_type: 'cards', object_id: crypto.randomUUID(), revision: ['1'] }, ['/revision']],
    [{ object_type: ['cards'], object_id: null, revision: null }, ['/object_type', '/object_id', '/revision']],
    [{ object_type: 'constructor', object_id: crypto.randomUUID(), revision: '1' }, ['/object_type']],
    [{ object_type: 'cards', object_id: crypto.randomUUID(), revision: '1', note: 1 }, ['/note']],
  ])('%j is a 422', async (body, pointers) => {
    const answer = await post(body)
    expect([answer.status, answer.faults.map((fault) => fault.split(' ')[1])]).toEqual([422, pointers])
  })
  test.each(['', '[]', '"x"', 'null', '{"object_type":', '\u0000'])('a body %j is refused', async (body) => {
    const sent = { body, headers: { 'Content-Type': 'application/json' } }
    expect([400, 422]).toContain((await operator.send('POST', '/internal/reverts', sent)).status)
  })
  test('says in the audit log who reverted what', async () => {
    const team = await make.team()
    await change(team, { name: 'Else' })
    const revision = await newestOf(team)
    expect((await post({ object_type: 'teams', object_id: team.id, revision }, app.internalMachine)).status).toBe(201)
    const log = `/internal/audit-logs?filter[auditable_id]=${team.id}&filter[event_type]=revision.reverted`
    const { many } = await operator.get(log)
    expect(many.map(({ attributes }) => attributes)).toMatchObject([
      { event_type: 'revision.reverted', auditable_type: 'teams', data: { revision } },
    ])
    const [newest] = await historyOf(team)
    expect(newest?.attributes.agent_id).toBe(many[0]?.attributes.agent_id as never)
    expect(newest?.attributes.agent_id).toMatch(/^client:/)
  })
})
