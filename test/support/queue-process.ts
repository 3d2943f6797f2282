import { writeSync } from 'node:fs'
import { Type } from '@sinclair/typebox'
import { openDatabase } from '../../db/client.ts'
import { defineJob } from '../../src/jobs/define.ts'
import { startSchedule } from '../../src/jobs/schedule.ts'
import { startWorking } from '../../src/jobs/work.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { type Log, openLog } from '../../src/lib/log.ts'
import type { QueueWorld } from './queue-world.ts'

/**
 * Runs as a separate process: works the queue of the database in DATABASE_URL, or else of the given folder, and reports what it
 * does, one line each. It also reports jobs that are recorded as completed, or as failed because their process ended. Every
 * step of `steps` leaves a row in the table of that name.
 */
const say = (line: object) => writeSync(1, `${JSON.stringify(line)}\n`)

const steps = defineJob({
  name: 'steps',
  payload: Type.Object({ count: Type.Integer(), milliseconds: Type.Integer() }),
  progress: Type.Object({ done: Type.Integer() }),
  run: async ({ db }: QueueWorld, { count, milliseconds }, job) => {
    for (let step = job.progress?.done ?? 0; step < count; step++) {
      job.signal.throwIfAborted()
      await Bun.sleep(milliseconds)
      await db.transaction(async (tx) => {
        await tx.sql`insert into steps (job, step, pid) values (${job.id}, ${step}, ${process.pid})`
        await job.save(tx, { done: step + 1 })
      })
      say({ step, attempt: job.attempt })
    }
  },
})

/** Ignores its signal and never ends, like a job that waits for another machine. */
const deaf = defineJob({
  name: 'deaf',
  run: async () => {
    say({ deaf: true })
    await new Promise(() => {})
  },
})

const ticking = defineJob({
  name: 'ticking',
  run: async ({ db }: QueueWorld, _, { id }) => {
    await db.sql`insert into steps (job, step, pid) values (${id}, 0, ${process.pid})`
  },
})

const db = await openDatabase({ databaseUrl: process.env.DATABASE_URL, dataDir: process.argv[2] ?? '' })
await db.sql`create table if not exists steps (job uuid not null, step int not null, pid int not null)`.catch(() => {})
const log: Log = {
  ...openLog('warn'),
  info: (_, { outcome, id } = {}) => void (outcome === 'completed' && say({ completed: id })),
  error: (_, { status, id } = {}) => void (status === 'failed' && say({ failed: id })),
}
const world: QueueWorld = { db, clock: systemClock(), log, lines: [] }
const working = startWorking(world, [steps, deaf, ticking])
const stopTicks = process.env.TICKS ? startSchedule(world, [{ pattern: '* * * * * *', job: ticking }]) : undefined
say({ ready: true })

process.once('SIGTERM', async () => {
  await stopTicks?.()
  await working.stop(1000)
  await db.close()
  process.exit(0)
})
