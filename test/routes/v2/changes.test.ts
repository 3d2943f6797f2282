import { afterAll, describe, expect, test } from 'bun:test'
import { startNumbering } from '../../../src/catalog/sync/feed/number.ts'
import { sweepChanges } from '../../../src/catalog/sync/feed/sweep.ts'
import type { Identifier } from '../../../src/jsonapi/relationships.ts'
import type { Answer, Shown } from '../../support/answer.ts'
import { testApp } from '../../support/app.ts'
import { aToken, aUser, type Client, clientWith } from '../../support/callers.ts'
import { copyOfLists, differences, follow, type Told, toldBy } from '../../support/catalog-copy.ts'
import { aDocument, factories, setStatus, toOne } from '../../support/factories.ts'
import { aPng } from '../../support/image.ts'
import { randomOf } from '../../support/random.ts'
import { until } from '../../support/until.ts'
import { writers } from '../../support/writers.ts'

const app = await testApp()
const { draftReader, operator, reader } = app
const stopNumbering = startNumbering(app.context)
afterAll(stopNumbering)
const make = factories(app)

/** Somebody with a credential of their own, of which four requests at a time may wait. */
const aReaderOfDrafts = async () => {
  const owner = await aUser(app.context)
  const { secret } = await aToken(app.context, owner, ['read:draft'])
  return clientWith(app.fetch, app.baseUrl, { Authorization: `Bearer ${secret}` })
}
const path = '/v2/changes'

/** Every change that was committed until now can be read. */
const allNumbered = () =>
  until(async () => (await app.db.sql`select 1 from changes where no is null limit 1`).length === 0)

