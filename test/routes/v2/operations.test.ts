import { describe, expect, test } from 'bun:test'
import type { Shown } from '../../support/answer.ts'
import { testApp } from '../../support/app.ts'
import { type Client, clientWith } from '../../support/callers.ts'
import { aName, factories, toOne } from '../../support/factories.ts'
import { otherSettings } from '../../support/other-settings.ts'

const app = await testApp()
const { draftReader, operator, writer } = app
const make = factories(app)
const path = '/v2/operations'
const mediaType = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'

const send = async (operations: unknown, client: Client = operator) => {
  const answer = await client.post(path, { 'atomic:operations': operations }, { 'Content-Type': mediaType })
  const { 'atomic:results': results = [] } = answer.document as { 'atomic:results'?: { data?: Shown }[] }
  return { status: answer.status, headers: answer.headers, faults: answer.faults, results }
}
const lid = (type: string, name: string) => ({ data: { type, lid: name } })
const add = (type: string, attributes: object, more: object = {}) => ({
  op: 'add',
  data: { type, attributes, ...more },
})
const nameOf = async ({ type, id }: Shown) => (await draftReader.get(`/v2/${type}/${id}`)).one.attributes.name
const idsOf = (record: Shown | undefined, name: string) => {
  const relationships = record?.relationships as Record<string, { data: Shown[] }> | undefined
  return relationships?.[name]?.data.map(({ id }) => id)
}

