import { expect, test } from 'bun:test'
import type { Shown } from '../../support/answer.ts'
import { testApp } from '../../support/app.ts'
import { aDocument, aName, factories, setStatus, toMany, toOne } from '../../support/factories.ts'
import { allOf, endOfFeed, follow, reachable, secretOf, untilCurrent } from '../../support/mirrored.ts'
import { randomOf } from '../../support/random.ts'
import { followedSets, freshSets } from '../../support/told-sets.ts'
import { until } from '../../support/until.ts'

/** What only one record may have goes round at the source; a mirror sees the last of it first, and the rest later. */
const [source, mirror] = [await testApp(), await testApp()]
const { operator } = source
const make = factories(source)
const there = reachable(source)
const set = await make.set({ status: 'published' })
await there.makeFiles()
const begin = () => follow(mirror, there.url, secretOf(source.headers.reader))
let stop = await begin()

const cursorOf = async () => (await mirror.db.sql<{ cursor: string | null }[]>`select cursor from mirror`)[0]?.cursor
const pagesOf = (size: number) => {
  there.between.answer = (url, request) => {
    if (url.pathname !== '/v2/changes') return undefined
    url.searchParams.set('page[size]', String(size))
    return source.fetch(new Request(url, { headers: request.headers, signal: request.signal }))
  }
}

/** All of it has happened before the mirror reads on; it is stopped after each page, and begins again. */
const followsAfter = async (size: number, work: () => Promise<unknown>) => {
  await sayLast()
  await untilCurrent(source, mirror)
  await stop()
  await work()
  await sayLast()
  pagesOf(size)
  for (let at = await cursorOf(); at !== (await endOfFeed(source)); ) {
    const before = at
    stop = await begin()
    await until(async () => {
      at = await cursorOf()
      return at !== before
    })
    await stop()
    expect([...(await drift())]).toEqual([])
    expect(await followedSets(mirror.db)).toEqual(await freshSets(mirror.db))
  }
  stop = await begin()
  await isAsSource()
}

/** A change that everyone sees: behind one that a reader does not see, the source waits for another. */
const sayLast = () => make.attribute()

/** The name of a card comes with the card, which may be on a later page than who is on it. */
const drift = () => mirror.db.sql`select what, place, stored, truth from drift where what <> 'card name' limit 5`

const isAsSource = async () => {
  await untilCurrent(source, mirror)
  expect(await allOf(mirror.reader)).toEqual(await allOf(source.reader))
  expect([...(await mirror.db.sql`select type, id, waits_for from mirror_waiting`)]).toEqual([])
  expect(mirror.lines.filter(({ event }) => event === 'mirror_failed')).toEqual([])
}

