import { describe, expect, test } from 'bun:test'
import { idsOf, type Shown } from '../../support/answer.ts'
import { testApp } from '../../support/app.ts'
import { aDocument, factories, toMany, toOne } from '../../support/factories.ts'
import { aWorld } from '../../support/worlds.ts'

const app = await testApp()
const { operator } = app
const make = factories(app)

const paths: Record<string, string> = {
  ...{ playerteams: 'player-teams', set_sources: 'set-sources', card_images: 'card-images' },
}
const at = ({ type, id }: Pick<Shown, 'type' | 'id'>) => `/v2/${paths[type] ?? type}/${id}`
const change = async (record: Shown, attributes: object, relationships: object = {}) => {
  const answer = await operator.patch(
    at(record),
    aDocument(record.type, { ...attributes }, { ...relationships }, record.id),
  )
  expect(answer.status).toBe(200)
}
const historyOf = async (record: Pick<Shown, 'type' | 'id'>, query = '') => {
  const answer = await operator.get(`${at(record)}/revisions${query}`)
  expect(answer.status).toBe(200)
  return answer.many
}
const changesOf = async (record: Shown) => (await historyOf(record)).map(({ attributes }) => attributes.changes)

describe('every kind of record has a history', () => {
  const edits: Record<string, [attributes: object, changes: object]> = {
    attributes: [{ name: 'Rookie' }, { name: { before: expect.any(String), after: 'Rookie' } }],
    brands: [{ description: 'A label' }, { description: { before: null, after: 'A label' } }],
    manufacturers: [{ description: 'A maker' }, { description: { before: null, after: 'A maker' } }],
    genres: [{ description: 'A sport' }, { description: { before: null, after: 'A sport' } }],
    years: [{ name: '1989' }, { name: { before: expect.any(String), after: '1989' } }],
    teams: [{ location: 'Chicago' }, { location: { before: null, after: 'Chicago' } }],
    players: [{ position: 'SG' }, { position: { before: null, after: 'SG' } }],
    sets: [{ kind: 'insert' }, { kind: { before: 'base', after: 'insert' } }],
    cards: [{ title: 'Air' }, { title: { before: null, after: 'Air' } }],
    'object-attributes': [{ attribute_value: 'BGS 9' }, { attribute_value: { before: 'PSA 10', after: 'BGS 9' } }],
    identifiers: [{ value: 'x-2' }, { value: { before: expect.any(String), after: 'x-2' } }],
    set_sources: [{ title: 'A list' }, { title: { before: null, after: 'A list' } }],
  }
  test.each(Object.entries(edits))('%s', async (type, [attributes, changes]) => {
    const record = (await aWorld(app, 'draft'))[type as 'cards']
    const made = await historyOf(record)
    await change(record, attributes)
    const [revision, ...earlier] = await historyOf(record)
    expect(idsOf(earlier)).toEqual(idsOf(made))
    expect(revision).toMatchObject({
      type: 'revisions',
      attributes: { object_type: type, object_id: record.id, cause: 'request', cause_id: null, changes },
    })
    expect(revision?.attributes.agent_id).toMatch(/^user:/)
  })

  test('creating a record leaves no revision', async () => {
    const { cards: _, ...world } = await aWorld(app, 'published')
    for (const record of Object.values(world)) expect(await historyOf(record)).toEqual([])
  })

  test('player-teams', async () => {
    const [pair, team] = [await make.playerTeam(), await make.team()]
    await change(pair, { team_id: team.id })
    await operator.delete(at(pair))
    await operator.post(
      '/v2/player-teams',
      aDocument('playerteams', { player_id: pair.attributes.player_id, team_id: team.id }),
    )
    expect(await changesOf(pair)).toEqual([
      { deleted: { before: true, after: false } },
      { deleted: { before: false, after: true } },
      { team_id: { before: pair.attributes.team_id, after: team.id } },
    ])
  })

  test.each([
    'card_images',
    'object-attributes',
    'set_sources',
    'identifiers',
    'playerteams',
    'cards',
    'sets',
    'players',
    'brands',
  ])('a delete of one of the %s leaves one, which is read under its id', async (type) => {
    const world = await aWorld(app, 'draft')
    if (type === 'playerteams' || type === 'players') await operator.delete(at(world.cards))
    if (type === 'brands') await operator.delete(at(world.sets))
    const record = world[type as 'cards']
    expect((await operator.delete(at(record))).status).toBe(204)
    expect((await changesOf(record))[0]).toEqual({ deleted: { before: false, after: true } })
  })
})

