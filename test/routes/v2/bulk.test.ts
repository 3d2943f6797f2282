import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeApp } from '../../../src/app.ts'
import { resourcesInV2 } from '../../../src/catalog/model/v2.ts'
import { makeBulkFiles } from '../../../src/catalog/sync/bulk/make.ts'
import { numberChanges } from '../../../src/catalog/sync/feed/number.ts'
import { schedule } from '../../../src/worker.ts'
import { runningCommands } from '../../commands/running.ts'
import type { Shown } from '../../support/answer.ts'
import { testApp } from '../../support/app.ts'
import { copyOf, copyOfLists, differences, follow } from '../../support/catalog-copy.ts'
import { catalogWithEverything } from '../../support/everything.ts'
import { factories, setStatus } from '../../support/factories.ts'
import { runJobs } from '../../support/jobs.ts'
import { openBucket } from '../../support/s3.ts'
import { writers } from '../../support/writers.ts'

const app = await testApp()
const { context, db, operator, reader } = app
const { signal } = new AbortController()
const make = factories(app)
const run = runningCommands(context)
const path = '/v2/bulk'
/** A file for each type, and one of merged ids. */
const types = [...resourcesInV2.map(({ type }) => type), 'merges']
const folder = join(context.config.dataDir, 'bulk')

type File = Record<
  'resource' | 'sha256' | 'content_type' | 'generated_at' | 'changes_cursor' | 'download_url',
  string
> &
  Record<'count' | 'bytes', number>
type Listed = { id: string } & File

const list = async (): Promise<Listed[]> =>
  (await reader.get(path)).many.map(({ id, attributes }) => ({ id, ...(attributes as File) }))
const fileOf = async (resource: string) => (await list()).find((file) => file.resource === resource) as Listed

const download = (url: string, headers: Record<string, string> = {}) => app.fetch(new Request(url, { headers }))

const linesOf = async ({ download_url }: Pick<File, 'download_url'>): Promise<Shown[]> =>
  shownIn(await (await download(download_url)).bytes())
const shownIn = (bytes: Uint8Array<ArrayBuffer>): Shown[] =>
  new TextDecoder()
    .decode(Bun.gunzipSync(bytes))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

const byId = (records: Shown[]) => records.toSorted((a, b) => (a.id < b.id ? -1 : 1))

test('before the first files are made the list is an empty page', async () => {
  const page = await reader.get(path)
  expect([page.status, page.many, page.meta]).toEqual([200, [], { page: { total: 0 } }])
})

