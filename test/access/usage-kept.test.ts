import { expect, test } from 'bun:test'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { pruneUsage } from '../../src/worker.ts'
import { testApp } from '../support/app.ts'
import { runJobs } from '../support/jobs.ts'
import { secondsToNoon } from '../support/noon.ts'

const app = await testApp({ offsetSeconds: secondsToNoon() })
const { db } = app

const dayBefore = (days: number) => new Date(app.clock.now().getTime() - days * 86_400_000).toISOString().slice(0, 10)

test('usage is kept for the 30 days before today, and no longer', async () => {
  const credential = crypto.randomUUID()
  const days = [0, 1, 30, 31, 32, 400].map(dayBefore)
  await db.sql`
    insert into usage_days (credential_id, day, user_id, requests, last_request_at)
    select ${credential}, day::date, ${crypto.randomUUID()}, 1, now() from unnest(${days}::text[]) as d (day)`
  await enqueue(db, pruneUsage, {}, { now: app.clock.now() })
  await runJobs(app.context)
  const kept = await db.sql<{ day: string }[]>`
    select day::text from usage_days where credential_id = ${credential} order by day desc`
  expect(kept.map(({ day }) => day)).toEqual(days.slice(0, 3))
})
