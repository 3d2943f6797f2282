import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { type Database, openDatabase } from '../../../db/client.ts'
import { migrate } from '../../../db/migrate.ts'
import { defineJob } from '../../../src/jobs/define.ts'
import { enqueue } from '../../../src/jobs/enqueue.ts'
import { listJobs } from '../../../src/jobs/read.ts'
import { startChild } from '../../support/child.ts'
import { clonedDatabase } from '../../support/cloned-database.ts'

setDefaultTimeout(60_000)

const server = process.env.TEST_DATABASE_URL
const folder = mkdtempSync(join(tmpdir(), 'cardstock-killed-'))
const cloned = server ? await clonedDatabase(server) : undefined
const path = join(import.meta.dir, '../../support/queue-process.ts')
const start = () => startChild(path, [folder], cloned ? { DATABASE_URL: cloned.url } : { DATABASE_URL: '' })
const withDatabase = async <T>(work: (db: Database) => Promise<T>) => {
  const db = await openDatabase({ databaseUrl: cloned?.url, dataDir: folder })
  return work(db).finally(() => db.close())
}

beforeAll(() => withDatabase((db) => migrate(db)))
afterAll(async () => {
  await cloned?.drop()
  rmSync(folder, { recursive: true, force: true })
})

const steps = defineJob({
  name: 'steps',
  payload: Type.Object({ count: Type.Integer(), milliseconds: Type.Integer() }),
  run: async () => {},
})
const deaf = { ...steps, name: 'deaf', write: () => '{}' }

const begin = () => withDatabase((db) => enqueue(db, steps, { count: 60, milliseconds: 10 }, { now: new Date() }))

/** Whether each of the 60 steps was done, and none of them twice. */
const expectWhole = (job: string) =>
  withDatabase(async (db) => {
    const [row] = await db.sql`
      select count(*)::int as done, count(distinct step)::int as steps, count(distinct pid)::int as pids
      from steps where job = ${job}`
    expect(row).toMatchObject({ done: 60, steps: 60 })
    return row?.pids as number
  })

/** A start, and how long it took from there to the first step, in milliseconds. */
const goingOn = async () => {
  const child = start()
  await child.said('ready')
  const ready = performance.now()
  await child.said('step')
  return { child, waited: performance.now() - ready }
}

const finishing = async (job: string) => {
  const { child, waited } = await goingOn()
  await child.said('completed')
  await child.end('SIGTERM')
  const [shown] = await withDatabase((db) => listJobs(db, { name: 'steps' }))
  expect(shown).toMatchObject({ id: job, status: 'completed' })
  return { waited, attempts: shown?.attempts }
}

describe('a job whose process', () => {
  test('is killed goes on within five seconds of the next start, with nothing lost and nothing done twice', async () => {
    const job = await begin()
    const { child } = await goingOn()
    await child.said('step', 5)
    await child.end('SIGKILL')
    expect((await finishing(job)).waited).toBeLessThan(5000)
    expect(await expectWhole(job)).toBe(2)
  })

  test('is killed twice has failed, whatever it had done in between', async () => {
    const job = await begin()
    for (let kill = 0; kill < 2; kill++) {
      const { child } = await goingOn()
      await child.said('step', 5)
      await child.end('SIGKILL')
    }
    const next = start()
    await next.said('failed')
    await next.end('SIGTERM')
    const shown = (await withDatabase((db) => listJobs(db, { name: 'steps' }))).find(({ id }) => id === job)
    expect(shown).toMatchObject({ status: 'failed', last_error: 'The process ended twice in the middle of it.' })
  })

  test('is told to stop goes on at the next start, and the attempt does not count', async () => {
    const job = await begin()
    const child = start()
    await child.said('step', 5)
    expect(await child.end('SIGTERM')).toBe(0)
    const isDue = await withDatabase(async (db) => {
      const due = await db.sql`
        select 1 from jobs where id = ${job} and status = 'queued' and run_at <= now() and locked_until is null`
      return due.length === 1
    })
    expect(isDue).toBe(true)
    const { attempts } = await finishing(job)
    expect(attempts).toBe(1)
    await expectWhole(job)
  })

  test('is told to stop while it does not listen is given back at the deadline', async () => {
    const job = await withDatabase((db) => enqueue(db, deaf, { count: 0, milliseconds: 0 }, { now: new Date() }))
    const child = start()
    await child.said('deaf')
    expect(await child.end('SIGTERM')).toBe(0)
    const [shown] = await withDatabase((db) => listJobs(db, { name: 'deaf' }))
    expect(shown).toMatchObject({ id: job, status: 'queued', attempts: 0 })
  })

  test('is killed by it each time has failed after the last attempt', async () => {
    await withDatabase(
      (db) => db.sql`update jobs set attempts = max_attempts - 1 where name = 'deaf' and status = 'queued'`,
    )
    const child = start()
    await child.said('deaf')
    await child.end('SIGKILL')
    const next = start()
    await next.said('failed')
    await next.end('SIGTERM')
    const [shown] = await withDatabase((db) => listJobs(db, { name: 'deaf' }))
    expect(shown).toMatchObject({ status: 'failed', last_error: 'The process ended in the middle of it.' })
  })
})
