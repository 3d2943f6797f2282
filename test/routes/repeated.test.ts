import { describe, expect, test } from 'bun:test'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openPostgres } from '../../db/postgres.ts'
import { issueCredential } from '../../src/access/credentials.ts'
import { makeApp } from '../../src/app.ts'
import { makeContext } from '../../src/context.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { openLog } from '../../src/lib/log.ts'
import { lifetimes } from '../../src/limits.ts'
import { pruneAnswers } from '../../src/worker.ts'
import type { Answer } from '../support/answer.ts'
import { testApp } from '../support/app.ts'
import { aToken, aUser, clientWith } from '../support/callers.ts'
import { endsFirst } from '../support/ending.ts'
import { aDocument, aName, factories } from '../support/factories.ts'
import { aPng } from '../support/image.ts'
import { aPerson } from '../support/people.ts'
import { workOff } from '../support/work-off.ts'

const app = await testApp()
const { context, db, clock } = app
const make = factories(app)

const withKey = (key: string = crypto.randomUUID()) => ({ 'Idempotency-Key': key })
const aSet = () => aDocument('sets', { name: aName('Repeated') })
const made = async (document: ReturnType<typeof aDocument>) =>
  (await db.sql`select from sets where name = ${String(document.data.attributes.name)}`).length

/** What a repetition has in common with the first answer. */
const common = ({ status, headers, text }: Answer) => ({
  ...{ status, text },
  ...Object.fromEntries(['location', 'content-type', 'cache-control'].map((name) => [name, headers.get(name)])),
})

describe('a repetition', () => {
  test('has the answer of the first request, and does nothing', async () => {
    const [key, document] = [withKey(), aSet()]
    const first = await app.writer.post('/v1/sets', document, key)
    const again = await app.writer.post('/v1/sets', document, key)
    expect(first.status).toBe(201)
    expect(first.headers.get('location')).toContain('/v1/sets/')
    expect(common(again)).toEqual(common(first))
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    expect(await made(document)).toBe(1)
  })
  test('of a refusal is refused the same, with a request id of its own', async () => {
    const [key, document] = [withKey(), aDocument('sets', {})]
    const first = await app.writer.post('/v1/sets', document, key)
    const again = await app.writer.post('/v1/sets', document, { ...key, 'X-Request-ID': 'again' })
    expect([first.status, again.status]).toEqual([422, 422])
    expect(again.meta).toEqual({ request_id: 'again' })
    expect({ ...again.document, meta: {} }).toEqual({ ...first.document, meta: {} })
  })
  test('gets the refusal of the first, even if it would be done by now', async () => {
    const [key, id] = [withKey(), crypto.randomUUID()]
    const document = aDocument('object-attributes', {
      ...{ attribute_id: (await make.attribute()).id, attribute_value: 'x', object_type: 'card', object_id: id },
    })
    expect((await app.writer.post('/v1/object-attributes', document, key)).status).toBe(422)
    await make.card({ id })
    expect((await app.writer.post('/v1/object-attributes', document, key)).status).toBe(422)
    expect((await app.writer.post('/v1/object-attributes', document, withKey())).status).toBe(201)
  })
  test('of a read gets what the first read', async () => {
    const [key, card] = [withKey(), await make.card({ set: await make.set({ status: 'published' }), title: 'Before' })]
    const document = { data: [{ type: 'cards', id: card.id }] }
    const first = await app.reader.post('/v2/cards/collection', document, key)
    await app.operator.patch(`/v1/cards/${card.id}`, aDocument('cards', { title: 'After' }, {}, card.id))
    const again = await app.reader.post('/v2/cards/collection', document, key)
    expect(first.text).toContain('Before')
    expect(common(again)).toEqual(common(first))
  })
  test('counts as any request', async () => {
    const { secret } = await aToken(context, await aUser(context), ['read:all-status', 'write'])
    const writer = clientWith(app.fetch, app.baseUrl, { Authorization: `Bearer ${secret}` })
    const [key, document] = [withKey(), aSet()]
    const left = async () => Number((await writer.post('/v1/sets', document, key)).headers.get('x-ratelimit-remaining'))
    const first = await left()
    expect(await left()).toBe(first - 1)
  })
  test('passes the gate: one whose credential was revoked is 401, and one that lost its scope is 403', async () => {
    const { id, secret } = await aToken(context, await aUser(context), ['read:all-status', 'write'])
    const writer = clientWith(app.fetch, app.baseUrl, { Authorization: `Bearer ${secret}` })
    const [key, document] = [withKey(), aSet()]
    const send = async () => (await writer.post('/v1/sets', document, key)).status
    expect(await send()).toBe(201)
    await db.sql`update credentials set scopes = '{read:published}' where id = ${id}`
    expect(await send()).toBe(403)
    await db.sql`update credentials set revoked_at = now() where id = ${id}`
    expect(await send()).toBe(401)
  })
  test('after 24 hours is a new request', async () => {
    const [key, document] = [withKey(), aSet()]
    await app.writer.post('/v1/sets', document, key)
    clock.offsetSeconds = lifetimes.keptAnswer.seconds - 60
    await app.writer.post('/v1/sets', document, key)
    expect(await made(document)).toBe(1)
    clock.offsetSeconds = lifetimes.keptAnswer.seconds + 60
    expect((await app.writer.post('/v1/sets', document, key)).status).toBe(201)
    expect(await made(document)).toBe(2)
    clock.offsetSeconds = 0
  })
})

