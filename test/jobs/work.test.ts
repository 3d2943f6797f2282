import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import type { Database, Sql } from '../../db/client.ts'
import { migrate } from '../../db/migrate.ts'
import { openPostgres } from '../../db/postgres.ts'
import { defineJob } from '../../src/jobs/define.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { listJobs } from '../../src/jobs/read.ts'
import { startSchedule } from '../../src/jobs/schedule.ts'
import { startWorking, type Working } from '../../src/jobs/work.ts'
import { untilHeard } from '../support/listeners.ts'
import { secondsToNoon } from '../support/noon.ts'
import { ownServer } from '../support/own-server.ts'
import { aQueueWorld, type QueueWorld } from '../support/queue-world.ts'
import { soonest } from '../support/soonest.ts'
import { until } from '../support/until.ts'

const world = await aQueueWorld()
const { db, clock } = world
afterAll(() => db.close())

const ran: { text: string; at: number }[] = []
const note = defineJob({
  name: 'note',
  payload: Type.Object({ text: Type.String() }),
  run: async (_: QueueWorld, { text }) => void ran.push({ text, at: performance.now() }),
})

let working: Working | undefined
const end = async () => {
  await working?.stop()
  working = undefined
  ran.length = 0
}
afterEach(end)

/** A worker that hears of new jobs, in the place of the one before. */
const begun = async () => {
  await end()
  working = startWorking(world, [note])
  await untilHeard(db)
  await Bun.sleep(300)
}
const noted = async () => {
  await until(() => ran.length > 0)
  return ran[0]?.at ?? 0
}

describe('an idle worker', () => {
  test('begins at once with what is enqueued, when the transaction has committed', async () => {
    const waited = await soonest(async () => {
      await begun()
      let committing = 0
      await db.transaction(async (tx) => {
        await enqueue(tx, note, { text: 'now' }, { now: clock.now() })
        await Bun.sleep(100)
        expect(ran).toEqual([])
        committing = performance.now()
      })
      return (await noted()) - committing
    })
    expect(waited).toBeLessThan(500)
  })

  test('begins when a job comes due that was enqueued for later', async () => {
    const waited = await soonest(async () => {
      await begun()
      const enqueued = performance.now()
      await enqueue(db, note, { text: 'soon' }, { now: clock.now(), runAt: new Date(clock.now().getTime() + 700) })
      return (await noted()) - enqueued
    })
    expect(waited).toBeWithin(600, 1500)
  })

  test('finds what nobody told it of, where there may be other processes', async () => {
    if (db.kind === 'embedded') return
    await begun()
    await enqueue({ ...db, notify: async () => {} }, note, { text: 'unheard' }, { now: clock.now() })
    await until(() => ran.length > 0)
  })

  test('asks the embedded database nothing, and a server a few times a second at most', async () => {
    const counted = { asked: 0 }
    working = startWorking({ ...world, db: counting(db, counted) }, [note])
    let before = 0
    await until(async () => {
      before = counted.asked
      await Bun.sleep(500)
      return before >= 3 && counted.asked === before
    })
    counted.asked = 0
    await Bun.sleep(3000)
    expect(counted.asked).toBeLessThanOrEqual(db.kind === 'embedded' ? 0 : 12)
  })
})