describe('POST /v2/operations', () => {
  test('writes a set with its cards in one go, local ids standing for what is made', async () => {
    const { status, headers, results } = await send([
      add('sets', { name: 'Atomic' }, { lid: 'base' }),
      add('players', { first_name: 'Ann', last_name: 'Atom' }, { lid: 'ann' }),
      add(
        'cards',
        { number: '1' },
        { lid: 'one', relationships: { set: lid('sets', 'base'), oncard: { data: [lid('players', 'ann').data] } } },
      ),
      {
        op: 'update',
        ref: { type: 'cards', lid: 'one' },
        data: { type: 'cards', lid: 'one', attributes: { title: 'T' } },
      },
    ])
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe(mediaType)
    const [set, player, card, changed] = results.map(({ data }) => data)
    expect(card?.attributes.name).toBe('1 Ann Atom')
    expect(idsOf(card, 'oncard')).toEqual([player?.id as string])
    expect(changed?.id).toBe(card?.id as string)
    expect(await nameOf(changed as Shown)).toContain('T')
    expect((await draftReader.get(`/v2/cards?filter[set]=${set?.id}`)).many.length).toBe(1)
  })

  test('a local id in a relationship names what an attribute would name', async () => {
    const { status, results } = await send([
      add('players', { full_name: 'Ann Lid' }, { lid: 'a' }),
      add('teams', { name: 'Lids' }, { lid: 'a' }),
      add('playerteams', {}, { lid: 'a', relationships: { player: lid('players', 'a'), team: lid('teams', 'a') } }),
      add('teams', { name: 'Caps' }, { lid: 'b' }),
      { op: 'update', data: { type: 'playerteams', lid: 'a', relationships: { team: lid('teams', 'b') } } },
      add('sets', { name: 'Lid set' }, { lid: 'a' }),
      add('set_sources', { source_url: 'https://example.org' }, { relationships: { set: lid('sets', 'a') } }),
      add('attributes', { attribute: 'LID', name: 'Lid' }, { lid: 'a' }),
      add(
        'object-attributes',
        { attribute_value: '1', object_type: 'set' },
        { relationships: { attribute: lid('attributes', 'a'), object: lid('sets', 'a') } },
      ),
    ])
    expect(status).toBe(200)
    const [player, team, pair, caps, moved, set, source, attribute, value] = results.map(({ data }) => data)
    expect(pair?.attributes).toMatchObject({ player_id: player?.id, team_id: team?.id, name: 'Ann Lid (Lids)' })
    expect(moved?.attributes).toMatchObject({ team_id: caps?.id, name: 'Ann Lid (Caps)' })
    expect(source?.attributes.set_id).toBe(set?.id)
    expect(value?.attributes).toMatchObject({ attribute_id: attribute?.id, object_id: set?.id })
    const wrong = add('playerteams', { team_id: team?.id }, { relationships: { player: lid('teams', 'c') } })
    expect((await send([add('teams', { name: 'C' }, { lid: 'c' }), wrong])).faults).toEqual([
      'VALIDATION-FAILED /atomic:operations/1/data/attributes/player_id',
    ])
  })

  test('updates and removes by ref and by href, and changes relationships', async () => {
    const [brand, gone, set] = [await make.brand(), await make.brand(), await make.set()]
    const [one, two] = [await make.player(), await make.player()]
    const card = await make.card({ set, oncard: [one] })
    const oncard = { type: 'cards', id: card.id, relationship: 'oncard' }
    const { status, results } = await send([
      { op: 'update', data: { type: 'brands', id: brand.id, attributes: { name: 'Atomic brand' } } },
      { op: 'remove', href: `${app.baseUrl}/v2/brands/${gone.id}` },
      { op: 'add', ref: oncard, data: [{ type: 'players', id: two.id }] },
      { op: 'remove', href: `/v2/cards/${card.id}/relationships/oncard`, data: [{ type: 'players', id: one.id }] },
      {
        op: 'update',
        ref: { type: 'sets', id: set.id, relationship: 'brand' },
        data: { type: 'brands', id: brand.id },
      },
      { op: 'add', href: '/v2/years', data: { type: 'years', attributes: { name: '1886' } } },
    ])
    expect([status, results.map(({ data }) => data?.type)]).toEqual([
      200,
      ['brands', undefined, undefined, undefined, undefined, 'years'],
    ])
    expect(await nameOf(brand)).toBe('Atomic brand')
    expect((await draftReader.get(`/v2/brands/${gone.id}`)).status).toBe(404)
    expect(idsOf((await draftReader.get(`/v2/cards/${card.id}`)).one, 'oncard')).toEqual([two.id])
    expect((await draftReader.get(`/v2/sets/${set.id}`)).one.relationships).toMatchObject({ brand: toOne(brand) })
  })

  test('takes the addresses that a service under a path shows', async () => {
    const under = otherSettings(app, { BASE_URL: 'https://cards.example.org/binder' })
    const client = clientWith(under.fetch, app.baseUrl, app.headers.operator)
    const { links } = (await client.get(`/v2/brands/${(await make.brand()).id}`)).one
    expect(links).toEqual({ self: expect.stringContaining('https://cards.example.org/binder/v2/brands/') })
    const removal = { op: 'remove', href: links?.self }
    expect((await send([removal], client)).status).toBe(200)
    expect((await send([{ ...removal, href: removal.href?.replace('binder', 'other') }], client)).faults).toEqual([
      'BAD_REQUEST /atomic:operations/0/href',
    ])
  })

  test('shows its writer no reference that is hidden from it', async () => {
    const parent = await make.set()
    const set = await make.set({ parent, status: 'published' })
    const update = { op: 'update', data: { type: 'sets', id: set.id, attributes: { name: 'Hidden parent' } } }
    const parentFor = async (client: Client) =>
      (await send([update], client)).results[0]?.data?.relationships.parent as unknown
    expect(await parentFor(app.publishedWriter)).toEqual({ data: null })
    expect(await parentFor(operator)).toEqual(toOne(parent))
  })

  test('writes nothing where one operation fails, and points at it', async () => {
    const brand = await make.brand()
    const { status, faults } = await send([
      { op: 'update', data: { type: 'brands', id: brand.id, attributes: { name: 'Never' } } },
      add('genres', { name: 'Never' }),
      add('genres', { name: 7 }),
    ])
    expect([status, faults]).toEqual([422, ['VALIDATION-FAILED /atomic:operations/2/data/attributes/name']])
    expect(await nameOf(brand)).toBe(brand.attributes.name as string)
    expect((await draftReader.get('/v2/genres?filter[name]=Never')).many).toEqual([])
  })

  const id = crypto.randomUUID()
  const card = (relationships: object) => add('cards', {}, { relationships })
  test.each<[string, unknown, number, string]>([
    ['no list', {}, 400, '/atomic:operations'],
    ['no operation', [], 400, '/atomic:operations'],
    ['too many', Array(101).fill(add('brands', { name: 'B' })), 422, '/atomic:operations'],
    ['what is no operation', [7], 400, '/atomic:operations/0'],
    ['an unknown op', [{ op: 'move' }], 400, '/atomic:operations/0/op'],
    ['an unknown type', [add('users', {})], 400, '/atomic:operations/0/data/type'],
    ['ref and href', [{ op: 'remove', ref: {}, href: '' }], 400, '/atomic:operations/0'],
    ['a ref without id', [{ op: 'remove', ref: { type: 'sets' } }], 400, '/atomic:operations/0/ref'],
    ['a foreign address', [{ op: 'remove', href: '/v1/sets/7' }], 400, '/atomic:operations/0/href'],
    ['a removal of nothing', [{ op: 'remove' }], 400, '/atomic:operations/0'],
    [
      'a relationship that is none',
      [{ op: 'add', ref: { type: 'sets', id, relationship: 'x' } }],
      400,
      '/atomic:operations/0',
    ],
    [
      'a lid that nobody gave',
      [card({ set: lid('sets', 'none') })],
      400,
      '/atomic:operations/0/data/relationships/set/data/lid',
    ],
    [
      'a member with both an id and a lid',
      [card({ set: { data: { type: 'sets', id, lid: 'none' } } })],
      400,
      '/atomic:operations/0/data/relationships/set/data',
    ],
    [
      'a member of a list with both',
      [
        add('players', { full_name: 'Ann Both' }, { lid: 'a' }),
        card({ oncard: { data: [lid('players', 'a').data, { type: 'players', id, lid: 'a' }] } }),
      ],
      400,
      '/atomic:operations/1/data/relationships/oncard/data/1',
    ],
    [
      'a relationship to both',
      [
        add('sets', { name: 'Both' }, { lid: 'a' }),
        { op: 'update', ref: { type: 'sets', lid: 'a', relationship: 'parent' }, data: { type: 'sets', id, lid: 'a' } },
      ],
      400,
      '/atomic:operations/1/data',
    ],
    [
      'an update of both',
      [
        add('sets', { name: 'Both' }, { lid: 'a' }),
        { op: 'update', ref: { type: 'sets', lid: 'a' }, data: { type: 'sets', id, lid: 'a' } },
      ],
      400,
      '/atomic:operations/1/data',
    ],
    [
      'data with a lid that nobody gave',
      [
        add('sets', { name: 'Both' }, { lid: 'a' }),
        { op: 'update', ref: { type: 'sets', lid: 'a' }, data: { type: 'sets', lid: 'b', attributes: { name: 'B' } } },
      ],
      400,
      '/atomic:operations/1/data/lid',
    ],
    [
      'a lid of another record than the one to change',
      [
        add('sets', { name: 'Both' }, { lid: 'a' }),
        add('sets', { name: 'Other' }, { lid: 'b' }),
        { op: 'update', ref: { type: 'sets', lid: 'a' }, data: { type: 'sets', lid: 'b', attributes: { name: 'B' } } },
      ],
      409,
      '/atomic:operations/2/data/lid',
    ],
    [
      'a lid that nobody gave before a record that is not there',
      [{ op: 'remove', ref: { type: 'sets', id } }, card({ set: lid('sets', 'none') })],
      400,
      '/atomic:operations/1/data/relationships/set/data/lid',
    ],
    [
      'two records of one lid before one that is not there',
      [
        { op: 'remove', ref: { type: 'sets', id } },
        ...[1, 2].map((no) => add('sets', { name: `Twice ${no}` }, { lid: 'a' })),
      ],
      400,
      '/atomic:operations/2/data/lid',
    ],
    [
      'a record that is not there before faults of its fields',
      [{ op: 'update', data: { type: 'sets', id, attributes: { name: 7 } } }],
      404,
      '/atomic:operations/0',
    ],
    [
      'a relationship of a record that is not there before faults of its members',
      [{ op: 'update', ref: { type: 'sets', id, relationship: 'brand' }, data: { type: 'teams', id } }],
      404,
      '/atomic:operations/0',
    ],
    [
      'an address of another host',
      [{ op: 'remove', href: `https://example.org/v2/sets/${id}` }],
      400,
      '/atomic:operations/0/href',
    ],
    ['a ref to both', [{ op: 'remove', ref: { type: 'sets', id, lid: 'a' } }], 400, '/atomic:operations/0/ref'],
    ['a record that is not there', [{ op: 'remove', ref: { type: 'sets', id } }], 404, '/atomic:operations/0'],
    ['a card without a set', [card({})], 422, '/atomic:operations/0/data/relationships/set'],
  ])('refuses %s', async (_, operations, status, pointer) => {
    const answer = await send(operations)
    expect([answer.status, answer.faults.map((fault) => fault.split(' ')[1])]).toEqual([status, [pointer]])
  })

  test('a taken id or place goes before faulty fields, as in a request of its own', async () => {
    const [set, player, team] = [await make.set(), await make.player(), await make.team()]
    const [taken, attribute] = [await make.card({ set }), await make.attribute()]
    await make.playerTeam({ player, team })
    const value = { attribute_id: attribute.id, object_type: 'set', object_id: set.id, attribute_value: '1' }
    expect((await send([add('object-attributes', value)])).status).toBe(200)
    for (const [operation, pointer] of [
      [add('cards', { number: 7 }, { id: taken.id }), '/data/id'],
      [add('object-attributes', { ...value, none: 1 }), ''],
      [add('playerteams', { player_id: player.id, team_id: team.id, none: 1 }), ''],
    ] as const) {
      const { status, faults } = await send([operation])
      expect([status, faults]).toEqual([409, [`CONFLICT /atomic:operations/0${pointer}`]])
    }
    const pair = { type: 'playerteams', attributes: { player_id: player.id, team_id: team.id, none: 1 } }
    expect((await operator.post('/v1/player-teams', { data: pair })).status).toBe(409)
    expect((await operator.post('/v1/player-teams', { data: { ...pair, attributes: { none: 1 } } })).status).toBe(422)
  })

  test.each(['data', 'included'])('refuses %s next to the operations, and writes nothing', async (member) => {
    const body = { 'atomic:operations': [add('genres', { name: 'Beside' })], [member]: [] }
    const { status, faults, document } = await operator.post(path, body, { 'Content-Type': mediaType })
    expect([status, faults]).toEqual([400, [`BAD_REQUEST /${member}`]])
    expect(document.errors?.[0]?.detail).toBe(`A body with atomic:operations cannot have ${member}, too.`)
    expect((await draftReader.get('/v2/genres?filter[name]=Beside')).many).toEqual([])
  })

  test('each operation needs its scope, before anything is written', async () => {
    const brand = await make.brand()
    const { status, faults } = await send([add('genres', { name: 'Scoped' }), { op: 'remove', ref: brand }], writer)
    expect([status, faults]).toEqual([403, ['INSUFFICIENT_SCOPE']])
    expect((await send([add('genres', { name: 'Scoped' })], app.reader)).status).toBe(403)
    expect((await send([add('genres', { name: 'Scoped' })], writer)).status).toBe(200)
  })

  test.each([
    ['application/vnd.api+json', undefined, 415],
    ['application/json', undefined, 415],
    ['application/json', '*/*', 415],
    ['application/json', 'application/json', 200],
    ['application/json', mediaType, 415],
    ['application/json', 'text/html', 415],
    [mediaType, 'application/vnd.api+json', 406],
    [mediaType, 'text/html', 406],
    [mediaType, '*/*', 200],
    [mediaType, mediaType, 200],
  ])('a body of %s for an Accept of %s is %i', async (type, accept, status) => {
    const year = { 'atomic:operations': [add('brands', { name: aName('Brand') })] }
    const headers = { 'Content-Type': type, ...(accept ? { Accept: accept } : {}) }
    expect((await operator.post(path, year, headers)).status).toBe(status)
  })

  test('counts once', async () => {
    const remaining = async (count: number) => {
      const operations = Array.from({ length: count }, () => add('brands', { name: aName('Brand') }))
      return Number((await send(operations)).headers.get('x-ratelimit-remaining'))
    }
    const before = await remaining(1)
    expect(await remaining(5)).toBe(before - 1)
  })
})
