import { expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { until } from '../support/until.ts'

const app = await testApp()
const { db } = app

const end = async () => (await db.sql<{ at: string }[]>`select pg_current_wal_insert_lsn()::text as at`)[0]?.at ?? ''
const isOnDisk = async (at: string) => {
  const [row] = await db.sql<{ so: boolean }[]>`select pg_current_wal_flush_lsn() >= ${at}::text::pg_lsn as so`
  return row?.so === true
}

test('what was counted reaches the disk although nothing else is written, so that a kill forgets a moment of it', async () => {
  const before = await end()
  expect((await app.stranger().get('/v1/cards')).status).toBe(401)
  const counted = await end()
  expect(counted).not.toBe(before)
  await until(() => isOnDisk(counted))
})
