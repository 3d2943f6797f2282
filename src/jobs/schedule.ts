import { Cron } from 'croner'
import type { Surroundings } from './attempt.ts'
import type { Enqueued } from './define.ts'
import { enqueue } from './enqueue.ts'

/** A job that comes by the clock: a cron pattern (UTC) that comes round at least once a day. */
export type Task = { pattern: string; job: Enqueued<Record<string, never>> }

const longestMilliseconds = 600_000
const afterFaultMilliseconds = 5000

/**
 * Enqueues the last tick of every task, each under a key of its own, so that it runs once however many replicas say so,
 * and also where all of them were down at the time.
 */
export const tick = async ({ db, clock }: Surroundings, tasks: readonly Task[]): Promise<void> => {
  const now = clock.now()
  for (const { pattern, job } of tasks) {
    const [last] = new Cron(pattern, { timezone: 'UTC', paused: true }).previousRuns(1, new Date(now.getTime() + 1000))
    if (last) await enqueue(db, job, {}, { now, key: `tick ${job.name} ${last.toISOString()}` })
  }
}

/** Ticks for as long as the process lives; answers how to stop, which waits for a tick that has begun. */
export const startSchedule = (world: Surroundings, tasks: readonly Task[]): (() => Promise<void>) => {
  let timer: Timer | undefined
  let stopped = false
  let running = Promise.resolve()
  const run = async () => {
    const wait = await tick(world, tasks)
      .then(() => untilNextTick(world, tasks))
      .catch((error: Error) => {
        world.log.warn('tick failed', { message: error.message })
        return afterFaultMilliseconds
      })
    if (!stopped) timer = setTimeout(next, wait)
  }
  const next = () => {
    running = run()
  }
  next()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
  }
}

const untilNextTick = ({ clock }: Surroundings, tasks: readonly Task[]) => {
  const now = clock.now()
  const waits = tasks.map(({ pattern }) => {
    const next = new Cron(pattern, { timezone: 'UTC', paused: true }).nextRun(now)
    return next ? next.getTime() - now.getTime() : longestMilliseconds
  })
  return Math.min(longestMilliseconds, ...waits)
}
