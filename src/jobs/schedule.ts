import { Cron } from 'croner'
import type { Surroundings } from './attempt.ts'
import type { Enqueued } from './define.ts'
import { enqueue } from './enqueue.ts'

/** A scheduled job: a cron pattern (UTC) that fires at least once a day. */
export type Task = { pattern: string; job: Enqueued<Record<string, never>> }

const longestMilliseconds = 600_000
const afterFaultMilliseconds = 5000

/**
 * Enqueues the latest tick of every task under its own key, so it runs once, however many replicas enqueue it, and even if all
 * of them were down at the time.
 */
export const tick = async ({ db, clock }: Surroundings, tasks: readonly Task[]): Promise<void> => {
  const now = clock.now()
  for (const { pattern, job } of tasks) {
    const [last] = new Cron(pattern, { timezone: 'UTC', paused: true }).previousRuns(1, new Date(now.getTime() + 1000))
    if (last) await enqueue(db, job, {}, { now, key: `tick ${job.name} ${last.toISOString()}` })
  }
}

/** Ticks until it is stopped. Returns a function that stops it and waits for a tick in progress. */
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