describe('what a card is changed by', () => {
  test('a relationship, an operation and a batch', async () => {
    const [player, team, attribute] = [await make.player(), await make.team(), await make.attribute()]
    const [card, set] = [await make.card({ oncard: [player] }), await make.set()]
    await operator.post(`${at(card)}/relationships/oncard`, toMany([team]))
    await operator.patch(`${at(card)}/relationships/card_attributes`, toMany([attribute]))
    await operator.send('POST', '/v2/operations', {
      headers: { 'Content-Type': 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"' },
      body: JSON.stringify({
        'atomic:operations': [{ op: 'update', data: { ...aDocument('cards', {}, { set: toOne(set) }, card.id).data } }],
      }),
    })
    const batch = { data: [aDocument('cards', { number: '7' }, {}, card.id).data] }
    expect((await operator.post('/internal/card-batches', batch)).status).toBe(200)
    const [first, second] = [
      { type: 'players', id: player.id },
      { type: 'teams', id: team.id },
    ]
    expect(await changesOf(card)).toEqual([
      { number: { before: null, after: '7' } },
      { set_id: { before: card.relationships.set?.data && expect.any(String), after: set.id } },
      { card_attributes: { before: [], after: [{ type: 'attributes', id: attribute.id }] } },
      { oncard: { before: [first], after: [first, second] } },
    ])
    const agents = (await historyOf(card)).map(({ attributes }) => attributes.agent_id)
    expect(new Set(agents).size).toBe(1)
  })

  test('a batch that says nothing new, another name on it and a new number of its set leave none', async () => {
    const player = await make.player()
    const card = await make.card({ number: '1', oncard: [player] })
    const batch = { data: [aDocument('cards', { number: '1' }, {}, card.id).data] }
    await operator.post('/internal/card-batches', batch)
    await change(player, { first_name: 'Sam' })
    expect(await historyOf(card)).toEqual([])
  })

  test('an image that goes takes its place on a card along, of a deleted set, too', async () => {
    const world = await aWorld(app, 'draft')
    const other = await make.card({ image_uuid: world.card_images.id })
    await operator.delete(`/v2/sets/${other.relationships.set?.data && (other.relationships.set.data as Shown).id}`)
    await operator.delete(at(world.card_images))
    const lost = { image_uuid: { before: world.card_images.id, after: null } }
    expect((await changesOf(world.cards))[0]).toEqual(lost)
    expect((await changesOf(other))[0]).toEqual(lost)
  })

  test('a set that is erased leaves its history, and one on what referred to it', async () => {
    const world = await aWorld(app, 'draft')
    const other = await make.card({ image_uuid: world.card_images.id })
    expect((await operator.delete(`${at(world.sets)}?force=true`)).status).toBe(204)
    expect(await changesOf(world.sets)).toEqual([{ deleted: { before: false, after: true } }])
    expect(await changesOf(other)).toEqual([{ image_uuid: { before: world.card_images.id, after: null } }])
  })
})

describe('the list', () => {
  const numbered = async (count: number) => {
    const team = await make.team()
    for (let n = 0; n < count; n++) await change(team, { abbreviation: `N${n}` })
    return team
  }
  const abbreviations = (revisions: Shown[]) =>
    revisions.map(({ attributes }) => (attributes.changes as Record<string, { after: string }>).abbreviation?.after)

  test('is newest first, and walked forward and backward', async () => {
    const team = await numbered(5)
    const first = await operator.get(`${at(team)}/revisions?page[size]=2`)
    expect(abbreviations(first.many)).toEqual(['N4', 'N3'])
    expect(first.meta).toEqual({ page: { total: 5 } })
    const follow = (link: string | undefined) => operator.get((link ?? '').slice(app.baseUrl.length))
    const second = await follow(first.links.next)
    expect(abbreviations(second.many)).toEqual(['N2', 'N1'])
    const third = await follow(second.links.next)
    expect([abbreviations(third.many), third.links.next]).toEqual([['N0'], null] as never)
    expect(idsOf((await follow(third.links.prev)).many)).toEqual(idsOf(second.many))
    expect(idsOf((await follow(first.links.last)).many)).toEqual(idsOf([...second.many.slice(1), ...third.many]))
  })

  test('takes fields, and refuses what is none of its cursors, sorts or filters', async () => {
    const team = await numbered(1)
    const [only] = await historyOf(team, '?fields[revisions]=cause')
    expect(only?.attributes).toEqual({ cause: 'request' })
    const cursor = (await operator.get('/v2/teams?page[size]=1')).links.next?.split('page%5Bafter%5D=')[1]
    const queries = ['page[after]=x', `page[after]=${cursor}`, 'page[size]=101', 'sort=id', 'filter[cause]=request']
    for (const query of [...queries, 'include=object', 'fields[revisions]=nothing'])
      expect([query, (await operator.get(`${at(team)}/revisions?${query}`)).status]).toEqual([query, 400])
  })

  test('is for operators and for who may read all status, and is none where nothing was', async () => {
    const card = await make.card()
    await operator.delete(at(card))
    const path = `${at(card)}/revisions`
    expect((await app.allReader.get(path)).many).toHaveLength(1)
    for (const caller of [app.reader, app.draftReader, app.subscriber, app.visitor, app.blindWriter])
      expect((await caller.get(path)).faults).toEqual(['INSUFFICIENT_SCOPE'])
    for (const id of [crypto.randomUUID(), 'nobody'])
      expect((await operator.get(`/v2/cards/${id}/revisions`)).status).toBe(404)
    expect((await operator.get(`/v2/sets/${card.id}/revisions`)).status).toBe(404)
  })

  test('shows aliases as a list', async () => {
    const genre = await make.genre()
    await change(genre, { aliases: ['One', 'Two'] })
    await change(genre, { aliases: [] })
    expect(await changesOf(genre)).toEqual([
      { aliases: { before: ['One', 'Two'], after: [] } },
      { aliases: { before: [], after: ['One', 'Two'] } },
    ])
  })
})
