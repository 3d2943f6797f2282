import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../db/client.ts'
import { FolderInUse } from '../../db/embedded/lock.ts'
import { openEmbedded } from '../../db/embedded/open.ts'
import { migrate, pendingMigrations } from '../../db/migrate.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(120_000)

const folder = mkdtempSync(join(tmpdir(), 'cardstock-embedded-'))
let db: Database

beforeAll(async () => {
  db = await openEmbedded(folder)
  await db.sql`create table shelf (id int primary key, label text)`
})

afterAll(async () => {
  await db.close()
  rmSync(folder, { recursive: true, force: true })
})

test('an empty folder becomes a migrated database', async () => {
  expect(await pendingMigrations(db)).toEqual([])
})

test('commits are synced and times are in UTC', async () => {
  const [row] = await db.sql`select current_setting('fsync') as fsync, current_setting('TimeZone') as zone`
  expect(row).toEqual({ fsync: 'on', zone: 'UTC' })
})

test('trigrams, and small letters beyond ASCII', async () => {
  const [row] = await db.sql`select similarity('jordan', 'jordon') > 0.3 as alike, lower('ÉÑ') as small`
  expect(row).toEqual({ alike: true, small: 'éñ' })
})

test('transactions begun at the same time all happen, one after the other', async () => {
  const add = (id: number) =>
    db.transaction(async (tx) => {
      await tx.sql`insert into shelf (id, label) values (${id}, 'first')`
      await tx.sql`update shelf set label = label || ' second' where id = ${id}`
    })
  await Promise.all(Array.from({ length: 50 }, (_, id) => add(id)))
  const [row] = await db.sql`select count(*)::int as count from shelf where label = 'first second'`
  expect(row?.count).toBe(50)
})

test('a transaction that throws leaves nothing and lets the next one in', async () => {
  const refused = db.transaction(async (tx) => {
    await tx.sql`insert into shelf (id) values (1000)`
    await tx.sql`insert into shelf (id) values (1000)`
  })
  await expect(refused).rejects.toMatchObject({ code: '23505', constraint_name: 'shelf_pkey' })
  await refused.catch(() => {})
  expect(await db.sql`select id from shelf where id = 1000`).toHaveLength(0)
})

test('what is longer than one message between the threads arrives whole', async () => {
  const long = 'é'.repeat(2_000_000)
  const [row] = await db.sql`select ${long}::text as text, repeat('x', 3000000) as more`
  expect(row?.text).toBe(long)
  expect(row?.more).toHaveLength(3_000_000)
})

test('a long statement does not hold up the process', async () => {
  let isRunning = true
  const long = db.sql`select count(*) from generate_series(1, 100000000000)`
  const ended = long.then(
    () => 'answered',
    () => {
      isRunning = false
    },
  )
  for (let ticks = 0; ticks < 50; ticks++) await Bun.sleep(5)
  expect(isRunning).toBe(true)
  long.cancel()
  await ended
})

test('a cancelled statement ends at once and the next one finds everything that was committed', async () => {
  const endless = db.sql`select count(*) from generate_series(1, 100000000000)`
  setTimeout(() => endless.cancel(), 100)
  expect(
    await endless.then(
      () => 'answered',
      () => 'ended',
    ),
  ).toBe('ended')
  const [row] = await db.sql`select count(*)::int as count from shelf`
  expect(row?.count).toBe(50)
})

test('a statement that is cancelled before it is sent leaves its connection to the next', async () => {
  await db.close()
  db = await openEmbedded(folder)
  // The connection is made for the first, and stands at the second.
  for (const _ of ['made', 'stands']) {
    const early = db.sql`select count(*) from generate_series(1, 100000000000)`
    const refused = early.then(
      () => 'answered',
      ({ code }: { code: string }) => code,
    )
    early.cancel()
    expect(await refused).toBe('57014')
    expect(await db.sql`select 1 as one`).toMatchObject([{ one: 1 }])
  }
})

test('a server that broke down says so, and another takes its place with everything that was committed', async () => {
  const broken = await db.sql`copy shelf (id) from stdin`.writable().catch((error: unknown) => error)
  expect(broken).toMatchObject({ code: 'CONNECTION_CLOSED' })
  const [row] = await db.sql`select count(*)::int as count from shelf`
  expect(row?.count).toBe(50)
})

test('what is told on a channel is heard until the listener leaves', async () => {
  const heard: string[] = []
  const leave = await db.listen('news', (payload) => heard.push(payload))
  await db.notify('news', 'one')
  await until(() => heard.length > 0)
  await leave()
  const others: string[] = []
  const leaveLater = await db.listen('news', (payload) => others.push(payload))
  await db.notify('news', 'two')
  await until(() => others.length > 0)
  await leaveLater()
  expect([heard, others]).toEqual([['one'], ['two']])
})

test('a folder in use is refused with a sentence', async () => {
  const refusal = await openEmbedded(folder).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(FolderInUse)
  expect((refusal as Error).message).toContain(`${folder} is in use by another cardstock process (pid ${process.pid})`)
})

test('a folder holds what was in it when it is opened again, and no leftovers', async () => {
  await db.close()
  mkdirSync(join(folder, 'pg.tmp'))
  writeFileSync(join(folder, 'pg.tmp', 'PG_VERSION'), '18')
  db = await openEmbedded(folder)
  const [row] = await db.sql`select count(*)::int as count from shelf`
  expect(row?.count).toBe(50)
  expect(existsSync(join(folder, 'pg.tmp'))).toBe(false)
})

test('a migration that a dead process was in goes on at once', async () => {
  await db.sql`
    insert into migration_lease (id, holder, locked_until)
    values (1, ${Bun.randomUUIDv7()}, now() + interval '59 seconds')
    on conflict (id) do update set holder = excluded.holder, locked_until = excluded.locked_until`
  const before = performance.now()
  expect(await migrate(db, [{ name: 'later', sql: 'create table later (id int)' }])).toEqual(['later'])
  expect(performance.now() - before).toBeLessThan(50_000)
})

test('a folder whose pg is no database is left alone', async () => {
  const strange = mkdtempSync(join(tmpdir(), 'cardstock-strange-'))
  mkdirSync(join(strange, 'pg'))
  await expect(openEmbedded(strange)).rejects.toThrow('contains no database')
  rmSync(strange, { recursive: true })
})
