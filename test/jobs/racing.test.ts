import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { openPostgres } from '../../db/postgres.ts'
import { defineJob } from '../../src/jobs/define.ts'
import { enqueue, enqueueAll } from '../../src/jobs/enqueue.ts'
import { listJobs } from '../../src/jobs/read.ts'
import { startChild } from '../support/child.ts'
import { clonedDatabase } from '../support/cloned-database.ts'
import { untilHeard } from '../support/listeners.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(60_000)

const server = process.env.TEST_DATABASE_URL
if (!server) console.log('skipped: processes that race for jobs (set TEST_DATABASE_URL to a PostgreSQL server)')
const cloned = server ? await clonedDatabase(server) : undefined
const db = openPostgres({ url: cloned?.url ?? 'postgres://nowhere/none' })
afterAll(async () => {
  await db.close()
  await cloned?.drop()
})

const path = join(import.meta.dir, '../support/queue-process.ts')
const start = (more: Record<string, string> = {}) =>
  startChild(path, [''], { DATABASE_URL: cloned?.url ?? '', ...more })
const steps = defineJob({
  name: 'steps',
  payload: Type.Object({ count: Type.Integer(), milliseconds: Type.Integer() }),
  run: async () => {},
})
const now = new Date()

/** Stops the process, and answers whether it holds no lock of the job; where it does, it goes on. */
const stalls = async (child: Bun.Subprocess, job: string) => {
  child.kill('SIGSTOP')
  await Bun.sleep(50)
  const free = await db.sql`select 1 from jobs where id = ${job} for update skip locked`
  if (free.length === 0) child.kill('SIGCONT')
  return free.length > 0
}

describe.skipIf(!server)('two processes', () => {
  test('share a thousand jobs, and none runs twice', async () => {
    const children = [start(), start()]
    for (const { said } of children) await said('ready')
    await untilHeard(db, 2)
    const payload = { count: 1, milliseconds: 5 }
    const ids = await enqueueAll(
      db,
      steps,
      Array.from({ length: 1000 }, () => ({ payload })),
      now,
    )
    await until(async () => {
      const [left] = await db.sql`select count(*)::int as count from jobs where status <> 'completed'`
      return left?.count === 0
    })
    const rows = await db.sql<{ job: string; pid: number }[]>`select job, pid from steps`
    expect(rows.map(({ job }) => job).sort()).toEqual([...ids].sort())
    expect(new Set(rows.map(({ pid }) => pid)).size).toBe(2)
    for (const { end } of children) expect(await end('SIGTERM')).toBe(0)
  })

  test('tick each second, and each tick is one job', async () => {
    const children = [start({ TICKS: '1' }), start({ TICKS: '1' })]
    for (const { said } of children) await said('ready')
    await until(async () => (await listJobs(db, { name: 'ticking', status: 'completed' })).length >= 4)
    for (const { end } of children) await end('SIGTERM')
    const ticks = await db.sql<{ id: string; key: string }[]>`
      select id, key from jobs where name = 'ticking' and status = 'completed' order by key`
    const ran = await db.sql`
      select s.job from steps s join jobs j on j.id = s.job where j.name = 'ticking' and j.status = 'completed'`
    expect(new Set(ticks.map(({ key }) => key)).size).toBe(ticks.length)
    expect(ran.length).toBe(ticks.length)
  })

  test('that enqueue under one key at the same time make one job', async () => {
    const payload = { count: 1, milliseconds: 1 }
    const ids = await Promise.all(
      Array.from({ length: 50 }, () =>
        db.transaction((tx) => enqueue(tx, steps, payload, { now, key: 'wanted by many' })),
      ),
    )
    expect(new Set(ids).size).toBe(1)
    await db.sql`delete from jobs where key = 'wanted by many'`
  })

  test('take over where one stalls: what the other does late is refused', async () => {
    const stalling = start()
    await stalling.said('ready')
    const job = await enqueue(db, steps, { count: 40, milliseconds: 50 }, { now })
    await stalling.said('step', 5)
    await until(() => stalls(stalling.child, job))
    const other = start()
    await other.said('step', 5)
    stalling.child.kill('SIGCONT')
    await until(async () => (await listJobs(db, { name: 'steps', limit: 1 }))[0]?.status === 'completed')
    const [row] = await db.sql`
      select count(*)::int as done, count(distinct step)::int as steps, count(distinct pid)::int as pids
      from steps where job = ${job}`
    expect(row).toEqual({ done: 40, steps: 40, pids: 2 })
    for (const { end } of [stalling, other]) expect(await end('SIGTERM')).toBe(0)
  })
})
