import { expect, test } from 'bun:test'
import { resourcesInV2 } from '../../../src/catalog/model/v2.ts'
import { idsOf, type Shown } from '../../support/answer.ts'
import { testApp, testBaseUrl } from '../../support/app.ts'
import { factories, toMany, toOne } from '../../support/factories.ts'
import { aPng } from '../../support/image.ts'
import { aWorld } from '../../support/worlds.ts'

const app = await testApp()
const make = factories(app)
const world = await aWorld(app, 'published')
const draft = await aWorld(app, 'draft')
const { operator, reader } = app
const path = (link: unknown) => String(link).slice(testBaseUrl.length)
const bare = (items: unknown) => (items as Shown[]).map(({ type, id }) => ({ type, id }))

for (const resource of resourcesInV2)
  for (const [name, { many }] of Object.entries(resource.includes))
    test(`/v2/${resource.path}/{id}/${name} and its relationship lead to what is included`, async () => {
      const one = `/v2/${resource.path}/${world[resource.type as 'cards'].id}`
      const whole = await reader.get(`${one}?include=${name}`)
      const data = whole.one.relationships[name]?.data ?? null
      const [related, linkage] = [await reader.get(`${one}/${name}`), await reader.get(`${one}/relationships/${name}`)]
      expect([related.status, linkage.status]).toEqual([200, 200])
      if (many) {
        expect(bare(related.many)).toEqual(data as Shown[])
        expect(bare(linkage.document.data)).toEqual(data as Shown[])
        expect(related.meta).toEqual({ page: { total: (data as Shown[]).length } })
      } else {
        expect(linkage.document.data as unknown).toEqual(data)
        expect(related.document.data && bare([related.document.data])).toEqual(data && [data as Shown])
        expect(linkage.links).toEqual({
          self: `${testBaseUrl}${one}/relationships/${name}`,
          related: `${testBaseUrl}${one}/${name}`,
        })
      }
      const hidden = `/v2/${resource.path}/${draft[resource.type as 'cards'].id}`
      if (resource.type !== 'attributes')
        for (const address of [`${hidden}/${name}`, `${hidden}/relationships/${name}`])
          expect((await reader.get(address)).status).toBe(404)
      expect((await reader.get(`${one}/${name}?nothing=1`)).faults).toEqual(['INVALID_PARAMETER nothing'])
      const isWritten = name in resource.schema.relationships
      const change = await operator.patch(`${one}/relationships/${name}`, { data })
      expect(change.status).toBe(isWritten ? 200 : 405)
      if (isWritten) expect(change.document.data as unknown).toEqual(data)
      else expect(change.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    })

const aCard = async () => {
  const players = [await make.player(), await make.player(), await make.player()] as const
  const card = await make.card({ set: world.sets, number: '7', oncard: [players[0], players[1]] })
  return { card, players, address: `/v2/cards/${card.id}/relationships/oncard` }
}

test('members are replaced, added once and removed, and the name follows', async () => {
  const { card, players, address } = await aCard()
  const added = await operator.post(address, toMany([players[1], players[2], players[2]]))
  expect(idsOf(added.many)).toEqual(idsOf([...players]))
  const removed = await operator.send('DELETE', address, {
    body: JSON.stringify(toMany([players[0], draft.players])),
    headers: { 'Content-Type': 'application/vnd.api+json' },
  })
  expect(idsOf(removed.many)).toEqual(idsOf([players[1], players[2]]))
  const replaced = await operator.patch(address, toMany([players[2], players[0]]))
  expect(idsOf(replaced.many)).toEqual(idsOf([players[2], players[0]]))
  const { name } = (await operator.get(`/v2/cards/${card.id}`)).one.attributes
  expect(name).toBe(`7 ${players[2].attributes.name} / ${players[0].attributes.name}`)
})

test('a list in a card is paged in its order, and a place survives a member that goes', async () => {
  const { players, address } = await aCard()
  const first = await reader.get(`${address}?page[size]=1`)
  expect([idsOf(first.many), first.meta]).toEqual([[players[0].id], { page: { total: 2 } }])
  await operator.patch(address, toMany([players[1], players[2]]))
  const next = await reader.get(path(first.links.next))
  expect([idsOf(next.many), next.links.prev !== null]).toEqual([[players[1].id], false])
  const last = await reader.get(path(next.links.next))
  expect([idsOf(last.many), last.links.next]).toEqual([[players[2].id], null as never])
  expect(idsOf((await reader.get(path(last.links.prev))).many)).toEqual([players[1].id])
})

test('what is wrong with a member is told at its place in the body', async () => {
  const { players, address } = await aCard()
  const nobody = { type: 'players', id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e' }
  const faults = async (method: 'post' | 'patch', data: unknown, at = address) =>
    (await operator[method](at, { data })).faults
  expect(await faults('post', [bare([players[0]])[0], nobody])).toEqual(['VALIDATION-FAILED /data/1/id'])
  expect(await faults('patch', [nobody, { type: 'sets', id: 'x' }])).toEqual([
    'VALIDATION-FAILED /data/1/type',
    'VALIDATION-FAILED /data/1/id',
  ])
  expect(await faults('patch', null)).toEqual(['VALIDATION-FAILED /data'])
  expect((await operator.patch(address, [])).faults).toEqual(['BAD_REQUEST'])
  const set = address.replace('oncard', 'set')
  expect(await faults('patch', null, set)).toEqual(['VALIDATION-FAILED /data'])
  expect(await faults('patch', { ...nobody, type: 'sets' }, set)).toEqual(['VALIDATION-FAILED /data/id'])
  expect((await operator.post(set, toOne(world.sets))).status).toBe(405)
  expect((await app.reader.patch(address, { data: [] })).status).toBe(403)
})

test('no more members are added than a relationship holds', async () => {
  const players = await Promise.all(Array.from({ length: 99 }, () => make.player()))
  const card = await make.card({ number: '8', oncard: players })
  const address = `/v2/cards/${card.id}/relationships/oncard`
  const two = toMany([await make.player(), await make.player()])
  expect((await operator.post(address, two)).faults).toEqual(['VALIDATION-FAILED /data'])
  expect((await operator.post(address, { data: two.data.slice(1) })).status).toBe(200)
})

test('a change of a relationship heeds If-Match', async () => {
  const { card, address } = await aCard()
  const tag = (await operator.get(`/v2/cards/${card.id}`)).headers.get('etag') as string
  expect((await operator.patch(address, { data: [] }, { 'If-Match': tag })).status).toBe(200)
  expect((await operator.patch(address, { data: [] }, { 'If-Match': tag })).status).toBe(412)
})

test('the cards of a player and of a team are lists like all cards', async () => {
  for (const [owner, { id }] of Object.entries({ players: world.players, teams: world.teams })) {
    const answer = await reader.get(`/v2/${owner}/${id}/cards?sort=-name&filter[number]=1`)
    expect(idsOf(answer.many)).toEqual([world.cards.id])
  }
  expect((await reader.get(`/v2/players/${draft.players.id}/cards`)).status).toBe(404)
})

test('records are made, changed, given an image and deleted under /v2, with their own names of relationships', async () => {
  const made = await operator.post('/v2/cards', {
    data: {
      type: 'cards',
      attributes: { number: '9' },
      relationships: { set: toOne(world.sets), card_attributes: toMany([world.attributes]) },
    },
  })
  expect(made.status).toBe(201)
  expect(made.headers.get('location')).toBe(`${testBaseUrl}/v2/cards/${made.one.id}`)
  expect(made.one.relationships.card_attributes?.data).toEqual(bare([world.attributes]))
  const wrong = { data: { ...bare([made.one])[0], relationships: { card_attributes: toMany([world.players]) } } }
  expect((await operator.patch(`/v2/cards/${made.one.id}`, wrong)).faults).toEqual([
    'VALIDATION-FAILED /data/relationships/card_attributes/data/0/type',
  ])
  const unknown = { ...world.attributes, id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e' }
  const gone = { data: { ...bare([made.one])[0], relationships: { card_attributes: toMany([unknown]) } } }
  expect((await operator.patch(`/v2/cards/${made.one.id}`, gone)).faults).toEqual([
    'VALIDATION-FAILED /data/relationships/card_attributes/data/0/id',
  ])
  const image = await operator.send('POST', `/v2/card-images?card_id=${made.one.id}`, {
    body: aPng(3, 4),
    headers: { 'Content-Type': 'image/png' },
  })
  expect([image.status, image.one.links.self]).toEqual([201, `${testBaseUrl}/v2/card-images/${image.one.id}`])
  expect((await operator.delete(`/v2/cards/${made.one.id}`)).status).toBe(204)
  expect((await operator.get(`/v2/cards/${made.one.id}`)).status).toBe(404)
})

test('includes go two relationships deep, with what stands on the way, each once', async () => {
  const answer = await reader.get('/v2/cards?include=set.genre,set.brand,oncard.player,oncard.team&page[size]=1')
  const types = answer.included.map(({ type }) => type).toSorted()
  expect(types).toEqual(['brands', 'genres', 'players', 'playerteams', 'sets', 'teams'])
  const children = await reader.get(`/v2/genres/${world.genres.id}?include=sets.genre`)
  expect(children.included.map(({ type }) => type)).toEqual(['sets'])
  for (const include of ['set.genre.sets', 'set.nothing', 'oncard.set', 'set.', '.set'])
    expect([include, (await reader.get(`/v2/cards?include=${include}`)).faults]).toEqual([
      include,
      ['INVALID_PARAMETER include'],
    ])
})

test('a member without its type or its id is told that it is missing, not that it is another', async () => {
  const { card } = await aCard()
  const told = async (data: object) => {
    const { status, document } = await operator.patch(`/v2/cards/${card.id}/relationships/set`, { data })
    return [status, ...(document.errors ?? []).map(({ source, detail }) => `${source?.pointer} ${detail}`)]
  }
  expect(await told({ id: card.id })).toEqual([422, '/data/type Is required: sets.'])
  expect(await told({ type: 'sets' })).toEqual([422, '/data/id Is required.'])
  expect(await told({ type: 'cards', id: '1' })).toEqual([422, '/data/type Must be sets.', '/data/id Must be a UUID.'])
})
