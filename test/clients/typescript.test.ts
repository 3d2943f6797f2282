import { beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import {
  type BulkFile,
  type BulkResource,
  Cardstock,
  CardstockError,
  verifyWebhook,
  WebhookError,
} from '../../clients/typescript/src/index.ts'
import { Sha256 } from '../../clients/typescript/src/sha256.ts'
import type { Options } from '../../clients/typescript/src/transport.ts'
import { issueCredential } from '../../src/access/credentials.ts'
import { runningCommands } from '../commands/running.ts'
import { testApp } from '../support/app.ts'
import { aUser } from '../support/callers.ts'
import { aWebhook, delivering, privateWebhooks } from '../support/delivering.ts'
import { endsFirst } from '../support/ending.ts'
import { factories } from '../support/factories.ts'
import { aReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const app = await testApp({ environment: privateWebhooks })
const { context } = app
const make = factories(app)

const secretOf = ({ Authorization = '' }: Record<string, string>) => Authorization.replace('Bearer ', '')
const ask: NonNullable<Options['fetch']> = (address, init) => app.fetch(new Request(address, init))

/** A client whose requests pass through `fetch` on their way. */
const clientOf = (own: Partial<Options> = {}) =>
  new Cardstock({ baseUrl: app.baseUrl, token: secretOf(app.headers.internalMachine), fetch: ask, ...own })
const cs = clientOf()
delivering(app)

/** What a call is refused with. */
const refusal = async (call: Promise<unknown>): Promise<CardstockError> => {
  const error: unknown = await call.catch((thrown) => thrown)
  if (error instanceof CardstockError) return error
  throw new Error(`Not refused: ${error}`)
}

const all = async <T>(records: AsyncIterable<T>): Promise<T[]> => {
  const list: T[] = []
  for await (const record of records) list.push(record)
  return list
}

const set = await make.set({
  name: '1989 Upper Deck',
  genre: await make.genre({ name: 'Baseball' }),
  status: 'published',
})
const [griffey, team] = [await make.player({ first_name: 'Ken', last_name: 'Griffey Jr.' }), await make.team()]
const pair = await make.playerTeam({ player: griffey, team })
const base = await make.card({ set, number: '1', oncard: [team, pair, griffey] })

describe('records', () => {
  test('stand where they are included, in order, whatever their types', async () => {
    const card = await cs.cards.get(base.id, { include: ['set.genre', 'oncard.player'] })
    expect([card.set?.name, card.set?.genre?.name]).toEqual(['1989 Upper Deck', 'Baseball'])
    expect(card.oncard?.map(({ type, name }) => [type, name])).toEqual([
      ['teams', team.attributes.name],
      ['playerteams', `Ken Griffey Jr. (${team.attributes.name})`],
      ['players', 'Ken Griffey Jr.'],
    ] as never)
    const [, second, third] = card.oncard ?? []
    expect(second?.type === 'playerteams' && second.player).toBe(third as never)
  })

  test('that are not included are a type and an id', async () => {
    expect((await cs.cards.get(base.id)).set).toEqual({ type: 'sets', id: set.id })
  })

  test('lead to each other in a circle, and are written as the service sent them', async () => {
    const child = await make.set({ parent: set, status: 'published' })
    const read = await cs.sets.get(child.id, { include: ['parent.children'] })
    expect(read.parent?.children?.find(({ id }) => id === child.id)).toBe(read as never)
    const { document } = await cs.request({
      path: `/v2/sets/${child.id}`,
      query: new URLSearchParams('include=parent.children'),
    })
    expect(JSON.parse(JSON.stringify(read))).toEqual((document as { data: unknown }).data as never)
  })

  test('are created, changed and deleted, with their relationships', async () => {
    const created = await cs.cards.create({ number: '2', set, oncard: [griffey], aliases: undefined } as never)
    expect([created.name, created.oncard]).toEqual(['2 Ken Griffey Jr.', [{ type: 'players', id: griffey.id }]])
    const changed = await cs.cards.update(created.id, { oncard: [], title: 'Leaders' }, { ifMatch: created.etag })
    expect([changed.name, changed.oncard]).toEqual(['2 Leaders', []])
    expect(await refusal(cs.cards.delete(created.id, { ifMatch: created.etag }))).toMatchObject({ status: 412 })
    await cs.cards.delete(created.id, { ifMatch: changed.etag })
    expect(await refusal(cs.cards.get(created.id))).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  })
})

describe('lists', () => {
  test('are read page by page, to the end', async () => {
    const list = await make.set()
    for (const number of ['1', '2', '3']) await make.card({ set: list, number })
    const page = await cs.cards.list({ filter: { set: list.id }, sort: '-checklist', page: { size: 2 } })
    expect([page.total, page.data.map(({ number }) => number)]).toEqual([3, ['3', '2']])
    const last = await page.next()
    expect([last?.data.map(({ number }) => number), await last?.next()]).toEqual([['1'], undefined])
    expect((await all(page)).map(({ number }) => number)).toEqual(['3', '2', '1'])
    expect((await all(cs.cards.all({ filter: { set: list.id } }))).length).toBe(3)
  })

  test('are filtered by values with commas, by several values, and by comparisons', async () => {
    for (const name of ['Bat, Ball', 'Bat', 'Ball']) await make.brand({ name })
    const names = async (filter: Parameters<typeof cs.brands.list>[0]) =>
      (await cs.brands.list(filter)).data.map(({ name }) => name)
    expect(await names({ filter: { name: 'Bat, Ball' } })).toEqual(['Bat, Ball'])
    expect(await names({ filter: { name: ['Bat, Ball', 'Ball'] } })).toEqual(['Ball', 'Bat, Ball'])
    expect(await names({ filter: { name: { prefix: 'ba', ne: ['Bat', 'Ball'] } } })).toEqual(['Bat, Ball'])
  })

  test('a wrong filter is refused with its name', async () => {
    const error = await refusal(cs.cards.list({ filter: { colour: 'red' } as never }))
    expect(error).toMatchObject({ status: 400, code: 'INVALID_PARAMETER', parameter: 'filter[colour]' })
  })
})

test('a refusal has each fault, with its pointer, and the id of its request', async () => {
  const error = await refusal(cs.sets.create({ name: '', kind: 'boxed' as never }))
  expect(error).toMatchObject({ status: 422, code: 'VALIDATION-FAILED', pointer: '/data/attributes/name' })
  expect(error.errors.map(({ source }) => source?.pointer)).toEqual(['/data/attributes/name', '/data/attributes/kind'])
  expect(error.requestId).toBeString()
})

test('search finds records of the types that are asked for, with facets, and autocomplete names', async () => {
  const page = await cs.search('griffey', {
    type: ['cards'],
    include: ['set'],
    facets: ['set'],
    filter: { set: set.id },
  })
  expect(page.data.map(({ set }) => set?.name)).toEqual(['1989 Upper Deck'])
  expect(page.meta.facets).toMatchObject({ set: [{ id: set.id, count: 1 }] })
  expect(await cs.autocomplete('ken gri')).toContainEqual({
    type: 'players',
    id: griffey.id,
    name: 'Ken Griffey Jr.',
    context: null,
  })
})

/** All changes have their place in the feed, which the worker for webhooks gives them. */
const allNumbered = () =>
  until(async () => (await app.db.sql`select 1 from changes where no is null limit 1`).length === 0)

describe('the feed', () => {
  test('tells each change once, with the record as it is, and goes on where it stopped', async () => {
    await allNumbered()
    const before = cs.changes({ after: 'now' })
    expect(await all(before)).toEqual([])
    const genre = await cs.genres.create({ name: 'Hockey' })
    const gone = await cs.genres.create({ name: 'Bandy' })
    await cs.genres.delete(gone.id)
    await allNumbered()
    const changes = cs.changes({ after: before.cursor, type: ['genres'] })
    const told = await all(changes)
    expect(told.map(({ id, action, record }) => [id, action, record?.name])).toEqual([
      [genre.id, 'upsert', 'Hockey'],
      [gone.id, 'upsert', undefined],
      [gone.id, 'delete', undefined],
    ])
    expect((await all(cs.changes({ after: told[0]?.cursor, type: ['genres'] }))).length).toBe(2)
    expect(await all(cs.changes({ after: changes.cursor }))).toEqual([])
  })
})

describe('bulk files', () => {
  let files: BulkFile[] = []
  const fileOf = <B extends BulkResource>(resource: B) =>
    files.find((file) => file.resource === resource) as BulkFile<B>
  beforeAll(async () => {
    await runningCommands(context)('export', '--bulk')
    files = (await cs.bulk.list()).files
  })

  test('have every published record, and every file is what was listed', async () => {
    for (const file of files) expect((await all(cs.bulk.download(file))).length).toBe(file.count)
    expect((await all(cs.bulk.download(fileOf('cards')))).map(({ id }) => id)).toEqual([base.id])
  })

  test.each(['sha256', 'bytes', 'count'] as const)('a file of another %s is refused', async (member) => {
    const brands = fileOf('brands')
    const other = { ...brands, [member]: member === 'sha256' ? '0'.repeat(64) : brands[member] + 1 }
    expect(await refusal(all(cs.bulk.download(other)))).toMatchObject({ code: 'BULK_FILE_DAMAGED' })
  })

  test('a download that breaks off goes on where it was', async () => {
    const brands = fileOf('brands')
    const ranges: (string | null)[] = []
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: app.fetch })
    endsFirst(() => server.stop())
    const breaking = clientOf({
      fetch: async (address, init) => {
        const { headers, body, status } = await fetch(address.replace(app.baseUrl, server.url.origin), init)
        ranges.push(new Headers(init.headers).get('range'))
        return new Response(ranges.length === 1 ? broken(body as ReadableStream<Uint8Array>) : body, {
          status,
          headers,
        })
      },
    })
    expect((await all(breaking.bulk.download(brands))).length).toBe(brands.count)
    expect(ranges).toEqual([null, 'bytes=10-'])
  })
})

