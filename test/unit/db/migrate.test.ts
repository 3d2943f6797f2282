import { afterAll, expect, test } from 'bun:test'
import { migrate, pendingMigrations } from '../../../db/migrate.ts'
import { testDatabase } from '../../support/database.ts'

const db = await testDatabase()
afterAll(() => db.close())

const statements = ['create table first_step (id int)', 'create table second_step (id int)']
const migration = { name: '9001_steps', sql: statements.join('\n-->\n') }

test('a ready database has nothing to migrate', async () => {
  expect(await migrate(db)).toEqual([])
  expect(await pendingMigrations(db)).toEqual([])
})

test('a migration that failed half way goes on where it stopped', async () => {
  const broken = { ...migration, sql: `${statements[0]}\n-->\nselect nonsense` }
  await expect(migrate(db, [broken])).rejects.toThrow('nonsense')
  expect(await pendingMigrations(db, [migration])).toEqual(['9001_steps'])
  expect(await migrate(db, [migration])).toEqual(['9001_steps'])
  expect(await db.sql`select count(*)::int as rows from second_step`).toMatchObject([{ rows: 0 }])
})

test.skipIf(db.kind === 'embedded')('processes that start together migrate once', async () => {
  const next = { name: '9002_once', sql: 'create table only_once (id int)' }
  const applied = await Promise.all([migrate(db, [next]), migrate(db, [next]), migrate(db, [next])])
  expect(applied.flat()).toEqual(['9002_once'])
})

test('the lease of a process that died runs out', async () => {
  await db.sql`update migration_lease set holder = ${crypto.randomUUID()}, locked_until = now() + interval '1 second'`
  const next = { name: '9003_later', sql: 'create table after_the_lease (id int)' }
  expect(await migrate(db, [next])).toEqual(['9003_later'])
})
