import { expect, test } from 'bun:test'
import { openDatabase } from '../../db/client.ts'
import { openLog } from '../../src/lib/log.ts'
import { refusedConnection, startServerPath } from '../support/server-path.ts'

const server = process.env.TEST_DATABASE_URL
if (!server) console.log('skipped: a pooler that refuses settings (set TEST_DATABASE_URL to a PostgreSQL server)')

test.skipIf(!server)('a pooler that refuses the planner settings gets connections without them', async () => {
  const pooler = startOldPooler()
  try {
    const db = await openDatabase({ databaseUrl: pooler.url, dataDir: '.', prepare: false, log: openLog('silent') })
    const [row] = await db.sql<{ one: number }[]>`select 1 as one`
    await db.close()
    expect([row?.one, pooler.refused()]).toEqual([1, true])
  } finally {
    pooler.stop()
  }
})

/** Refuses a connection that asks for the planner's settings, as PgBouncer does. */
const startOldPooler = () => {
  let hasRefused = false
  const path = startServerPath(server ?? '', (client, sent) => {
    if (!sent.includes('plan_cache_mode\0')) return false
    hasRefused = true
    client.end(refusedConnection('unsupported startup parameter: plan_cache_mode'))
    return true
  })
  return { ...path, refused: () => hasRefused }
}