/** The first ten bytes of a body, and then a fault. */
const broken = (body: ReadableStream<Uint8Array>) => {
  const reader = body.getReader()
  let isOver = false
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      if (isOver) return controller.error(new Error('reset'))
      isOver = true
      controller.enqueue(((await reader.read()).value as Uint8Array).slice(0, 10))
      await reader.cancel()
    },
  })
}

/** Sends a request and loses its answer, the first time. */
const losing = (sent: RequestInit[] = []) => ({
  sent,
  fetch: async (address: string, init: RequestInit) => {
    const response = await ask(address, init)
    if (sent.push(init) === 1) throw new TypeError('reset')
    return response
  },
})

describe('patience', () => {
  test('a POST without an answer is sent again under the key it had, and done once', async () => {
    const line = losing()
    const brand = await clientOf(line).brands.create({ name: 'Score' })
    const keys = line.sent.map(({ headers }) => new Headers(headers).get('idempotency-key'))
    expect([keys.length, new Set(keys).size]).toEqual([2, 1])
    expect((await cs.brands.list({ filter: { name: 'Score' } })).data.map(({ id }) => id)).toEqual([brand.id])
  })

  test('a PATCH without an answer is not sent again', async () => {
    const line = losing()
    const call = clientOf(line).cards.update(base.id, { notes: 'corner' })
    expect(await refusal(call)).toMatchObject({ status: 0, code: 'NETWORK' })
    expect(line.sent.length).toBe(1)
  })

  test('what is away for good is given up', async () => {
    let asked = 0
    const away = () => Promise.reject(new TypeError(`refused ${++asked}`))
    expect(await refusal(clientOf({ fetch: away, retries: 1 }).cards.list())).toMatchObject({ code: 'NETWORK' })
    expect(asked).toBe(2)
  })

  test('a 429 is waited for, unless it asks for more than the caller waits', async () => {
    const { db, clock, config } = context
    const owner = await aUser(context)
    const { id, secret } = await issueCredential(db, 'personal_token', owner, config, clock.now(), {
      scopes: ['read:published'],
    })
    const agree = (limit: number, seconds: number) =>
      db.sql`update credentials set agreed_limit = ${limit}, agreed_window_seconds = ${seconds} where id = ${id}`
    await agree(1, 5)
    const statuses: number[] = []
    const patient = clientOf({
      token: secret,
      fetch: async (address, init) => {
        const response = await ask(address, init)
        statuses.push(response.status)
        return response
      },
    })
    for (const _ of [1, 2]) await patient.cards.list()
    expect(statuses).toContain(429)
    expect(statuses.filter((status) => status === 200).length).toBe(2)
    await agree(1, 3600)
    const error = await refusal(Promise.all([1, 2, 3].map(() => clientOf({ token: secret }).cards.list())))
    expect([error.status, (error.retryAfterSeconds ?? 0) > 60]).toEqual([429, true])
  })

  test('an abort ends it with its reason', async () => {
    const reason = new Error('enough')
    const call = clientOf({ fetch: () => Promise.reject(new TypeError('refused')) }).cards.list({
      signal: AbortSignal.abort(reason),
    })
    expect(await call.catch((error) => error)).toBe(reason)
  })
})