describe('bulk files', () => {
  beforeAll(async () => {
    await catalogWithEverything(app)
    const draft = await make.set()
    await make.card({ set: draft, number: '1', oncard: [await make.player()] })
    expect((await run('export', '--bulk')).exit).toBe(0)
  })

  test('there is one for each type, and its lines are what /v2 shows a reader of published data', async () => {
    const files = await list()
    expect(files.map(({ resource }) => resource)).toEqual(types.toSorted())
    const listed = await copyOfLists(reader)
    for (const resource of resourcesInV2) {
      const file = files.find((one) => one.resource === resource.type) as Listed
      const lines = await linesOf(file)
      const mine = [...listed.values()].filter(({ type }) => type === resource.type)
      expect([resource.type, byId([...copyOf(lines).values()])]).toEqual([resource.type, byId(mine)])
      expect([resource.type, file.count]).toEqual([resource.type, lines.length])
    }
    expect(files.filter(({ count }) => count === 0).map(({ resource }) => resource)).toEqual(['merges'])
  })

  test('no line has a signed address', async () => {
    for (const file of await list()) {
      const text = new TextDecoder().decode(Bun.gunzipSync(await (await download(file.download_url)).bytes()))
      expect(text).not.toContain('signature=')
    }
  })

  test('the list says how large each is, its SHA-256, and when it was made', async () => {
    for (const file of await list()) {
      const answer = await download(file.download_url)
      const bytes = await answer.bytes()
      expect([file.bytes, file.sha256]).toEqual([bytes.length, createHash('sha256').update(bytes).digest('hex')])
      expect([answer.headers.get('content-type'), answer.headers.get('content-encoding')]).toEqual([
        file.content_type,
        null,
      ])
      expect(file.content_type).toBe('application/gzip')
      expect(Date.now() - Date.parse(file.generated_at)).toBeLessThan(600_000)
    }
  })

  test('a page is one of the cursor profile', async () => {
    const first = await reader.get(`${path}?page[size]=5&fields[bulk_files]=resource,count`)
    expect(first.headers.get('content-type')).toContain('profile="https://jsonapi.org/profiles/')
    expect(first.meta).toEqual({ page: { total: types.length } })
    expect(Object.keys(first.many[0]?.attributes ?? {})).toEqual(['resource', 'count'])
    const seen: string[] = []
    let back: string | null = null
    for (let address: string | null = `${app.baseUrl}${path}?page[size]=5`; address; ) {
      const page = await reader.get(address.replace(app.baseUrl, ''))
      seen.push(...page.many.map(({ attributes }) => attributes.resource as string))
      back = page.links.prev as string | null
      address = page.links.next as string | null
    }
    expect(seen).toEqual(types.toSorted())
    const before = await reader.get((back ?? '').replace(app.baseUrl, ''))
    expect(before.many.map(({ attributes }) => attributes.resource as string)).toEqual(types.toSorted().slice(5, 10))
    expect((await reader.get(`${path}?page[after]=none`)).status).toBe(400)
    expect((await reader.get(`${path}?sort=resource`)).status).toBe(400)
  })

  test('an address opens one file, without a credential and uncounted, until it ends', async () => {
    const { download_url, id } = await fileOf('cards')
    const answer = await download(download_url)
    expect([answer.status, answer.headers.has('x-ratelimit-limit')]).toEqual([200, false])
    const { search } = new URL(download_url)
    for (const wrong of [
      `/bulk/${id}/cards.ndjson.gz`,
      `/bulk/${id}/cards.ndjson.gz?expires=99999999999&signature=00`,
      `/bulk/${id}/sets.ndjson.gz${search}`,
      `/bulk/${(await fileOf('sets')).id}/cards.ndjson.gz${search}`,
      `/bulk/7/..%2f..%2fsecret${search}`,
    ])
      expect([wrong, (await download(`${app.baseUrl}${wrong}`)).status]).toEqual([wrong, 403])
    expect((await download(`${download_url}&size=1`)).status).toBe(400)
    app.clock.offsetSeconds += 1801
    expect((await download(download_url)).status).toBe(403)
    expect((await download((await fileOf('cards')).download_url)).status).toBe(200)
  })

  test('a broken download goes on with Range, and who has the file gets a 304', async () => {
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => makeApp(context).handle(request) })
    const { download_url, sha256 } = await fileOf('cards')
    const { pathname, search } = new URL(download_url)
    const ask = async (headers: Record<string, string>) => {
      const answer = await fetch(new URL(pathname + search, server.url), { headers })
      return { status: answer.status, headers: answer.headers, bytes: await answer.bytes() }
    }
    const whole = await ask({})
    const etag = whole.headers.get('etag') as string
    expect([etag, whole.headers.get('accept-ranges')]).toEqual([`"${sha256}"`, 'bytes'])
    const rest = await ask({ Range: 'bytes=100-', 'If-Range': etag })
    expect([rest.status, rest.headers.get('content-range')]).toEqual([
      206,
      `bytes 100-${whole.bytes.length - 1}/${whole.bytes.length}`,
    ])
    expect(rest.bytes).toEqual(whole.bytes.slice(100))
    expect((await ask({ Range: 'bytes=99999999-' })).status).toBe(416)
    const other = await ask({ Range: 'bytes=100-', 'If-Range': '"other"' })
    expect([other.status, other.bytes.length]).toEqual([200, whole.bytes.length])
    expect((await ask({ 'If-None-Match': etag })).status).toBe(304)
    await server.stop(true)
  })

  test('nothing was written since: the changes behind the cursor are none', async () => {
    const { changes_cursor } = await fileOf('cards')
    const page = await reader.get(`/v2/changes?page[after]=${changes_cursor}`)
    expect([page.status, page.many]).toEqual([200, []])
  })
})

