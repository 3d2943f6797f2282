import { expect, test } from 'bun:test'
import { makeBulkFiles } from '../../../src/catalog/sync/bulk/make.ts'
import { listSourceFiles, NoFittingFiles } from '../../../src/catalog/sync/mirror/files.ts'
import { openSource } from '../../../src/catalog/sync/mirror/source.ts'
import { tick } from '../../../src/jobs/schedule.ts'
import { schedule } from '../../../src/worker.ts'
import { testApp } from '../../support/app.ts'
import { factories, setStatus } from '../../support/factories.ts'
import { runJobs } from '../../support/jobs.ts'

const app = await testApp()
const { context, operator, reader, db } = app
const { signal } = new AbortController()
const make = factories(app)
const path = '/v2/bulk'

const fresh = async () => {
  app.clock.offsetSeconds += 1
  await makeBulkFiles(context, { signal })
}

type File = { resource: string; generated_at: string; download_url: string }
const listed = async () => {
  const page = await reader.get(path)
  const files = new Map(
    page.many.map(({ attributes }) => [attributes.resource as string, attributes as unknown as File]),
  )
  return {
    files,
    withdrawn: page.meta.withdrawn as string[] | undefined,
    total: (page.meta.page as { total: number }).total,
  }
}
const download = (file: File | undefined) => app.fetch(new Request(file?.download_url ?? ''))

/** What a service does by itself in this time. */
const within = async (seconds: number) => {
  app.clock.offsetSeconds += seconds
  await tick(context, schedule)
  await runJobs(context)
}

const aSet = async (status: 'draft' | 'published' = 'published') => {
  const set = await make.set()
  const card = await make.card({ set, number: '1', oncard: [await make.player()] })
  if (status !== 'draft') await setStatus(app, set, status)
  return { set, card }
}

test('files of unpublished records are neither listed nor opened, from the answer to the unpublishing on', async () => {
  const { set } = await aSet()
  await aSet()
  const kept = await make.attribute()
  await fresh()
  const before = await listed()
  expect([before.withdrawn, before.files.has('cards'), before.files.has('players')]).toEqual([undefined, true, true])
  await setStatus(app, set, 'draft')
  const { files, withdrawn, total } = await listed()
  expect(withdrawn).toEqual(expect.arrayContaining(['cards', 'players', 'sets']))
  expect(total).toBe(before.total - (withdrawn as string[]).length)
  for (const resource of before.files.keys())
    expect([resource, files.has(resource)]).toEqual([resource, !withdrawn?.includes(resource)])
  for (const resource of ['cards', 'players', 'sets']) {
    const gone = await download(before.files.get(resource))
    expect([resource, gone.status]).toEqual([resource, 410])
    expect(await gone.json()).toMatchObject({
      errors: [{ status: '410', code: 'FILE_WITHDRAWN', links: { about: `${app.baseUrl}${path}` } }],
    })
  }
  expect(kept.type).toBe('attributes')
  expect((await download(files.get('attributes'))).status).toBe(200)
})

test('within five minutes there are new ones, and earlier addresses stay gone', async () => {
  const { set } = await aSet()
  await fresh()
  const before = await listed()
  await setStatus(app, set, 'draft')
  await within(300)
  const after = await listed()
  expect([after.withdrawn, after.files.size]).toEqual([undefined, before.files.size])
  const cards = await download(after.files.get('cards'))
  expect(new TextDecoder().decode(Bun.gunzipSync(await cards.bytes()))).not.toContain(set.id)
  expect((await download(before.files.get('cards'))).status).toBe(410)
})

test('nothing new is made while nothing is withdrawn, drafts and additions included', async () => {
  const { set: draft, card } = await aSet('draft')
  await fresh()
  const before = await listed()
  await aSet()
  await operator.delete(`/v2/cards/${card.id}`)
  await operator.patch(`/v2/sets/${draft.id}`, {
    data: { type: 'sets', id: draft.id, attributes: { name: 'Renamed' } },
  })
  const meanwhile = await listed()
  expect([meanwhile.withdrawn, meanwhile.files.size]).toEqual([undefined, before.files.size])
  await within(120)
  expect((await listed()).files.get('cards')?.generated_at).toBe(before.files.get('cards')?.generated_at as string)
})

test('a deleted record withdraws its file alone', async () => {
  const { set } = await aSet()
  const unused = await make.card({ set, number: '2' })
  await fresh()
  await operator.delete(`/v2/cards/${unused.id}`)
  expect((await listed()).withdrawn).toEqual(['cards'])
})

test('a merge withdraws the file of the record that went, and merged ids that may lead to it', async () => {
  const [first, second, third] = [await make.brand(), await make.brand(), await make.brand()]
  for (const brand of [first, second, third]) await setStatus(app, await make.set({ brand }), 'published')
  const merge = (from: { id: string }, into: { id: string }) =>
    operator.post('/internal/merges', {
      data: { type: 'merges', attributes: { object_type: 'brands', into_id: into.id, from_ids: [from.id] } },
    })
  expect((await merge(first, second)).status).toBeLessThan(300)
  await fresh()
  expect((await merge(second, third)).status).toBeLessThan(300)
  expect((await listed()).withdrawn).toEqual(['brands', 'merges'])
})

test('a change that has no number yet counts', async () => {
  const { card } = await aSet()
  await fresh()
  await operator.delete(`/v2/cards/${card.id}`)
  const [{ count }] = await db.sql<[{ count: number }]>`select count(*)::int as count from changes where no is null`
  expect(count).toBeGreaterThan(0)
  expect((await listed()).withdrawn).toContain('cards')
})

test('a mirror waits for the new files', async () => {
  const { card } = await aSet()
  await fresh()
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: app.fetch })
  const source = openSource(server.url.origin, app.headers.reader.Authorization?.replace('Bearer ', '') ?? '')
  expect((await listSourceFiles(source, signal))?.files.length).toBeGreaterThan(10)
  await operator.delete(`/v2/cards/${card.id}`)
  const refusal = await listSourceFiles(source, signal).catch((error: Error) => error)
  expect(refusal).toBeInstanceOf(NoFittingFiles)
  await within(300)
  expect((await listSourceFiles(source, signal))?.files.length).toBeGreaterThan(10)
  await server.stop(true)
})
