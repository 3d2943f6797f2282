import { Cron } from 'croner'
import { sweepLooseImages } from './catalog/images/loose.ts'
import { imageStore } from './catalog/images/store.ts'
import { snapshotToday } from './catalog/stats.ts'
import type { Context } from './context.ts'

type Task = { name: string; pattern: string; run: (context: Context) => Promise<void> }

/** What is done by the clock (cron patterns, UTC), and once at the start. Every task may run on all replicas at once. */
const schedule: Task[] = [
  {
    name: 'stats_snapshot',
    pattern: '58 * * * *',
    run: ({ db, clock }) => snapshotToday(db, clock),
  },
  {
    name: 'image_sweep',
    pattern: '17 3 * * *',
    run: ({ db, config, clock }) => sweepLooseImages(db, imageStore(config), clock.now()),
  },
]

/** Starts the schedule; answers the function that ends it. A task that fails is logged and comes again in its turn. */
export const startSchedule = (context: Context): (() => void) => {
  const runs = schedule.map((task) => ({ ...task, run: () => runOnce(context, task) }))
  for (const { run } of runs) void run()
  const timers = runs.map(({ pattern, run }) => new Cron(pattern, { timezone: 'UTC', protect: true, unref: true }, run))
  return () => {
    for (const timer of timers) timer.stop()
  }
}

const runOnce = async (context: Context, { name, run }: Task) => {
  try {
    await run(context)
  } catch (error) {
    context.log.warn('task_failed', { task: name, message: (error as Error).message })
  }
}
