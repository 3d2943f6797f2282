import { afterAll, expect, test } from 'bun:test'
import { countActionable, findActionable } from '../../../../src/operations/workflow/find-actionable.ts'
import { testDatabase } from '../../../support/database.ts'
import { until } from '../../../support/until.ts'

const db = await testDatabase()
afterAll(() => db.close())

test('actionable sets are a 503 where the embedded database is busy for longer than they may take', async () => {
  if (db.kind !== 'embedded') return console.log('skipped: the deadline of the embedded database (this is PostgreSQL)')
  const busy = db.sql.unsafe('select count(*) from generate_series(1, 4000) a cross join generate_series(1, 2000) b')
  busy.catch(() => {})
  await until(() => db.pool().running === 1)
  const filter = { step: 'fetch', status: 'pending', priority: 'all' } as const
  const asked = { now: new Date(), deadlineMilliseconds: 50 }
  const late = await Promise.allSettled([findActionable(db, filter, 25, asked), countActionable(db, filter, asked)])
  expect(late).toMatchObject(Array(2).fill({ status: 'rejected', reason: { status: 503 } }))
  await busy
  expect(await countActionable(db, filter, { ...asked, deadlineMilliseconds: 60_000 })).toBe(0)
})
