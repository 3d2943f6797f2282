import { afterAll, expect, test } from 'bun:test'
import type { Asker } from '../../db/turns.ts'
import { testDatabase } from '../support/database.ts'
import { randomOf } from '../support/random.ts'
import { until } from '../support/until.ts'

const random = randomOf(35)

const db = await testDatabase({ statement: 500, read: 60_000, write: 1500 })
afterAll(() => db.close())

const endless = 'select count(*) from generate_series(1, 100000000000)'
const codeOf = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => 'answered',
    ({ code }: { code?: string }) => code,
  )
const reader = (more: Partial<Asker> = {}) => db.servedTo({ key: 'reader', ...more })

/** How many statements of this test the server still works on. */
const atWork = async () => {
  if (db.kind === 'embedded') return db.pool().running
  const [row] = await db.pulse.sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and state = 'active' and query like 'select count(*) from generate_series%'`
  return row?.count ?? 0
}

test('every statement of a request that reads has a deadline in the database, and the next one is served', async () => {
  expect(await codeOf(reader().sql.unsafe(endless))).toBe('57014')
  expect(await codeOf(reader().transaction((tx) => tx.sql.unsafe(endless)))).toBe('57014')
  await until(async () => (await atWork()) === 0)
  expect(await reader().sql`select 1 as one`).toMatchObject([{ one: 1 }])
})

test('what writes has longer, and is rolled back whole', async () => {
  await db.sql`create table things (id int)`
  const writer = db.servedTo({ key: 'writer', writes: true })
  const late = writer.transaction(async (tx) => {
    await tx.sql`insert into things values (1)`
    await tx.sql.unsafe(endless)
  })
  expect(await codeOf(late)).toBe('57014')
  await until(async () => (await atWork()) === 0)
  expect(await db.sql`select id from things`).toHaveLength(0)
  await writer.transaction((tx) => tx.sql`insert into things values (2)`)
  expect(await db.sql`select id from things`).toHaveLength(1)
})

test('a write that was given up commits nothing, whatever it still does', async () => {
  const writer = db.servedTo({ key: 'writer', writes: true })
  let isHeld = true
  const late = writer.transaction(async (tx) => {
    await tx.sql`insert into things values (3)`
    while (isHeld) await Bun.sleep(10)
    await tx.sql`insert into things values (4)`
  })
  expect(await codeOf(late)).toBe('57014')
  isHeld = false
  await until(() => db.pool().running === 0)
  expect(await db.sql`select id from things where id > 2`).toHaveLength(0)
})

test('a statement is cancelled when its client leaves, and one that waits is never sent', async () => {
  let isGone = false
  const leaving = reader({ isGone: () => isGone })
  const asked = Array.from({ length: 12 }, () => codeOf(leaving.sql.unsafe(endless)))
  await until(async () => (await atWork()) > 0)
  isGone = true
  expect(await Promise.all(asked)).toEqual(Array<string>(12).fill('CLIENT_LEFT'))
  await until(async () => (await atWork()) === 0)
  expect(await reader().sql`select 1 as one`).toMatchObject([{ one: 1 }])
})

test.skipIf(db.kind === 'embedded')(
  'a statement that is cancelled never takes one of another caller along',
  async () => {
    const codes: unknown[] = []
    let leaving = 12
    const leaver = async (no: number) => {
      for (let times = 0; times < 30; times++) {
        const leavesAt = performance.now() + 50 * random.next()
        const asker = reader({ key: `leaver ${no}`, isGone: () => performance.now() > leavesAt })
        await codeOf(asker.sql`select pg_sleep(${0.03 + 0.08 * random.next()})`)
      }
      leaving--
    }
    const other = async (key: string) => {
      while (leaving > 0) {
        codes.push(await codeOf(reader({ key }).sql`select count(*) from generate_series(1, 1000)`))
        codes.push(await codeOf(reader({ key, writes: true }).transaction((tx) => tx.sql`select 1`)))
      }
    }
    await Promise.all([...Array.from({ length: leaving }, (_, no) => leaver(no)), ...['a', 'b', 'c', 'd'].map(other)])
    expect(codes.length).toBeGreaterThan(0)
    expect(codes.filter((code) => code !== 'answered')).toEqual([])
  },
)

test('a statement that gets no connection before its answer is due is given up', async () => {
  const size = db.pool().max
  let isHeld = true
  const held = Array.from({ length: size }, (_, no) =>
    db.servedTo({ key: `holder ${no}`, isPatient: true }).transaction(async () => {
      while (isHeld) await Bun.sleep(10)
    }),
  )
  await until(() => db.pool().running === size)
  const due = reader({ endsAt: performance.now() + 300 })
  expect(await codeOf(due.sql`select 1`)).toBe('NO_TURN')
  isHeld = false
  await Promise.all(held)
  expect(await due.servedTo({ key: 'later' }).sql`select 1 as one`).toMatchObject([{ one: 1 }])
})

test('a statement that is a piece of another takes no turn', async () => {
  const { sql } = reader()
  const piece = sql`select ${2}::int as two`
  expect(await sql`select two from (${piece}) p`).toMatchObject([{ two: 2 }])
  expect(db.pool()).toMatchObject({ running: 0, waiting: 0 })
})

test('what takes its work from its client as it comes has no deadline as a whole, each of its statements has', async () => {
  const upload = db.servedTo({ key: 'uploader', writes: true, isStreamed: true })
  await upload.transaction(async (tx) => {
    await tx.sql`insert into things values (5)`
    await Bun.sleep(2000)
    await tx.sql`insert into things values (6)`
  })
  expect(await db.sql`select id from things where id > 4`).toHaveLength(2)
  expect(await codeOf(upload.transaction((tx) => tx.sql.unsafe(endless)))).toBe('57014')
})
