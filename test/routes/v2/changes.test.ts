import { afterAll, describe, expect, test } from 'bun:test'
import { startNumbering } from '../../../src/catalog/feed/numbering.ts'
import { sweepChanges } from '../../../src/catalog/feed/sweep.ts'
import type { Answer } from '../../support/answer.ts'
import { testApp } from '../../support/app.ts'
import type { Client } from '../../support/callers.ts'
import { factories, setStatus } from '../../support/factories.ts'
import { until } from '../../support/until.ts'
import { writers } from '../../support/writers.ts'

const app = await testApp()
const { draftReader, operator, reader } = app
const stopNumbering = startNumbering(app.context)
afterAll(stopNumbering)
const make = factories(app)
const path = '/v2/changes'

/** Every change that was committed until now can be read. */
const allNumbered = () =>
  until(async () => (await app.db.sql`select 1 from changes where no is null limit 1`).length === 0)

type Told = { action: string; type: string; id: string }

const toldBy = (answer: Answer): Told[] =>
  answer.many.map(({ attributes, relationships }) => {
    const { data } = (relationships as { resource: { data: { type: string; id: string } } }).resource
    return { action: attributes.action as string, ...data }
  })
const nextOf = ({ links }: Answer) => (links.next as string).replace(app.baseUrl, '')
const now = async (client: Client) => nextOf(await client.get(`${path}?page[after]=now`))

/** Reads a feed from an address on until a page is empty and `isOver`. */
const follow = async (client: Client, from: string, isOver: () => boolean, size: () => number) => {
  const told: Told[] = []
  for (let address = from; ; ) {
    const wasOver = isOver()
    if (wasOver) await allNumbered()
    const answer = await client.get(address.replace(/page%5Bsize%5D=\d+/, `page%5Bsize%5D=${size()}`))
    told.push(...toldBy(answer))
    address = nextOf(answer)
    if (answer.many.length === 0) {
      if (wasOver) return told
      await Bun.sleep(5)
    }
  }
}