describe('a worker', () => {
  test('runs no more jobs at once than it is given places for', async () => {
    let [now, most] = [0, 0]
    const crowd = defineJob({
      name: 'crowd',
      run: async (_: QueueWorld) => {
        most = Math.max(most, ++now)
        await Bun.sleep(20)
        now--
      },
    })
    for (let n = 0; n < 10; n++) await enqueue(db, crowd, {}, { now: clock.now() })
    working = startWorking(world, [crowd], { slots: 3 })
    await until(async () => (await listJobs(db, { name: 'crowd' })).every(({ status }) => status === 'completed'))
    expect(most).toBe(3)
  })

  test('has a place for what is urgent while long jobs take all the others', async () => {
    const ending = Promise.withResolvers<void>()
    const long = defineJob({ name: 'long', run: (_: QueueWorld) => ending.promise })
    for (let n = 0; n < 5; n++) await enqueue(db, long, {}, { now: clock.now() })
    working = startWorking(world, [long, note], { slots: 2 })
    await Bun.sleep(300)
    await enqueue(db, note, { text: 'usual' }, { now: clock.now() })
    await enqueue(db, note, { text: 'urgent' }, { now: clock.now(), priority: 1 })
    await until(() => ran.length > 0)
    await Bun.sleep(200)
    expect(ran.map(({ text }) => text)).toEqual(['urgent'])
    ending.resolve()
    await until(() => ran.length === 2)
  })

  test('runs a failed job again after its wait', async () => {
    let attempts = 0
    const shaky = defineJob({
      name: 'shaky',
      run: async (_: QueueWorld) => {
        attempts++
        if (attempts === 1) throw new Error('not yet')
      },
    })
    await enqueue(db, shaky, {}, { now: clock.now() })
    working = startWorking(world, [shaky])
    await until(() => attempts === 2)
  })

  test('runs a job that it claimed when the answer was lost', async () => {
    await enqueue(db, note, { text: 'claimed' }, { now: clock.now() })
    working = startWorking({ ...world, db: losingTheFirstClaim(db) }, [note])
    await until(() => ran.length > 0)
    expect(world.lines.map(({ event }) => event)).toContain('job recovered')
  })

  test('catches up on the last ticks that everybody was down for, once, and stops when that is done', async () => {
    const tasks = ['daily', 'nightly'].map((name) => ({
      pattern: '30 4 * * *',
      job: defineJob({ name, run: async (_: QueueWorld) => {} }),
    }))
    const startAndStop = () => startSchedule(world, tasks)()
    const ticks = async () => [
      (await listJobs(db, { name: 'daily' })).length,
      (await listJobs(db, { name: 'nightly' })).length,
    ]
    clock.offsetSeconds = secondsToNoon()
    for (const _ of ['start', 'start again']) {
      await startAndStop()
      expect(await ticks()).toEqual([1, 1])
    }
    clock.offsetSeconds += 86_400 * 3
    await startAndStop()
    expect(await ticks()).toEqual([2, 2])
    clock.offsetSeconds = 0
  })
})

const server = await ownServer('jobs while PostgreSQL restarts')
afterAll(() => server?.remove())

test.skipIf(!server)(
  'jobs go on when PostgreSQL is restarted under them, and each step is done once',
  async () => {
    if (!server) return
    const own = await aQueueWorld(openPostgres({ url: server.url, poolSize: 4 }))
    await migrate(own.db)
    await own.db.sql`create table steps (job uuid, step int)`
    const steps = defineJob({
      name: 'steps',
      progress: Type.Object({ done: Type.Integer() }),
      run: async (_: QueueWorld, __, job) => {
        for (let step = job.progress?.done ?? 0; step < 100; step++)
          await own.db.transaction(async (tx) => {
            await tx.sql`insert into steps values (${job.id}, ${step})`
            await Bun.sleep(10)
            await job.save(tx, { done: step + 1 })
          })
      },
    })
    for (let n = 0; n < 3; n++) await enqueue(own.db, steps, {}, { now: clock.now() })
    const busy = startWorking(own, [steps])
    for (const mode of ['fast', 'immediate'] as const) {
      await Bun.sleep(300)
      await server.stop(mode)
      await server.start()
    }
    await until(async () => (await listJobs(own.db, { name: 'steps' })).every(({ status }) => status === 'completed'))
    await busy.stop()
    const [row] = await own.db.sql`
    select count(*)::int as done, count(distinct (job, step))::int as steps from steps`
    expect(row).toEqual({ done: 300, steps: 300 })
    await own.db.close()
  },
  60_000,
)

type Statement = (...words: unknown[]) => Promise<unknown>

/** The same database, with something done around each of its statements. */
const around = (
  database: Database,
  ask: (statement: () => Promise<unknown>, words: unknown[]) => unknown,
): Database => ({
  ...database,
  sql: new Proxy(database.sql, {
    apply: (target, self, words) => ask(() => Reflect.apply(target as unknown as Statement, self, words), words),
  }) as Sql,
})

/** The same database, with a count of what it is asked. */
const counting = (database: Database, counted: { asked: number }) =>
  around(database, (statement) => {
    counted.asked++
    return statement()
  })

/** The same database, whose connection breaks between the first claim and its answer. */
const losingTheFirstClaim = (database: Database) => {
  let isLost = false
  return around(database, (statement, [text]) => {
    if (isLost || !String(text).includes("set status = 'running'")) return statement()
    isLost = true
    return statement().then(() => Promise.reject(new Error('The connection broke.')))
  })
}