const patch = async (path: string, { type, id }: Shown, attributes: object, relationships: object = {}) => {
  const answer = await operator.patch(`/v2/${path}/${id}`, aDocument(type, { ...attributes }, { ...relationships }, id))
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status} ${answer.text}`)
}
const remove = async (path: string, { id }: Shown) => {
  const answer = await operator.delete(`/v2/${path}/${id}`)
  if (answer.status !== 204) throw new Error(`${path} answered ${answer.status} ${answer.text}`)
}

type Moved = { playerOf: (n: number) => Promise<Shown>; pairs: Shown[]; cards: Shown[] }

/** Player-teams that are borne by a card each. */
const bornePairs = async (count: number): Promise<Moved> => {
  const pairs = await Promise.all(Array.from({ length: count }, () => make.playerTeam()))
  const cards = await Promise.all(pairs.map((pair) => make.card({ set, oncard: [pair] })))
  return { playerOf: () => make.player(), pairs, cards }
}
const placeOf = ({ attributes: { player_id, team_id } }: Shown) => ({ player_id, team_id })

/** Gives each of several records the place of the one before it; the first is nowhere in between. */
const turn = async (path: string, records: Shown[], places: object[], nowhere: object) => {
  const [first, ...others] = records as [Shown, ...Shown[]]
  await patch(path, first, nowhere)
  for (const [at, record] of others.entries()) await patch(path, record, places[at] as object)
  await patch(path, first, places.at(-1) as object)
}

for (const size of [1, 1000]) {
  const count = size === 2 ? 3 : 2

  test(`${count} player-teams that cards bear go round, in pages of ${size}`, async () => {
    const { pairs } = await bornePairs(count)
    const elsewhere = { player_id: (await make.player()).id }
    await followsAfter(size, () => turn('player-teams', pairs, pairs.map(placeOf), elsewhere))
  })

  test(`a new player-team is what another one was that ends when its card bears the new one, in pages of ${size}`, async () => {
    const { pairs, cards } = await bornePairs(1)
    const [pair, card] = [pairs[0] as Shown, cards[0] as Shown]
    await followsAfter(size, async () => {
      await patch('player-teams', pair, { team_id: (await make.team()).id })
      const heir = (await operator.post('/v2/player-teams', aDocument('playerteams', placeOf(pair)))).one
      await patch('cards', card, {}, { oncard: toMany([heir]) })
      await remove('player-teams', pair)
    })
  })

  test(`names and codes go round, in pages of ${size}`, async () => {
    const labels = {
      brands: [await make.brand(), await make.brand(), await make.brand()],
      genres: [await make.genre(), await make.genre(), await make.genre()],
      manufacturers: [await make.manufacturer(), await make.manufacturer(), await make.manufacturer()],
      years: [await make.year(), await make.year(), await make.year()],
    }
    const codes = [await make.attribute(), await make.attribute(), await make.attribute()]
    for (const n of [0, 1, 2]) {
      const [brand, genre] = [labels.brands[n], labels.genres[n]]
      const [manufacturer, year] = [labels.manufacturers[n], labels.years[n]]
      const own = await make.set({ brand, genre, manufacturer, year, status: 'published' })
      await make.card({ set: own, attributes: [codes[n] as Shown] })
    }
    await followsAfter(size, async () => {
      for (const [path, records] of Object.entries(labels))
        await turn(
          path,
          records,
          records.map(({ attributes: { name } }) => ({ name })),
          { name: aName('Nowhere') },
        )
      const taken = codes.map(({ attributes: { attribute } }) => ({ attribute }))
      await turn('attributes', codes, taken, { attribute: aName('N') })
    })
  })

  test(`values of attributes go round on their card, in pages of ${size}`, async () => {
    const card = await make.card({ set })
    const values = [
      await make.objectAttribute(card),
      await make.objectAttribute(card),
      await make.objectAttribute(card),
    ]
    const places = values.map(({ attributes: { attribute_id } }) => ({ attribute_id }))
    await followsAfter(size, async () => {
      await turn('object-attributes', values, places, { attribute_id: (await make.attribute()).id })
      await remove('object-attributes', values[0] as Shown)
      await make.objectAttribute(card, places[2])
    })
  })

  test(`a set becomes the child of what was its child, in pages of ${size}`, async () => {
    const top = await make.set({ status: 'published' })
    const below = await make.set({ parent: top, status: 'published' })
    const last = await make.set({ parent: below, status: 'published' })
    await make.card({ set: last })
    await followsAfter(size, async () => {
      await patch('sets', top, { name: aName('Set') })
      await patch('sets', last, {}, { parent: toOne(null) })
      await patch('sets', top, {}, { parent: toOne(last) })
      await patch('sets', below, {}, { parent: toOne(null) })
      await patch('sets', last, {}, { parent: toOne(below) })
      await setStatus(source, below, 'draft')
      await setStatus(source, below, 'published')
    })
  })
}

test('few places and many moves, while the mirror follows in small pages', async () => {
  const { pairs } = await bornePairs(4)
  const card = await make.card({ set })
  const values = [await make.objectAttribute(card), await make.objectAttribute(card), await make.objectAttribute(card)]
  const brands = [await make.brand(), await make.brand(), await make.brand()]
  for (const brand of brands) await make.set({ brand, status: 'published' })
  const players = [...new Set(pairs.map(({ attributes }) => attributes.player_id))]
  const teams = [...new Set(pairs.map(({ attributes }) => attributes.team_id))].slice(0, 2)
  const names = [...brands.map(({ attributes }) => attributes.name), aName('Spare')]
  const codes = [...values.map(({ attributes }) => attributes.attribute_id), (await make.attribute()).id]
  const { pick: one } = randomOf(35)
  const moves = [
    () => ['player-teams', one(pairs), { player_id: one(players), team_id: one(teams) }],
    () => ['brands', one(brands), { name: one(names) }],
    () => ['object-attributes', one(values), { attribute_id: one(codes) }],
  ] as (() => [string, Shown, object])[]
  for (const size of [1, 2, 3]) {
    pagesOf(size)
    for (let n = 0; n < 60; n++) {
      const [path, { type, id }, attributes] = one(moves)()
      await operator.patch(`/v2/${path}/${id}`, aDocument(type, { ...attributes }, {}, id))
      if (n % 20 === 0) await Bun.sleep(30)
    }
    await sayLast()
    await isAsSource()
  }
})
