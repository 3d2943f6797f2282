import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { routes } from '../../../src/app.ts'
import { holdMirror } from '../../../src/catalog/sync/mirror/state.ts'
import { writesCatalog } from '../../../src/http/route.ts'
import type { Answer } from '../../support/answer.ts'
import { testApp } from '../../support/app.ts'
import { catalogWithEverything } from '../../support/everything.ts'
import { aDocument, aName, factories, setStatus } from '../../support/factories.ts'
import { allOf, follow, reachable, secretOf, untilCurrent } from '../../support/mirrored.ts'
import { until } from '../../support/until.ts'
import { aWorld } from '../../support/worlds.ts'
import { writers } from '../../support/writers.ts'

const [source, mirror, second] = [await testApp(), await testApp(), await testApp()]
const make = factories(source)
const { image } = await catalogWithEverything(source)
const there = reachable(source)
await there.makeFiles()
await follow(mirror, there.url, secretOf(source.headers.reader))
await untilCurrent(source, mirror)

const asSource = async () => {
  await untilCurrent(source, mirror)
  expect(await allOf(mirror.reader)).toEqual(await allOf(source.reader))
  expect([...(await mirror.db.sql`select type, id, waits_for from mirror_waiting`)]).toEqual([])
}
const healthOf = async (app: typeof mirror) =>
  ((await app.reader.get('/health')).document as unknown as { mirror?: Record<string, unknown> }).mirror

test('a mirror is filled with what its source shows, drafts left out, and shows no more to who may see drafts', async () => {
  await asSource()
  expect(await allOf(mirror.operator)).toEqual(await allOf(source.reader))
})

test('what happens at the source happens at the mirror, however small the pages of the feed', async () => {
  const writer = await writers(source, 50)
  there.between.answer = (url, request) => {
    if (url.pathname !== '/v2/changes') return undefined
    url.searchParams.set('page[size]', String(1 + (there.asked.length % 3)))
    return source.fetch(new Request(url, { headers: request.headers, signal: request.signal }))
  }
  for (const seed of [1, 2, 3]) {
    await writer(seed)
    await asSource()
  }
  there.between.answer = undefined
})

test('a set that is hidden goes with all that hangs on it, and comes back', async () => {
  const world = await aWorld(source, 'published')
  await asSource()
  await setStatus(source, world.sets, 'draft')
  await asSource()
  await setStatus(source, world.sets, 'published')
  await asSource()
  expect((await mirror.reader.get(`/v2/cards/${world.cards.id}?include=set,oncard`)).one.id).toBe(world.cards.id)
})

test('a set that was made early and published late stands in its place in checklist order', async () => {
  const [early, late] = [await make.set(), await make.set({ status: 'published' })]
  for (const set of [early, late]) await make.card({ set, number: '1' })
  await asSource()
  await setStatus(source, early, 'published')
  await asSource()
})

test('a text of one line that the source kept before it refused control characters is taken as it is', async () => {
  const set = await make.set({ status: 'published' })
  const setSource = await make.setSource(set)
  const title = 'Two\nlines\u0007'
  await source.db.sql`update set_sources set title = ${title} where id = ${setSource.id}`
  const notes = aDocument('set_sources', { notes: 'Looked at.' }, {}, setSource.id)
  expect((await source.operator.patch(`/v2/set-sources/${setSource.id}`, notes)).status).toBe(200)
  await asSource()
  expect((await mirror.reader.get(`/v2/set-sources/${setSource.id}`)).one.attributes.title).toBe(title)
})

test('a name goes from one record to another', async () => {
  const [one, other] = [aName('Brand'), aName('Brand')]
  const brands = [await make.brand({ name: one }), await make.brand({ name: other })]
  for (const brand of brands) await make.set({ brand, status: 'published' })
  await asSource()
  for (const [at, name] of [
    [0, aName('Brand')],
    [1, one],
    [0, other],
  ] as const) {
    const id = brands[at]?.id
    await source.operator.patch(`/v1/brands/${id}`, aDocument('brands', { name }, {}, id))
  }
  await asSource()
})

describe('its catalog is read-only', () => {
  const unknownId = 'd0000000-0000-4000-8000-000000000000'
  const writes = routes.filter(writesCatalog)
  const codeOf = ({ status, faults }: Answer) => `${status} ${faults}`

  test('every write of the catalog is refused, and nothing else is', async () => {
    expect(writes.length).toBeGreaterThan(80)
    const answers = await Promise.all(
      writes.map(async ({ method, path }) =>
        codeOf(await mirror.operator.send(method, path.replace(/:\w+/g, unknownId))),
      ),
    )
    expect(new Set(answers)).toEqual(new Set(['403 READ_ONLY_MIRROR']))
    expect(codeOf(await source.operator.delete(`/v1/cards/${unknownId}`))).toBe('404 NOT_FOUND')
  })

  test('who may not write is told that first; reads, accounts and credentials go on', async () => {
    expect(codeOf(await mirror.reader.post('/v1/brands', {}))).toBe('403 INSUFFICIENT_SCOPE')
    expect(codeOf(await mirror.stranger().post('/v1/brands', {}))).toBe('401 UNAUTHENTICATED')
    const found = await mirror.reader.post('/v2/cards/collection', { data: [{ type: 'cards', id: unknownId }] })
    expect(found.status).toBe(200)
    expect((await mirror.operator.post('/internal/invites', aDocument('invites'))).status).toBe(201)
    expect((await mirror.visitor.get('/v1/me')).status).toBe(200)
  })
})