test('a change that has no number yet is behind the cursor of the files', async () => {
  const set = await make.set()
  await setStatus(app, set, 'published')
  await numberChanges(db)
  const held = Promise.withResolvers<void>()
  const taken = Promise.withResolvers<void>()
  const numbering = db.transaction(async (tx) => {
    await tx.sql`select last from feed for update`
    taken.resolve()
    if (db.kind === 'postgres') await held.promise
  })
  await taken.promise
  const card = await make.card({ set, number: '1' })
  await makeBulkFiles(context, { signal })
  held.resolve()
  await numbering
  await numberChanges(db)
  const file = await fileOf('cards')
  const told = await reader.get(`/v2/changes?page[after]=${file.changes_cursor}&include=resource`)
  const ids = told.included.map(({ id }) => id)
  expect([...ids, ...(await linesOf(file)).map(({ id }) => id)]).toContain(card.id)
})

test('a file that is listed and the changes behind its cursor are the catalog, however much is written meanwhile', async () => {
  const write = await writers(app, 150)
  let isOver = false
  const writing = Promise.all([write(1), write(2)]).finally(() => {
    isOver = true
  })
  do await makeBulkFiles(context, { signal })
  while (!isOver && (await Bun.sleep(1)) === undefined)
  await writing
  await numberChanges(db)
  const files = await list()
  const held = copyOf((await Promise.all(files.map(linesOf))).flat())
  await follow(reader, `/v2/changes?page[after]=${files[0]?.changes_cursor}`, held)
  const resources = new Set(files.map(({ resource }) => resource))
  const wrong = differences(held, await copyOfLists(reader))
  expect(wrong.filter((pair) => pair.some((record) => record && resources.has(record.type)))).toEqual([])
  expect(files.length).toBeGreaterThan(0)
})

test.skipIf(db.kind === 'embedded')(
  'on a server the files of one time are one moment: whatever a card refers to is in them (needs several sessions)',
  async () => {
    const progress = async () => {
      await make.card({ set: await make.set({ status: 'published' }), oncard: [await make.player()] })
    }
    await progress()
    await makeBulkFiles(context, { signal, progress })
    const held = copyOf((await Promise.all((await list()).map(linesOf))).flat())
    const missing = [...held.values()].flatMap(({ type, relationships }) =>
      ['set', 'oncard', 'card_attributes']
        .flatMap((name) => (type === 'cards' ? (relationships[name]?.data ?? []) : []))
        .filter((one) => !held.has(`${one.type} ${one.id}`)),
    )
    expect(missing).toEqual([])
  },
)

test('the files of the generation before stay, older ones go', async () => {
  const generations: Listed[][] = []
  for (let generation = 0; generation < 3; generation++) {
    app.clock.offsetSeconds += 1
    await makeBulkFiles(context, { signal })
    generations.push(await list())
  }
  const [oldest, before, newest] = generations.map(
    (files) => files.find(({ resource }) => resource === 'cards') as Listed,
  )
  const statuses = []
  for (const file of [oldest, before, newest]) statuses.push((await download(file?.download_url ?? '')).status)
  expect(statuses).toEqual([404, 200, 200])
  expect(readdirSync(folder).length).toBe(2 * types.length)
})

/** Begins files, and stops when some of them are written. */
const cutShort = async (into: typeof context) => {
  const stopping = new AbortController()
  const progress = () => stopping.abort(new Error('cut'))
  return makeBulkFiles(into, { signal: stopping.signal, progress }).then(
    () => 'made',
    (error: Error) => error.message,
  )
}

test('files of a process that was killed go when they are a day old, and what is cut is listed nowhere', async () => {
  const [left, begun] = [
    Bun.randomUUIDv7('hex', app.clock.now().getTime() - 86_500_000),
    Bun.randomUUIDv7('hex', app.clock.now().getTime() - 1000),
  ]
  for (const id of [left, begun]) mkdirSync(join(folder, id))
  const listed = await list()
  expect(await cutShort(context)).toBe('cut')
  expect((await list()).map(({ id }) => id)).toEqual(listed.map(({ id }) => id))
  expect(readdirSync(folder).length).toBe(2 * types.length + 2)
  await makeBulkFiles(context, { signal })
  expect([existsSync(join(folder, left)), existsSync(join(folder, begun))]).toEqual([false, true])
  rmSync(join(folder, begun), { recursive: true })
})

