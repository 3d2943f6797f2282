import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { defineJob, GiveUp } from '../../../../src/jobs/define.ts'
import { enqueue } from '../../../../src/jobs/enqueue.ts'
import { listJobs } from '../../../../src/jobs/read.ts'
import { testApp } from '../../../support/app.ts'
import { workOff } from '../../../support/work-off.ts'

const app = await testApp()
const { db, clock, operator } = app
const path = '/internal/jobs'

let isMended = false
const broken = defineJob({
  name: 'broken',
  payload: Type.Object({ secret: Type.String() }),
  run: async ({ db: own }: { db: typeof db }, _, job) => {
    await own.transaction((tx) => job.save(tx, { done: 3, of: 7, rows: ['one'] }))
    if (!isMended) throw new GiveUp('It is broken.')
  },
})
const waiting = defineJob({ name: 'waiting', run: async () => {} })
const lines: string[] = []
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: (event: string) => void lines.push(event) }
const runBroken = () => workOff({ db, clock, log }, [broken])

const failed = await enqueue(db, broken, { secret: 'hush' }, { now: clock.now() })
await runBroken()
const queued = await enqueue(db, waiting, {}, { now: clock.now() })
const later = await enqueue(db, waiting, {}, { now: clock.now() })

describe('GET /internal/jobs', () => {
  test('lists jobs, the newest first, page by page, and never what was given to them', async () => {
    const all = await operator.get(path)
    expect(all.many.map(({ id }) => id)).toEqual([later, queued, failed])
    expect(all.meta).toMatchObject({ total: 3, per_page: 25, last_page: 1 })
    expect(all.text).not.toContain('hush')
    const page = await operator.get(`${path}?per_page=1&page=2&fields[jobs]=name`)
    expect(page.many.map(({ id, attributes }) => [id, attributes])).toEqual([[queued, { name: 'waiting' }]])
    expect(page.links.next).toContain('page=3')
  })
  test('shows how a job stands: attempts, the numbers of its progress, its error, its times', async () => {
    const { one } = await operator.get(`${path}/${failed}`)
    expect(one).toMatchObject({ type: 'jobs', id: failed, links: { self: `${app.baseUrl}${path}/${failed}` } })
    expect(one.attributes).toEqual({
      ...{ name: 'broken', status: 'failed', attempts: 1, max_attempts: 10, error: 'It is broken.' },
      ...{ progress: { done: 3, of: 7 }, run_at: expect.any(String), created_at: expect.any(String) },
      finished_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
    })
  })
  test('filters by name and by status, under either spelling', async () => {
    const ids = async (query: string) => (await operator.get(`${path}?${query}`)).many.map(({ id }) => id)
    expect(await ids('filter[name]=waiting')).toEqual([later, queued])
    expect(await ids('filter[status]=failed')).toEqual([failed])
    expect(await ids('name=waiting&status=queued')).toEqual([later, queued])
    expect(await ids('filter[name]=waiting&filter[status]=failed')).toEqual([])
    expect((await operator.get(`${path}?filter[status]=failed`)).meta.total).toBe(1)
    expect((await operator.get(`${path}?filter[status]=dead`)).faults).toEqual(['INVALID_PARAMETER filter[status]'])
    expect((await operator.get(`${path}?filter[payload]=x`)).faults).toEqual(['INVALID_PARAMETER filter[payload]'])
  })
})

describe('POST /internal/jobs/{id}/retry', () => {
  const retry = (id: string, as = operator) => as.send('POST', `${path}/${id}/retry`)
  test('queues a failed job again with all its attempts, from its progress, once', async () => {
    isMended = true
    const answer = await retry(failed)
    expect(answer.status).toBe(200)
    expect(answer.one).toMatchObject({
      id: failed,
      attributes: { status: 'queued', attempts: 0, finished_at: null, progress: { done: 3, of: 7 } },
    })
    expect((await retry(failed)).faults).toEqual(['CONFLICT'])
    await runBroken()
    const [done] = await listJobs(db, { name: 'broken' })
    expect(done).toMatchObject({ status: 'completed', attempts: 1 })
  })
  test('refuses one that has not failed, and one that is not there', async () => {
    expect((await retry(queued)).faults).toEqual(['CONFLICT'])
    for (const id of [crypto.randomUUID(), 'nothing']) expect((await retry(id)).status).toBe(404)
  })
  test('is for operators alone', async () => {
    expect((await retry(queued, app.internalMachine)).status).toBe(409)
    for (const caller of [app.writer, app.machine, app.visitor, app.subscriber])
      for (const answer of [await retry(queued, caller), await caller.get(path), await caller.get(`${path}/${queued}`)])
        expect(answer.status).toBe(403)
    for (const caller of [app.stranger(), app.revoked]) expect((await caller.get(path)).status).toBe(401)
  })
})