describe('a key', () => {
  test('that came with another request is 422, whatever differs', async () => {
    const [key, document] = [withKey(), aSet()]
    await app.writer.post('/v1/sets', document, key)
    const others: [string, unknown, Record<string, string>?][] = [
      ['/v1/sets', aSet()],
      ['/v1/sets?fields[sets]=name', document],
      ['/v2/sets', document],
      ['/v1/sets', document, { 'Content-Type': 'text/plain' }],
    ]
    for (const [path, sent, headers] of others) {
      const { status, faults } = await app.writer.post(path, sent, { ...key, ...headers })
      expect([path, status, ...faults]).toEqual([path, 422, 'IDEMPOTENCY_KEY_REUSED'])
    }
    expect(await made(document)).toBe(1)
  })
  test('belongs to its credential', async () => {
    const [key, document] = [withKey(), aSet()]
    for (const client of [app.writer, app.operator, app.publishedWriter, app.blindWriter])
      expect((await client.post('/v1/sets', document, key)).status).toBe(201)
    expect(await made(document)).toBe(4)
  })
  test('is 1 to 255 visible ASCII characters, otherwise 400', async () => {
    const send = (key: string) => app.writer.post('/v1/sets', aSet(), withKey(key))
    for (const key of ['', ' ', 'a b', 'a'.repeat(256), 'é', 'a\tb', 'one, two']) {
      const { status, faults } = await send(key)
      expect([key, status, ...faults]).toEqual([key, 400, 'IDEMPOTENCY_KEY_INVALID'])
    }
    for (const key of ['a', '!"#~', 'a'.repeat(255)]) expect((await send(key)).status).toBe(201)
  })
  test('means nothing without a credential, or with another method', async () => {
    const asked = { data: { type: 'password_resets', attributes: { email: 'nobody@example.org' } } }
    for (const key of ['same', 'not valid', 'same']) {
      expect((await app.stranger().post('/v1/user/password/forgot', asked, withKey(key))).status).toBe(202)
      expect((await app.reader.get('/v1/brands', withKey(key))).status).toBe(200)
    }
    const brand = await make.brand()
    for (const name of [aName('Once'), aName('Twice')]) {
      const answer = await app.writer.patch(
        `/v1/brands/${brand.id}`,
        aDocument('brands', { name }, {}, brand.id),
        withKey(),
      )
      expect(answer.one.attributes.name).toBe(name)
    }
  })
})

/** The database of another process, on the same server. */
const sameDatabase = async () => {
  const [row] = await db.sql<{ name: string }[]>`select current_database() as name`
  const other = openPostgres({ url: String(new URL(`/${row?.name}`, process.env.TEST_DATABASE_URL)) })
  endsFirst(other.close)
  return other
}
const otherDatabase = db.kind === 'embedded' ? db : await sameDatabase()
const otherProcess = makeApp(makeContext({ ...context, log: openLog('silent'), db: otherDatabase }))
const elsewhere = clientWith(async (request) => otherProcess.handle(request), app.baseUrl, app.headers.writer)

test('of two at once with one key, one does it and the other is told to wait', async () => {
  for (let round = 0; round < 10; round++) {
    const [key, document] = [withKey(), aSet()]
    const both = await Promise.all([0, 1].map(() => app.writer.post('/v1/sets', document, key)))
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
    const refused = both.find(({ status }) => status === 409)
    expect(refused?.faults).toEqual(['IDEMPOTENCY_KEY_IN_USE'])
    expect(refused?.headers.get('retry-after')).toBe('1')
    const again = await app.writer.post('/v1/sets', document, key)
    expect(again.text).toBe(both.find(({ status }) => status === 201)?.text as string)
    expect(await made(document)).toBe(1)
  }
})

