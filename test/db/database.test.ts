import { afterAll, beforeEach, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { statement } from '../../db/builder.ts'
import { hasCode, violates } from '../../db/faults.ts'
import { testDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'

const db = await testDatabase()
afterAll(() => db.close())

await db.sql`create table notes (id int constraint notes_pkey primary key, text text)`
beforeEach(() => db.sql`truncate notes`.then())

const count = async () => (await db.sql<{ n: number }[]>`select count(*)::int as n from notes`)[0]?.n

test('a transaction keeps all of its work', async () => {
  const answer = await db.transaction(async (tx) => {
    await tx.sql`insert into notes values (1, 'one')`
    await tx.orm.execute(`insert into notes values (2, 'two')`)
    return 'both'
  })
  expect(answer).toBe('both')
  expect(await count()).toBe(2)
})

test('a transaction that throws keeps none of it', async () => {
  const failing = db.transaction(async (tx) => {
    await tx.sql`insert into notes values (1, 'one')`
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await count()).toBe(0)
})

test('a transaction answers with an array as it was', async () => {
  expect(await db.transaction(async () => [Promise.resolve(1)].length)).toBe(1)
  expect(await db.transaction(async () => ['a', 'b'])).toEqual(['a', 'b'])
})

test('a deadlock is tried again from the start', async () => {
  let runs = 0
  const answer = await db.transaction(async (tx) => {
    runs++
    if (runs < 3) await tx.sql.unsafe(`do $$ begin raise exception 'again' using errcode = '40P01'; end $$`)
    return runs
  })
  expect(answer).toBe(3)
})

test('a fault tells its constraint, raw and under the builder', async () => {
  await db.sql`insert into notes values (1, 'one')`
  const raw = await db.sql`insert into notes values (1, 'two')`.catch((error: unknown) => error)
  const built = await db.orm.execute(`insert into notes values (1, 'two')`).catch((error: unknown) => error)
  for (const error of [raw, built]) {
    expect(violates(error, 'notes_pkey')).toBe(true)
    expect(violates(error, 'other')).toBe(false)
    expect(hasCode(error, '23505')).toBe(true)
  }
})

const notes = pgTable('notes', { id: integer('id'), text: text('text') })

test('a fault of the builder tells none of the values', async () => {
  await db.orm.insert(notes).values({ id: 1, text: 'a secret' })
  const fault = await db.orm
    .insert(notes)
    .values({ id: 1, text: 'a secret' })
    .catch((error: Error) => error)
  expect(violates(fault, 'notes_pkey')).toBe(true)
  expect((fault as Error).message).not.toContain('secret')
})

test('statements of the builder stand or fall with their transaction, and end at their deadline', async () => {
  const served = db.servedTo({ key: 'builder' })
  const textOf = statement((orm) =>
    orm
      .select({ text: notes.text })
      .from(notes)
      .where(eq(notes.id, sql.placeholder('id'))),
  )
  const failing = served.transaction(async (tx) => {
    await tx.orm.insert(notes).values({ id: 1, text: 'one' })
    expect(await textOf(tx, { id: 1 })).toEqual([{ text: 'one' }])
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await textOf(served, { id: 1 })).toEqual([])
  const late = db.servedTo({ key: 'builder', endsAt: performance.now() })
  const fault = await late.orm.execute(sql`select pg_sleep(0.5)`).catch((error: unknown) => error)
  expect(hasCode(fault, '57014')).toBe(true)
})

test('the session is in UTC and lower() knows letters beyond ASCII', async () => {
  const [row] = await db.sql`select current_setting('TimeZone') as zone, lower('ÉÑÇ') as lower`
  expect(row).toEqual({ zone: 'UTC', lower: 'éñç' })
})

test('who listens hears, until they stop', async () => {
  const heard: string[] = []
  const stop = await db.listen('bell', (payload) => void heard.push(payload))
  await db.notify('bell', 'one')
  await db.notify('other', 'two')
  await db.notify('bell', 'three')
  await until(() => heard.includes('three'))
  await stop()
  const later: string[] = []
  const stopLater = await db.listen('bell', (payload) => void later.push(payload))
  await db.notify('bell', 'four')
  await until(() => later.includes('four'))
  await stopLater()
  expect([heard, later]).toEqual([['one', 'three'], ['four']])
})

test('what is notified in a transaction is heard once it has committed, and never where it has not', async () => {
  const heard: string[] = []
  const stop = await db.listen('bell', (payload) => void heard.push(payload))
  await db.transaction(async (tx) => {
    await tx.notify('bell', 'committed')
    await tx.notify('bell', 'committed')
    await Bun.sleep(50)
    expect(heard).toEqual([])
  })
  const refused = db.transaction(async (tx) => {
    await tx.notify('bell', 'rolled back')
    throw new Error('no')
  })
  expect(await refused.catch((error: Error) => error.message)).toBe('no')
  await db.notify('bell', 'last')
  await until(() => heard.includes('last'))
  await stop()
  expect(heard).toEqual(['committed', 'last'])
})
