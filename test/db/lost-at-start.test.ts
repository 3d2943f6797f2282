import { expect, test } from 'bun:test'
import { openPostgres } from '../../db/postgres.ts'
import { startServerPath } from '../support/server-path.ts'

const server = process.env.TEST_DATABASE_URL
if (!server) console.log('skipped: connections lost at their start (set TEST_DATABASE_URL to a PostgreSQL server)')

const lost = { code: expect.stringMatching(/^(ECONNRESET|CONNECTION_CLOSED)$/) }

// A rejection that nobody awaits fails the test by itself.
test.skipIf(!server)('a connection lost while it learns the types refuses its query, the next answers', async () => {
  const path = startBreakingPath(2)
  const db = openPostgres({ url: path.url, poolSize: 1 })
  const ask = () => db.sql<{ ones: number[] }[]>`select array[1, 1] as ones`.then(([row]) => row?.ones)
  try {
    await expect(ask()).rejects.toMatchObject(lost)
    await Bun.sleep(100)
    await expect(db.transaction((tx) => tx.sql`select 1`)).rejects.toMatchObject(lost)
    await Bun.sleep(100)
    expect(await ask()).toEqual([1, 1])
    expect(path.left()).toBe(0)
  } finally {
    await db.close()
    path.stop()
  }
})

test.skipIf(!server)('a pool that is closed as its connection is lost is closed at once', async () => {
  const path = startBreakingPath(1)
  const db = openPostgres({ url: path.url, poolSize: 1 })
  await expect(db.sql`select 1`).rejects.toMatchObject(lost)
  const closed = db.close().then(() => 'closed')
  expect(await Promise.race([closed, Bun.sleep(4000)])).toBe('closed')
  path.stop()
})

/** Breaks the connection at the first questions after the types of arrays. */
const startBreakingPath = (breaks: number) => {
  let left = breaks
  const path = startServerPath(server ?? '', (client, sent) => {
    if (left === 0 || !sent.includes('pg_catalog.pg_type')) return false
    left--
    client.terminate()
    return true
  })
  return { ...path, left: () => left }
}
