import { expect, test } from 'bun:test'
import { sweepEvents } from '../../src/billing/sweep.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { testApp } from '../support/app.ts'
import { runJobs } from '../support/jobs.ts'

const { context, clock, db } = await testApp()

test('events are remembered for 90 days', async () => {
  const day = 86_400_000
  for (const age of [0, 30, 89, 91, 400])
    await db.sql`
      insert into stripe_events (id, type, handled_at)
      values (${`evt_${age}`}, 'invoice.paid', ${new Date(clock.now().getTime() - age * day).toISOString()})`
  await enqueue(db, sweepEvents, {}, { now: clock.now() })
  await runJobs(context)
  const left = await db.sql<{ id: string }[]>`select id from stripe_events order by handled_at desc`
  expect(left.map(({ id }) => id)).toEqual(['evt_0', 'evt_30', 'evt_89'])
})