test.skipIf(db.kind === 'embedded')(
  'of two processes, one does it and the other is told to wait (needs a database that they share)',
  async () => {
    for (let round = 0; round < 10; round++) {
      const [key, document] = [withKey(), aSet()]
      const both = await Promise.all([app.writer, elsewhere].map((client) => client.post('/v1/sets', document, key)))
      const statuses = both.map(({ status }) => status).toSorted()
      expect([
        [201, 201],
        [201, 409],
      ]).toContainEqual(statuses)
      expect(await made(document)).toBe(1)
    }
  },
)

test.skipIf(db.kind === 'embedded')(
  'a key that another process holds is 409, and free again once that is gone (needs a database that they share)',
  async () => {
    const [key, document] = [withKey(), aSet()]
    await app.writer.post('/v1/sets', aDocument('sets', {}, {}, 'no id'), key)
    await db.sql`update kept_answers set asked = null, answer = null where key = ${key['Idempotency-Key']}`
    await db.transaction(async (tx) => {
      await tx.sql`select from kept_answers where key = ${key['Idempotency-Key']} for update`
      expect((await app.writer.post('/v1/sets', document, key)).faults).toEqual(['IDEMPOTENCY_KEY_IN_USE'])
    })
    expect((await app.writer.post('/v1/sets', document, key)).status).toBe(201)
  },
)

describe('an upload', () => {
  const csv = { 'Content-Type': 'text/csv' }
  const sendFile = (file: string, key: Record<string, string>, headers = csv) =>
    app.operator.send('POST', '/internal/imports', { body: file, headers: { ...headers, ...key } })
  const kept = async () => [...(await db.sql`select count(*)::int as imports from imports`)]

  test('of the same file is one import, of another one 422, and what it stored is gone', async () => {
    const [key, file] = [withKey(), `set,number\n${aName('Sent twice')},1\n`]
    const first = await sendFile(file, key)
    expect(first.status).toBe(202)
    const before = await kept()
    expect(common(await sendFile(file, key))).toEqual(common(first))
    expect((await sendFile(`${file},2\n`, key)).faults).toEqual(['IDEMPOTENCY_KEY_REUSED'])
    expect(await kept()).toEqual(before)
  })
  test('that was refused before it was read is refused the same', async () => {
    const [key, other] = [withKey(), { 'Content-Type': 'image/png' }]
    const first = await sendFile('set,number\nA,1\n', key, other)
    expect(first.status).toBe(415)
    expect((await sendFile('set,number\nA,1\n', key, other)).status).toBe(415)
    expect((await sendFile('set,number\nB,1\n', key, other)).faults).toEqual(['IDEMPOTENCY_KEY_REUSED'])
    expect((await sendFile('set,number\nA,1\n', key)).faults).toEqual(['IDEMPOTENCY_KEY_REUSED'])
  })
  test('that is empty, or too long, is refused the same', async () => {
    const key = withKey()
    for (let n = 0; n < 2; n++) expect((await sendFile('', key)).faults).toEqual(['BAD_REQUEST'])
  })
  test.skipIf(db.kind === 'embedded')(
    'to two processes at once is one image (needs a database that they share)',
    async () => {
      const card = await make.card()
      const send = (client: ReturnType<typeof clientWith>, key: Record<string, string>) =>
        client.send('POST', `/v1/card-images?card_id=${card.id}`, {
          ...{ body: aPng(64, 64), headers: { 'Content-Type': 'image/png', ...key } },
        })
      const images = async () => (await db.sql`select from card_images where card_id = ${card.id}`).length
      for (let round = 1; round <= 5; round++) {
        const key = withKey()
        const both = await Promise.all([app.writer, elsewhere].map((client) => send(client, key)))
        const done = both.filter(({ status }) => status === 201)
        expect(both.filter(({ status }) => status !== 409)).toEqual(done)
        expect(new Set(done.map(({ text }) => text)).size).toBe(1)
        expect((await send(app.writer, key)).text).toBe(done[0]?.text as string)
        expect(await images()).toBe(round)
      }
    },
  )
})

test('without a key, nothing is kept', async () => {
  const kept = async () => (await db.sql`select from kept_answers`).length
  const before = await kept()
  expect((await app.writer.post('/v1/sets', aSet(), {})).status).toBe(201)
  expect(await kept()).toBe(before)
})