test('a machine client gets one token for many requests, and another one when that is refused', async () => {
  const { db, clock, config } = context
  const owner = await aUser(context)
  const { id, secret } = await issueCredential(db, 'oauth_client', owner, config, clock.now(), {
    scopes: ['read:draft'],
  })
  const tokens: string[] = []
  const machine = clientOf({
    clientId: id,
    clientSecret: secret,
    fetch: async (address, init) => {
      const response = await ask(address, init)
      if (address.endsWith('/oauth/token')) tokens.push((await response.clone().json()).access_token)
      return response
    },
  })
  const read = () => Promise.all([1, 2, 3].map(() => machine.cards.get(base.id)))
  await read()
  expect(tokens.length).toBe(1)
  const body = new URLSearchParams({ client_id: id, client_secret: secret, token: tokens[0] ?? '' })
  await app.fetch(new Request(`${app.baseUrl}/oauth/revoke`, { method: 'POST', body }))
  expect((await read()).map((card) => card.id)).toEqual([base.id, base.id, base.id])
  expect(tokens.length).toBe(2)
  const wrong = clientOf({ clientId: id, clientSecret: 'wrong' }).cards.list()
  expect(await refusal(wrong)).toMatchObject({ status: 401, code: 'invalid_client' })
})

describe('messages of webhooks', async () => {
  const receiver = aReceiver()
  const webhook = await aWebhook(app.operator, receiver.url, ['catalog.changed'])
  const rotated = await app.operator.post(`${webhook.self}/rotate`, {})
  const second = String(rotated.one.attributes.secret)
  await make.brand()
  await until(() => receiver.messages.length > 0)
  const [{ text = '', headers = {} } = {}] = receiver.messages
  const bytes = new TextEncoder().encode(text)
  const shouting = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]))

  test.each([
    ['text and a Headers object', text, new Headers(headers)],
    ['bytes and a plain object', bytes, headers],
    ['a buffer, and names in capitals', bytes.buffer, shouting],
  ] as const)('are verified from %s, with either secret of a rotation', async (_, body, given) => {
    for (const secret of [webhook.secret, second]) {
      const message = await verifyWebhook(body, given, secret)
      expect([message.type, message.id]).toEqual(['catalog.changed', headers['webhook-id'] ?? ''])
    }
  })

  const old = { ...headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 301) }
  test.each([
    ['another body', `${text} `, headers, webhook.secret],
    ['another secret', text, headers, 'whsec_AAAA'],
    ['no secret', text, headers, ''],
    ['an old time', text, old, webhook.secret],
    ['no signature', text, { ...headers, 'webhook-signature': undefined }, webhook.secret],
    ['a signature that is none', text, { ...headers, 'webhook-signature': 'v1,% v2,AAAA' }, webhook.secret],
  ] as const)('with %s are refused', async (_, body, given, secret) => {
    expect(await verifyWebhook(body, given, secret).catch((error) => error)).toBeInstanceOf(WebhookError)
  })
})

test('checksums are those of SHA-256, whatever the pieces', () => {
  for (let length = 0; length < 300; length++) {
    const bytes = new Uint8Array(length).map((_, i) => (i * 7 + length) % 256)
    const hash = new Sha256()
    for (let at = 0; at < length; at += 1 + (length % 70)) hash.update(bytes.subarray(at, at + 1 + (length % 70)))
    expect(hash.hex()).toBe(createHash('sha256').update(bytes).digest('hex'))
  }
})
