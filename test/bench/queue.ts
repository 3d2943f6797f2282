import { openDatabase } from '../../db/client.ts'
import { migrate } from '../../db/migrate.ts'
import { defineJob } from '../../src/jobs/define.ts'
import { enqueueAll } from '../../src/jobs/enqueue.ts'
import { startWorking } from '../../src/jobs/work.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { openLog } from '../../src/lib/log.ts'

const jobs = 20_000

/** Works 20,000 jobs that do nothing off, eight at once; `twice` is how many of them were claimed more than once. */
export const workEmptyJobs = async (databaseUrl: string | undefined, dataDir: string) => {
  const db = await openDatabase({ databaseUrl, dataDir })
  await migrate(db)
  const done = Promise.withResolvers<void>()
  let ran = 0
  const empty = defineJob({
    name: 'empty',
    run: async () => {
      ran++
      if (ran === jobs) done.resolve()
    },
  })
  const list = Array.from({ length: 2000 }, () => ({ payload: {} }))
  for (let enqueued = 0; enqueued < jobs; enqueued += list.length) await enqueueAll(db, empty, list, new Date())
  const started = performance.now()
  const working = startWorking({ db, clock: systemClock(), log: openLog('warn') }, [empty], { slots: 8 })
  await done.promise
  const perSecond = (jobs / (performance.now() - started)) * 1000
  await working.stop()
  const [row] = await db.sql<{ completed: number; twice: number }[]>`
    select count(*) filter (where status = 'completed')::int as completed, count(*) filter (where attempts > 1)::int as twice
    from jobs`
  await db.close()
  return { perSecond, completed: row?.completed ?? 0, twice: row?.twice ?? 0, jobs }
}