describe('what is not kept', () => {
  test('a conflict, which leaves its key free', async () => {
    const [key, { id }] = [withKey(), await make.card()]
    const taken = aDocument('cards', {}, { set: { data: { type: 'sets', id: (await make.set()).id } } }, id)
    expect((await app.operator.post('/v1/cards', taken, key)).status).toBe(409)
    expect((await app.operator.post('/v1/sets', aSet(), key)).status).toBe(201)
  })
  test('a refusal that is about the caller: 401, 402, 403 and 429', async () => {
    const user = await aUser(context, { status: 'past_due' })
    const { id, secret } = await aToken(context, user, ['read:published'])
    const writer = clientWith(app.fetch, app.baseUrl, { Authorization: `Bearer ${secret}` })
    const [key, document] = [withKey(), aSet()]
    const send = async () => (await writer.post('/v1/sets', document, key)).status
    expect(await send()).toBe(402)
    await db.sql`update subscriptions set status = 'active' where user_id = ${user}`
    expect(await send()).toBe(403)
    await db.sql`update credentials set scopes = '{write}', agreed_limit = 1 where id = ${id}`
    expect(await send()).toBe(429)
    await db.sql`update credentials set agreed_limit = 1000 where id = ${id}`
    expect(await send()).toBe(201)
  })
  test('a wrong password: what it counts stays', async () => {
    const { person } = await aPerson(app)
    const wrong = aDocument('sessions', { email: 'nobody@example.org', password: 'a wrong password' })
    const key = withKey()
    const statuses: number[] = []
    for (let n = 0; n < 11; n++) statuses.push((await person.post('/v1/session', wrong, key)).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
  })
  test('a failure: the repetition is done', async () => {
    const card = await make.card()
    const [key, folder] = [withKey(), join(context.config.dataDir, 'images')]
    const send = () =>
      app.writer.send('POST', `/v1/card-images?card_id=${card.id}`, {
        ...{ body: aPng(4, 4), headers: { 'Content-Type': 'image/png', ...key } },
      })
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(context.config.dataDir, { recursive: true })
    writeFileSync(folder, 'no folder')
    expect((await send()).status).toBeGreaterThanOrEqual(500)
    rmSync(folder)
    const done = await send()
    expect(done.status).toBe(201)
    expect(common(await send())).toEqual(common(done))
    app.lines.splice(0)
  })
})

describe('an answer that shows a secret', () => {
  const regenerate = (client: ReturnType<typeof clientWith>, key: Record<string, string>) =>
    client.send('POST', '/v1/user/api-key', { headers: key })
  test('is repeated, and sealed where it is kept', async () => {
    const [{ person }, key] = [await aPerson(app), withKey()]
    const first = await regenerate(person, key)
    expect(first.meta.api_key).toMatch(/^cardstock_\w+_\w{40,}$/)
    expect(common(await regenerate(person, key))).toEqual(common(first))
    const [kept] = await db.sql`select answer from kept_answers where key = ${key['Idempotency-Key']}`
    const bytes = Buffer.from(kept?.answer)
    for (const text of [String(first.meta.api_key), 'api_key']) expect(bytes.includes(text)).toBe(false)
  })
  test('is readable under the secret before, and 409 once that is gone', async () => {
    const [{ user }, key] = [await aPerson(app), withKey()]
    const { secret: session } = await issueCredential(db, 'session', user, context.config, clock.now())
    const under = (...secret: [string, ...string[]]) => {
      const service = makeApp(makeContext({ ...context, secret, log: openLog('silent') }))
      return clientWith(async (request) => service.handle(request), app.baseUrl, { Authorization: `Bearer ${session}` })
    }
    const [old, next] = ['the first secret of this service, long', 'the next secret of this service, long']
    const first = await regenerate(under(old), key)
    expect(common(await regenerate(under(next, old), key))).toEqual(common(first))
    expect((await regenerate(under(next), key)).faults).toEqual(['CONFLICT'])
    expect((await db.sql`select from credentials where user_id = ${user} and kind = 'subscriber_key'`).length).toBe(1)
  })
})

test('answers are removed once they are 24 hours old, or their account is gone', async () => {
  const [old, young, gone] = [withKey(), withKey(), withKey()]
  await app.writer.post('/v1/sets', aSet(), old)
  clock.offsetSeconds = lifetimes.keptAnswer.seconds - 60
  await app.writer.post('/v1/sets', aSet(), young)
  const { user, person } = await aPerson(app)
  await person.send('POST', '/v1/user/api-key', { headers: gone })
  await app.operator.send('POST', `/internal/users/${user}/close`)
  clock.offsetSeconds = lifetimes.keptAnswer.seconds + 60
  await enqueue(db, pruneAnswers, {}, { now: clock.now() })
  await workOff(context, [pruneAnswers])
  const all = [old, young, gone].map((key) => key['Idempotency-Key'])
  const kept = await db.sql<{ key: string }[]>`select key from kept_answers where key = any(${all}::text[])`
  expect(kept.map(({ key }) => key)).toEqual([young['Idempotency-Key']])
  clock.offsetSeconds = 0
})