test('health and metrics tell how far it is behind; those of another service do not', async () => {
  await untilCurrent(source, mirror)
  const shown = await healthOf(mirror)
  expect(shown).toEqual({
    ...{
      source: there.url,
      state: 'following',
      error: null,
      lag_seconds: expect.any(Number),
      cursor: expect.any(String),
    },
    last_applied_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  })
  expect(await healthOf(source)).toBeUndefined()
})

test('an image is fetched when it is asked for first, and kept', async () => {
  await untilCurrent(source, mirror)
  const [ours, theirs] = [
    (await mirror.reader.get(`/v2/card-images/${image.id}`)).one.attributes,
    (await source.reader.get(`/v2/card-images/${image.id}`)).one.attributes,
  ]
  const bytesOf = async (app: typeof mirror, url: unknown) => (await app.fetch(new Request(String(url)))).bytes()
  const asked = () => there.asked.filter(({ pathname }) => pathname.includes(image.id)).length
  const before = asked()
  const [got, wanted] = [
    await bytesOf(mirror, ours.download_url),
    createHash('sha256')
      .update(await bytesOf(source, theirs.download_url))
      .digest('hex'),
  ]
  expect(createHash('sha256').update(got).digest('hex')).toBe(wanted)
  const once = asked()
  expect(once).toBeGreaterThan(before)
  for (const { url } of ours.variants as { url: string }[])
    expect((await bytesOf(mirror, url)).byteLength).toBeGreaterThan(0)
  expect(asked()).toBe(once)
})

test('while the source is away the mirror answers, and then it goes on', async () => {
  await untilCurrent(source, mirror)
  await there.goAway()
  await until(() => mirror.lines.some(({ event }) => event === 'mirror_source_away'))
  await aWorld(source, 'published')
  expect((await mirror.reader.get('/v2/cards')).status).toBe(200)
  there.comeBack()
  await asSource()
})

test('a mirror that fell too far behind is filled again in place, without an empty moment', async () => {
  // The first id of all.
  const first = await make.card({
    set: await make.set({ status: 'published' }),
    id: `${'0'.repeat(8)}${'-0000'.repeat(3)}-${'0'.repeat(12)}`,
  })
  await untilCurrent(source, mirror)
  const refuse = (status: number) => Response.json({ errors: [{ status: String(status) }] }, { status })
  there.between.answer = (url) => (url.pathname === '/v2/changes' ? refuse(503) : undefined)
  const kept = await make.set({ status: 'published' })
  const card = await make.card({ set: kept, number: '77' })
  const cards = (await source.reader.get('/v2/cards?page[size]=100')).many
  const gone = [...cards.filter(({ id }) => id !== first.id).slice(0, 5), first].map(({ id }) => id)
  for (const id of gone) await source.operator.delete(`/v1/cards/${id}`)
  const wasThere = cards.filter(({ id }) => id !== card.id && !gone.includes(id))
  await there.makeFiles()
  // Once: of whom the feed is cut behind the newest files, too, newer ones are waited for.
  let isCut = true
  there.between.answer = (url) => {
    if (!isCut || url.pathname !== '/v2/changes') return undefined
    isCut = false
    return refuse(410)
  }
  const filled = () => mirror.lines.filter(({ event }) => event === 'mirror_filled').length
  const before = filled()
  const readers = until(async () => {
    const ids = new Set((await mirror.reader.get('/v2/cards?page[size]=100')).many.map(({ id }) => id))
    expect(wasThere.filter(({ id }) => !ids.has(id))).toEqual([])
    return filled() > before
  })
  await until(() => mirror.lines.some(({ event }) => event === 'mirror_fills_again'))
  await readers
  await asSource()
})

test('a page that cannot be applied is left to newer files', async () => {
  await untilCurrent(source, mirror)
  there.between.answer = async (url, request) => {
    const answer = await source.fetch(request)
    if (url.pathname !== '/v2/changes') return answer
    return new Response((await answer.text()).replace('"kind":"insert"', '"kind":"unsure"'), answer)
  }
  // A request that waits at the source was not in between.
  await make.attribute()
  await untilCurrent(source, mirror)
  await make.card({ set: await make.set({ kind: 'insert', status: 'published' }) })
  await until(() => mirror.lines.some(({ event }) => event === 'mirror_failed'))
  await there.makeFiles()
  await asSource()
  there.between.answer = undefined
  const failures = mirror.lines.filter(({ event }) => event === 'mirror_failed')
  expect(failures.length).toBeGreaterThan(0)
  for (const line of failures) mirror.lines.splice(mirror.lines.indexOf(line), 1)
})

test('of several processes on one database one follows', async () => {
  const other = Bun.randomUUIDv7()
  if (mirror.db.kind === 'embedded')
    console.log('skipped: the lease of a mirror (the embedded database has one process)')
  else {
    // Held anew just before, however long the follower was kept from doing so.
    const [held] = await mirror.db.sql<{ holder: string }[]>`select holder from mirror`
    expect(await holdMirror(mirror.db, String(held?.holder))).toBe(true)
    expect(await holdMirror(mirror.db, other)).toBe(false)
    await mirror.db.transaction(async (tx) => {
      // The one that follows stopped in the middle: those that stand by do not wait for it with all their connections.
      await tx.sql`select 1 from mirror for update`
      expect(await holdMirror(mirror.db, other)).toBe(false)
    })
  }
})

test('a mirror can be mirrored', async () => {
  await untilCurrent(source, mirror)
  const between = reachable(mirror)
  await between.makeFiles()
  await follow(second, between.url, secretOf(mirror.headers.reader))
  await untilCurrent(mirror, second)
  expect(await allOf(second.reader)).toEqual(await allOf(source.reader))
  await aWorld(source, 'published')
  await untilCurrent(source, mirror)
  await untilCurrent(mirror, second)
  expect(await allOf(second.reader)).toEqual(await allOf(source.reader))
})