const nextOf = ({ links }: Answer) => (links.next as string).replace(app.baseUrl, '')
const now = async (client: Client) => nextOf(await client.get(`${path}?page[after]=now`))

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

  test('nobody is told that somebody else has another number of cards now', async () => {
    const [player, set] = [await make.player(), await make.set()]
    await allNumbered()
    const toDrafts = await now(draftReader)
    const card = await make.card({ set, oncard: [player] })
    await allNumbered()
    const [noted] = await app.db.sql<{ ids: string }[]>`
      select array_to_string(ids, ',') as ids from changes where type = 'recounted' order by no desc limit 1`
    expect(noted?.ids).toBe(player.id as string)
    const told = toldBy(await draftReader.get(toDrafts))
    expect(told).toContainEqual({ action: 'upsert', type: 'cards', id: card.id })
    expect(told.filter(({ id }) => id === player.id)).toEqual([])
  })

  test('what a record shows because of another one is a change of it: a parent that is hidden, gone or back', async () => {
    const set = await make.set({ status: 'published' })
    const child = await make.set({ parent: set, kind: 'parallel', status: 'published' })
    const card = { type: 'cards', id: Bun.randomUUIDv7(), relationships: { set: toOne(set) } }
    const parentOf = (shown: Shown) => (shown.relationships.parent?.data as Identifier | null)?.id ?? null
    const data = [card]
    await operator.post('/internal/card-batches', { data, meta: { propagate: true } })
    await allNumbered()
    const cards = (await reader.get(`/v2/cards?filter[set]=${child.id}`)).many
    expect(cards.map(parentOf)).toEqual([card.id])
    let from = `${await now(reader)}&include=resource`
    const parentsTold = async () => {
      await allNumbered()
      const page = await reader.get(from)
      from = nextOf(page)
      return [child, ...cards].map(({ id }) => {
        const shown = page.included.find((one) => one.id === id)
        return shown && parentOf(shown)
      })
    }
    await setStatus(app, set, 'draft')
    expect(await parentsTold()).toEqual([null, null])
    await setStatus(app, set, 'published')
    expect(await parentsTold()).toEqual([set.id, card.id])
    await operator.delete(`/v2/cards/${card.id}`)
    expect(await parentsTold()).toEqual([undefined, null])
    await operator.post('/internal/card-batches', { data })
    expect(await parentsTold()).toEqual([undefined, card.id])
    const hidden = await make.set()
    await operator.patch(`/v2/cards/${card.id}`, aDocument('cards', {}, { set: toOne(hidden) }, card.id))
    expect(await parentsTold()).toEqual([undefined, null])
  })

  test('so are a player or team that is deleted to readers of their player-teams, and any image to those of its card', async () => {
    const [player, card] = [await make.player(), await make.card()]
    const pair = await make.playerTeam({ player })
    const upload = (side: string) => {
      const body = new FormData()
      body.set('file', new File([aPng(8, 8)], 'card.png'))
      body.set('data', JSON.stringify({ type: 'card_images', attributes: { card_id: card.id, image_type: side } }))
      return operator.send('POST', '/v1/card-images', { body })
    }
    const first = (await upload('front')).one
    await allNumbered()
    let from = await now(draftReader)
    const toldNow = async () => {
      await allNumbered()
      const page = await draftReader.get(from)
      from = nextOf(page)
      return toldBy(page).filter(({ type }) => ['cards', 'playerteams'].includes(type))
    }
    await operator.delete(`/v2/players/${player.id}`)
    expect(await toldNow()).toEqual([{ action: 'upsert', type: 'playerteams', id: pair.id }])
    const second = (await upload('back')).one
    expect(await toldNow()).toEqual([{ action: 'upsert', type: 'cards', id: card.id }])
    for (const { id } of [second, first]) {
      await operator.delete(`/v2/card-images/${id}`)
      expect(await toldNow()).toEqual([{ action: 'upsert', type: 'cards', id: card.id }])
    }
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

  test('fields choose what changes and what they bring along show', async () => {
    const from = await now(reader)
    const set = await make.set({ status: 'published' })
    await allNumbered()
    const answer = await reader.get(`${from}&include=resource&fields[changes]=action&fields[sets]=name,kind`)
    const [change] = answer.many
    expect([change?.attributes, change?.relationships]).toEqual([{ action: 'upsert' }, {}])
    const brought = answer.included.find(({ id }) => id === set.id)
    expect(brought?.attributes).toEqual({ name: set.attributes.name, kind: 'base' })
    const wrong = await reader.get(`${path}?fields[changes]=when&fields[secrets]=name`)
    expect(wrong.faults).toEqual(['INVALID_PARAMETER fields[changes]', 'INVALID_PARAMETER fields[secrets]'])
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

  test('waits for the next change, and tells it at once, however many wait', async () => {
    const start = await now(draftReader)
    const readers = await Promise.all(Array.from({ length: 50 }, () => aReaderOfDrafts()))
    const waiting = readers.flatMap((each) => Array.from({ length: 4 }, () => each.get(`${start}&wait=20`)))
    await Bun.sleep(50)
    const brand = await make.brand()
    for (const answer of await Promise.all(waiting))
      expect(toldBy(answer)).toEqual([{ action: 'upsert', type: 'brands', id: brand.id }])
    const began = performance.now()
    expect((await draftReader.get(`${await now(draftReader)}&wait=1`)).many).toEqual([])
    expect(performance.now() - began).toBeGreaterThan(900)
  })

  test('followers of random gait, while several write, end with what is listed to them, and are told nothing twice', async () => {
    const write = await writers(app, 60)
    const { below } = randomOf(35)
    const size = () => 1 + below(40)
    const followers = [reader, draftReader].map(async (client) => {
      const from = await now(client)
      const copy = await copyOfLists(client)
      const last = new Map<string, string>()
      const senseless: Told[] = []
      const told = (one: Told) => {
        const name = `${one.type} ${one.id}`
        if (one.action === 'delete' && last.get(name) === 'delete') senseless.push(one)
        last.set(name, one.action)
      }
      await follow(client, from, copy, { isOver, size, told })
      expect(senseless).toEqual([])
      expect(differences(copy, await copyOfLists(client))).toEqual([])
      expect(last.size).toBeGreaterThan(10)
    })
    let isWritten = false
    const isOver = async () => {
      if (isWritten) await allNumbered()
      return isWritten
    }
    await Promise.all([21, 22, 23, 24].map(write)).finally(() => {
      isWritten = true
    })
    await Promise.all(followers)
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

  test('long polls: 4 for a credential, 512 for a process, beyond is a 429; what does not wait is served', async () => {
    const start = await now(draftReader)
    const readers = await Promise.all(Array.from({ length: 129 }, () => aReaderOfDrafts()))
    const [first, last] = [readers[0], readers[128]] as [Client, Client]
    const poll = (client: Client) => client.get(`${start}&wait=30`)
    const own = Array.from({ length: 5 }, () => poll(first))
    const refused = await Promise.race(own)
    expect([refused.status, refused.faults]).toEqual([429, ['TOO-MANY-REQUESTS']])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await first.get(start)).status).toBe(200)
    const others = readers.slice(1, 128).flatMap((each) => Array.from({ length: 4 }, () => poll(each)))
    await until(async () => (await Promise.race([poll(last), Bun.sleep(200)]))?.status === 429)
    expect((await last.get(start)).status).toBe(200)
    await make.brand()
    const answers = await Promise.all([...own, ...others])
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(500)
    expect((await poll(last)).status).toBe(200)
  })

  test('a waiting poll is answered at once, with an empty page, when the service stops', async () => {
    const waiting = draftReader.get(`${await now(draftReader)}&wait=30`)
    await Bun.sleep(50)
    await stopNumbering()
    const answer = await waiting
    expect([answer.status, answer.many]).toEqual([200, []])
    expect(nextOf(answer)).toContain('wait=30')
  }, 10_000)
})