describe('GET /v2/changes', () => {
  test('tells each reader what they saw happen: publishing is an upsert, unpublishing a delete to a published reader', async () => {
    const [toReader, toDrafts] = [await now(reader), await now(draftReader)]
    const player = await make.player()
    const set = await make.set()
    const card = await make.card({ set, oncard: [player] })
    await allNumbered()
    expect(toldBy(await reader.get(toReader))).toEqual([])
    const drafts = await draftReader.get(toDrafts)
    const upsert = (type: string, id: string) => ({ action: 'upsert', type, id })
    expect(toldBy(drafts)).toEqual(expect.arrayContaining([upsert('cards', card.id), upsert('players', player.id)]))
    await setStatus(app, set, 'published')
    await allNumbered()
    const published = await reader.get(toReader)
    const brought = [upsert('sets', set.id), upsert('cards', card.id), upsert('players', player.id)]
    expect(toldBy(published)).toEqual(expect.arrayContaining(brought))
    await setStatus(app, set, 'draft')
    await allNumbered()
    const gone = toldBy(await reader.get(nextOf(published)))
    expect(gone).toEqual(expect.arrayContaining(brought.map((one) => ({ ...one, action: 'delete' }))))
    const still = toldBy(await draftReader.get(nextOf(drafts)))
    expect(new Set(still.map(({ action }) => action))).toEqual(new Set(['upsert']))
  })

  test('a page is a JSON:API document of the cursor profile, whose next link is always there', async () => {
    const start = await now(draftReader)
    const brand = await make.brand()
    await allNumbered()
    const answer = await draftReader.get(start)
    expect(answer.headers.get('content-type')).toBe(
      'application/vnd.api+json; profile="https://jsonapi.org/profiles/ethanresnick/cursor-pagination"',
    )
    const { cursor } = (answer.meta as { page: { cursor: string } }).page
    expect(answer.many[0]).toMatchObject({
      type: 'changes',
      attributes: { action: 'upsert', changed_at: brand.attributes.updated_at },
      relationships: { resource: { data: { type: 'brands', id: brand.id } } },
      meta: { page: { cursor } },
    })
    const empty = await draftReader.get(nextOf(answer))
    expect(empty.many).toEqual([])
    expect(empty.meta).toEqual({ page: { cursor } })
    expect(nextOf(empty)).toContain(encodeURIComponent(cursor))
  })

  test('a cursor is good under any filter, size and include, and for any caller', async () => {
    const start = await now(draftReader)
    const team = await make.team()
    const [first, second] = [await make.brand(), await make.brand()]
    await allNumbered()
    const { page } = (await draftReader.get(`${start}&page[size]=1`)).meta as { page: { cursor: string } }
    const on = `${path}?page[after]=${page.cursor}&filter[type]=brands,years&include=resource`
    const answer = await draftReader.get(on)
    expect(toldBy(answer).map(({ id }) => id)).toEqual([first.id, second.id])
    expect(answer.included.map(({ attributes }) => attributes.name)).toEqual([
      first.attributes.name,
      second.attributes.name,
    ])
    expect(toldBy(await draftReader.get(start)).map(({ id }) => id)).toEqual([team.id, first.id, second.id])
    expect(toldBy(await reader.get(on))).toEqual([])
  })

  test('a page ends in the middle of a change of many records, and the next goes on there', async () => {
    const set = await make.set()
    const cards = await Promise.all(Array.from({ length: 7 }, () => make.card({ set })))
    const start = await now(reader)
    await setStatus(app, set, 'published')
    await allNumbered()
    const told: string[] = []
    for (let address = `${start}&filter[type]=cards&page[size]=3`; ; ) {
      const answer = await reader.get(address)
      if (answer.many.length === 0) break
      expect(answer.many.length).toBeLessThanOrEqual(3)
      told.push(...toldBy(answer).map(({ id }) => id))
      address = nextOf(answer)
    }
    expect(told.sort()).toEqual(cards.map(({ id }) => id).sort())
  })

  test('waits for the next change, and tells it at once', async () => {
    const start = await now(draftReader)
    const waiting = draftReader.get(`${start}&wait=20`)
    await Bun.sleep(50)
    const brand = await make.brand()
    expect(toldBy(await waiting)).toEqual([{ action: 'upsert', type: 'brands', id: brand.id }])
    const began = performance.now()
    expect((await draftReader.get(`${await now(draftReader)}&wait=1`)).many).toEqual([])
    expect(performance.now() - began).toBeGreaterThan(900)
  })

  test('followers of random gait learn all that several writers do, and nothing twice out of order', async () => {
    const starts = await Promise.all([reader, draftReader].map(async (client) => [client, await now(client)] as const))
    const write = await writers(app, 80)
    let isOver = false
    const size = () => 1 + Math.floor(Math.random() * 40)
    const following = starts.map(([client, from]) => follow(client, `${from}&page%5Bsize%5D=1`, () => isOver, size))
    await Promise.all([write(21), write(22)])
    isOver = true
    const [published, drafts] = await Promise.all(following)
    for (const [told, level] of [[published, 2] as const, [drafts, 1] as const]) {
      const last = new Map<string, string>()
      const senseless: Told[] = []
      for (const one of told ?? []) {
        const name = `${one.type} ${one.id}`
        if (one.action === 'delete' && last.get(name) === 'delete') senseless.push(one)
        last.set(name, one.action)
      }
      expect(senseless).toEqual([])
      const rows = await app.db.sql<{ name: string; audience: number }[]>`
        select 'cards ' || c.id as name, case when c.deleted_at is null then s.audience else 0 end as audience
        from cards c join sets s on s.id = c.set_id
        union all select 'sets ' || id, audience from sets
        union all select 'players ' || id, audience from players
        union all select 'teams ' || id, audience from teams
        union all select 'playerteams ' || id, audience from player_teams
        union all select 'brands ' || id, audience from brands`
      const wrong = rows.filter(
        ({ name, audience }) => last.has(name) && (last.get(name) === 'upsert') !== audience >= level,
      )
      expect(wrong).toEqual([])
      expect(last.size).toBeGreaterThan(10)
    }
  })

  test('is kept for 90 days; an older cursor is a 410 that says where to start again', async () => {
    const start = await now(draftReader)
    await make.brand()
    await allNumbered()
    const { signal } = new AbortController()
    const later = (days: number) => new Date(Date.now() + days * 86_400_000)
    await sweepChanges(app.db, later(89), signal)
    expect((await draftReader.get(start)).many.length).toBe(1)
    await sweepChanges(app.db, later(91), signal)
    const answer = await draftReader.get(start)
    expect([answer.status, answer.faults]).toEqual([410, ['CURSOR_EXPIRED page[after]']])
    expect(answer.document.errors?.[0]).toMatchObject({ links: { about: `${app.baseUrl}/v2/bulk` } })
    expect((await draftReader.get(path)).many).toEqual([])
    const brand = await make.brand()
    await allNumbered()
    expect(toldBy(await draftReader.get(path)).map(({ id }) => id)).toEqual([brand.id])
  })

  test.each([
    'page[after]=never given',
    'page[after]=',
    'page[size]=0',
    'page[size]=1001',
    'wait=31',
    'wait=-1',
    'wait=soon',
    'filter[type]=users',
    'filter[type]=',
    'include=brand',
    'sort=id',
    'page[before]=x',
    'wait=1&wait=2',
  ])('refuses %s with 400', async (query) => {
    const answer = await operator.get(`${path}?${query}`)
    expect([answer.status, answer.faults]).toEqual([400, [`INVALID_PARAMETER ${query.split('=')[0]}`]])
  })
})
