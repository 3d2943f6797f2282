import { describe, expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'
import { aDocument, factories, toMany, toOne } from '../../../support/factories.ts'
import { aPng } from '../../../support/image.ts'
import { merging } from '../../../support/merges.ts'
import { flat } from '../../../support/people.ts'
import { operate } from '../../../support/storm-of-writers.ts'

const app = await testApp()
const { operator, reader } = app
const make = factories(app)
const { merge, undo } = merging(app)

const [set, draft] = [await make.set({ status: 'published' }), await make.set()]
const [from, into, team] = [await make.player(), await make.player(), await make.team()]
const card = await make.card({ set, oncard: [from] })
const cached = await reader.get(`/v1/players/${from.id}`)
await merge([from], into)
const identifier = { type: 'players', id: into.id }
const mergedInto = (document: unknown) => (document as { meta?: { merged_into?: unknown } }).meta?.merged_into

const deletionOf = async (id: string) =>
  (await app.db.sql<{ id: string }[]>`select id from revisions where object_id = ${id} order by id desc limit 1`)[0]?.id

describe('a merged id', () => {
  test.each([
    ['/v1/players/:id', '?fields[players]=last_name'],
    ['/v1/players/:id/cards', '?page=1'],
    ['/v2/players/:id', ''],
    ['/v2/players/:id/cards', '?page[size]=5'],
  ])('is a 301 at %s%s', async (path, query) => {
    const answer = await reader.get(path.replace(':id', from.id) + query)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([301, 'no-cache'])
    const { pathname, search } = new URL(answer.headers.get('location') ?? '')
    expect(pathname).toBe(path.replace(':id', into.id))
    expect(decodeURIComponent(search)).toBe(query)
    expect(mergedInto(answer.document)).toEqual(identifier)
  })

  test('is one for HEAD and for a caller who has an answer from before', async () => {
    const headers = { 'If-None-Match': cached.headers.get('etag') ?? '' }
    expect((await reader.get(`/v1/players/${from.id}`, headers)).status).toBe(301)
    const head = await reader.send('HEAD', `/v2/players/${from.id.toUpperCase()}`)
    expect([head.status, head.headers.get('location')]).toEqual([301, expect.stringContaining(into.id)] as never)
  })

  test('leads on at every moment, also while its target is merged itself', async () => {
    const first = await make.player()
    let last = await make.player()
    for (const one of [first, last]) await make.card({ set, oncard: [one] })
    await merge([first], last)
    for (let round = 0; round < 20; round++) {
      const next = await make.player()
      await make.card({ set, oncard: [next] })
      let isMerged = false
      const merged = merge([last], next).finally(() => {
        isMerged = true
      })
      const statuses = new Set<number>()
      while (!isMerged) statuses.add((await reader.get(`/v2/players/${first.id}`)).status)
      await merged
      expect([...statuses]).toEqual([301])
      last = next
    }
  })

  test('is a 404 where the target is hidden', async () => {
    const [one, other] = [await make.player(), await make.player()]
    await make.card({ set: draft, oncard: [one] })
    await merge([one], other)
    expect((await reader.get(`/v2/players/${one.id}`)).status).toBe(404)
    expect((await operator.get(`/v2/players/${one.id}`)).status).toBe(301)
    expect((await operator.get(`/v2/teams/${one.id}`)).status).toBe(404)
  })

  test('has no history of its own for readers, but that of the target', async () => {
    const { status, headers } = await operator.get(`/v2/players/${from.id}/revisions`)
    expect([status, headers.get('location')]).toEqual([301, expect.stringContaining(`${into.id}/revisions`)] as never)
  })

  test('is written with a 409 that names the target', async () => {
    const document = aDocument('players', { last_name: 'New' }, {}, from.id)
    const answers = [
      await operator.patch(`/v1/players/${from.id}`, document),
      await operator.patch(`/v2/players/${from.id}`, document),
      await operator.delete(`/v1/players/${from.id}`),
      await operate(operator, [{ op: 'update', data: document.data }]),
      await operate(operator, [{ op: 'remove', ref: { type: 'players', id: from.id } }]),
      await operate(operator, [{ op: 'remove', href: `/v2/players/${from.id}` }]),
    ]
    const reverted = await operator.send('POST', '/internal/reverts', {
      body: JSON.stringify({ object_type: 'players', object_id: from.id, revision: await deletionOf(from.id) }),
      headers: { 'Content-Type': 'application/json' },
    })
    for (const { status, document: said } of [...answers, reverted]) {
      expect([status, said.errors?.[0]?.code, said.errors?.[0]?.meta?.merged_into, mergedInto(said)]).toEqual([
        ...[409, 'RESOURCE_MERGED', identifier, identifier],
      ] as never)
    }
  })
})

describe('a merged id means the target', () => {
  const idsOf = async (path: string) => (await reader.get(path)).many.map(({ id }) => id)

  test('in filters', async () => {
    expect(await idsOf(`/v1/cards?filter[player_id]=${from.id}`)).toEqual([card.id])
    for (const filter of [`[player]=${from.id}`, `[player]=${from.id},d0000000-0000-4000-8000-000000000000`])
      expect(await idsOf(`/v2/cards?filter${filter}`)).toEqual([card.id])
    expect(await idsOf(`/v2/players?filter[id]=${from.id}`)).toEqual([into.id])
    expect(await idsOf(`/v2/cards?filter[player][ne]=${from.id}&filter[id]=${card.id}`)).toEqual([])
  })

  test('in searches', async () => {
    const [oldGenre, genre] = [await make.genre(), await make.genre()]
    const found = await make.set({ genre, name: 'Quagga Zebras', status: 'published' })
    await merge([oldGenre], genre)
    expect(await idsOf(`/v2/search?q=quagga&filter[genre]=${oldGenre.id}`)).toEqual([found.id])
    expect(await idsOf(`/v2/search?q=id:${from.id}&filter[type]=players`)).toEqual([into.id])
    expect(await idsOf(`/v2/search?q=quagga -id:${oldGenre.id}`)).toEqual([])
  })

  test('in what operators ask for', async () => {
    const [oldGenre, genre] = [await make.genre(), await make.genre()]
    const set = await make.set({ genre })
    await merge([oldGenre], genre)
    const asked = { all_draft: true, genre_id: oldGenre.id }
    const { flat: begun } = await flat(operator, 'POST', '/internal/todo-initialization-jobs', asked)
    expect([begun.initialized, begun.resolved_count]).toEqual([1, 1])
    const query = `?step=discover_sources&genre_id=${oldGenre.id}`
    const { flat: listed } = await flat(operator, 'GET', `/internal/actionable-sets${query}`)
    expect(listed).toMatchObject({ data: [{ set_id: set.id }], meta: { full_total: 1 } })
    const { flat: counted } = await flat(operator, 'GET', `/internal/actionable-sets/count${query}`)
    expect(counted.count).toBe(1)
  })

  test('in references of documents', async () => {
    const made = await operator.post('/v1/cards', aDocument('cards', {}, { set: toOne(set), oncard: toMany([from]) }))
    expect([made.status, made.one.relationships?.oncard?.data]).toEqual([201, [identifier]] as never)
    const pair = await operator.post(
      '/v1/player-teams',
      aDocument('playerteams', { player_id: from.id, team_id: team.id }),
    )
    expect([pair.status, pair.one.attributes.player_id]).toEqual([201, into.id])
    const members = `/v2/cards/${made.one.id}/relationships/oncard`
    const removed = await operator.send('DELETE', members, {
      ...{ body: JSON.stringify(toMany([from])), headers: { 'Content-Type': 'application/vnd.api+json' } },
    })
    expect([removed.status, removed.many]).toEqual([200, []] as never)
    const operated = await operate(operator, [
      {
        op: 'add',
        data: { type: 'cards', attributes: {}, relationships: { set: toOne(set), oncard: toMany([from]) } },
      },
    ])
    expect([operated.status, operated.text]).toEqual([200, expect.stringContaining(into.id)] as never)
  })

  test('in uploads, splits and workflows', async () => {
    const [genre, season, former, old] = [
      await make.genre(),
      await make.genre(),
      await make.team(),
      await make.player(),
    ]
    const [kept, gone, club] = [
      await make.set({ genre, status: 'published' }),
      await make.set({ genre: season }),
      await make.team(),
    ]
    const held = await make.card({ set: kept, oncard: [old] })
    const pair = await make.playerTeam({ player: old, team: former })
    const moved = await make.card({ set: gone, oncard: [pair] })
    for (const [one, target] of [
      [season, genre],
      [gone, kept],
      [former, club],
      [old, into],
      [moved, held],
    ] as const)
      await merge([one], target)
    const picture = { body: aPng(30, 40).slice().buffer, headers: { 'Content-Type': 'image/png' } }
    const image = await operator.send('POST', `/v1/card-images?card_id=${moved.id}`, picture)
    expect([image.status, image.text]).toEqual([201, expect.stringContaining(held.id)] as never)
    const paired = await make.card({ set: kept, oncard: [pair] })
    const split = async (cards: unknown) => {
      const body = JSON.stringify({ player_id: old.id, attributes: { last_name: 'New' }, cards })
      const answer = await operator.send('POST', '/internal/splits', {
        ...{ body, headers: { 'Content-Type': 'application/json' } },
      })
      expect([answer.status, answer.text]).toEqual([201, expect.any(String)] as never)
      await merge([answer.one], into)
      return answer.meta.moved
    }
    expect(await split([moved.id])).toBe(1)
    expect(await split({ genre_id: season.id })).toBe(2)
    expect(await split({ set_ids: [gone.id] })).toBe(2)
    expect(await split({ team_id: former.id })).toBe(1)
    expect(await idsOf(`/v2/cards?filter[set]=${kept.id}&filter[player]=${into.id}`)).toEqual(
      [held.id, paired.id].toSorted(),
    )
    const body = JSON.stringify({ set_ids: [gone.id, kept.id] })
    const begun = await operator.send('POST', '/internal/todo-initialization-jobs', {
      ...{ body, headers: { 'Content-Type': 'application/json' } },
    })
    expect(begun.document).toMatchObject({ initialized: 1, errors: [] })
  })
})

test('an undone merge leaves no redirect', async () => {
  const [one, other] = [await make.player(), await make.player()]
  await undo(await merge([one], other))
  expect((await operator.get(`/v2/players/${one.id}`)).status).toBe(200)
})
