import { afterAll, expect, test } from 'bun:test'
import { migrate, pendingMigrations } from '../../db/migrate.ts'
import type { Migration } from '../../db/migrations/index.ts'
import { NewerDatabase } from '../../db/unknown-migrations.ts'
import { version } from '../../src/version.ts'
import { testDatabase } from '../support/database.ts'

const db = await testDatabase()
afterAll(() => db.close())

const statements = ['create table first_step (id int)', 'create table second_step (id int)']
const migration = { name: '9001_steps', sql: statements.join('\n-->\n') }
const once = { name: '9002_once', sql: 'create table only_once (id int)' }
const later = { name: '9003_later', sql: 'create table after_the_lease (id int)' }

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
  const list = [migration, once]
  const applied = await Promise.all([migrate(db, list), migrate(db, list), migrate(db, list)])
  expect(applied.flat()).toEqual(['9002_once'])
})

test('the lease of a process that died runs out', async () => {
  await db.sql`update migration_lease set holder = ${crypto.randomUUID()}, locked_until = now() + interval '1 second'`
  expect(await migrate(db, [migration, ...(db.kind === 'postgres' ? [once] : []), later])).toEqual(['9003_later'])
})

const refusalOf = (list: Migration[]) => migrate(db, list).catch((error: unknown) => error)

test('an executable refuses a database with migrations that it does not know, naming them and its own version', async () => {
  const refusal = await refusalOf([migration, once])
  expect(refusal).toBeInstanceOf(NewerDatabase)
  expect(String(refusal)).toContain(
    `The database has migrations that this Cardstock (${version}) does not know: 9003_later.`,
  )
})

test('migrations that a newer executable has only begun are unknown, too', async () => {
  await db.sql`insert into migrations (name, steps) values ('9999_begun', 1)`
  expect(String(await refusalOf([migration, once]))).toContain('9003_later, 9999_begun.')
})