test('they are made by a job, once a day', async () => {
  const task = schedule.find(({ job }) => job.name === 'bulk_export')
  expect(task?.pattern).toMatch(/^\d+ \d+ \* \* \*$/)
  app.clock.offsetSeconds += 60
  const before = await list()
  const { enqueue } = await import('../../../src/jobs/enqueue.ts')
  await enqueue(db, task?.job as never, {}, { now: app.clock.now() })
  await runJobs(context)
  const after = await list()
  expect(Date.parse(after[0]?.generated_at ?? '')).toBeGreaterThan(Date.parse(before[0]?.generated_at ?? ''))
})

test('export --bulk --out writes the same files into a folder, and lists none', async () => {
  const out = mkdtempSync(join(tmpdir(), 'cardstock-bulk-'))
  app.clock.offsetSeconds += 60
  await makeBulkFiles(context, { signal })
  const before = await list()
  const { exit, json } = await run('export', '--bulk', '--out', out, '--json')
  expect(exit).toBe(0)
  const told = json as { changes_cursor: string; files: { resource: string; sha256: string; file: string }[] }
  const hashes = (files: { resource: string; sha256: string }[]) =>
    Object.fromEntries(files.map(({ resource, sha256 }) => [resource, sha256]))
  expect(hashes(told.files)).toEqual(hashes(before))
  expect(told.changes_cursor).toBe(before[0]?.changes_cursor as string)
  expect(readdirSync(out).toSorted()).toEqual(types.map((type) => `${type}.ndjson.gz`).toSorted())
  for (const { file, sha256 } of told.files)
    expect(
      createHash('sha256')
        .update(await Bun.file(file).bytes())
        .digest('hex'),
    ).toBe(sha256)
  expect((await list()).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  expect((await run('export', '--out', out)).exit).toBe(2)
  const file = join(out, 'cards.ndjson.gz')
  const { exit: failed, err } = await run('export', '--bulk', '--out', file)
  expect([failed, err]).toEqual([1, `The folder ${file} cannot be used: a file has its name.\n`])
  mkdirSync(join(out, 'cards.ndjson.gz.part'))
  const inTheWay = await run('export', '--bulk', '--out', out)
  expect([inTheWay.exit, inTheWay.err]).toEqual([1, `A file in ${out} cannot be written: it is a folder.\n`])
  rmSync(out, { recursive: true })
})

test('a card that is deleted, or hidden, is in the next file no more', async () => {
  const set = await make.set()
  const [gone, hidden] = [
    await make.card({ set, number: '1' }),
    await make.card({ set: await make.set(), number: '2' }),
  ]
  await setStatus(app, set, 'published')
  await operator.delete(`/v2/cards/${gone.id}`)
  await makeBulkFiles(context, { signal })
  const ids = (await linesOf(await fileOf('cards'))).map(({ id }) => id)
  expect(ids.filter((id) => [gone.id, hidden.id].includes(id))).toEqual([])
})

test('the cards with the first and the last possible id are in the file', async () => {
  const set = await make.set({ status: 'published' })
  const ids = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']
  for (const id of ids) await make.card({ id, set })
  await makeBulkFiles(context, { signal })
  const listed = (await linesOf(await fileOf('cards'))).map(({ id }) => id)
  expect(listed.filter((id) => ids.includes(id))).toEqual(ids)
})

describe('in a bucket', () => {
  let bucket: Awaited<ReturnType<typeof openBucket>>
  beforeAll(async () => {
    bucket = await openBucket()
  })
  afterAll(() => bucket.close())

  test('files are reached through their signed address, and old ones go', async () => {
    const stored = await testApp({ environment: bucket.environment })
    await factories(stored).attribute()
    for (let generation = 0; generation < 3; generation++) {
      stored.clock.offsetSeconds += 1
      await makeBulkFiles(stored.context, { signal })
    }
    expect(bucket.objects()).toBe(2 * types.length)
    const { many } = await stored.reader.get(path)
    const file = many.find(({ attributes }) => attributes.resource === 'attributes')?.attributes as File
    const answer = await stored.fetch(new Request(file.download_url))
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([302, 'no-store'])
    const bytes = await (await fetch(answer.headers.get('location') as string)).bytes()
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(file.sha256)
    expect(await cutShort(stored.context)).toBe('cut')
    expect(bucket.objects()).toBe(2 * types.length)
  })
})
