import { afterAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { openDatabase } from '../../db/client.ts'
import { migrate } from '../../db/migrate.ts'
import { openPostgres } from '../../db/postgres.ts'
import { ownServer } from '../support/own-server.ts'

setDefaultTimeout(120_000)

const server = await ownServer('databases with tables of something else')
afterAll(() => server?.remove())

const admin = openPostgres({ url: server?.url ?? 'postgres://nobody@127.0.0.1:1/none', poolSize: 1 })
afterAll(() => admin.close())

let count = 0
let url = ''
beforeEach(async () => {
  const name = `theirs_${++count}`
  if (server) await admin.sql.unsafe(`create database ${name}`)
  url = (server?.url ?? '').replace(/postgres$/, name)
})

/** Does something in the database of the test, as somebody else would. */
const theirs = async (...statements: string[]) => {
  const db = openPostgres({ url, poolSize: 1 })
  try {
    for (const statement of statements) await db.sql.unsafe(statement)
    return (
      await db.sql<{ name: string }[]>`
      select relnamespace::regnamespace::text || '.' || relname as name from pg_class
      where relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema', 'pg_toast') order by 1`
    ).map(({ name }) => name)
  } finally {
    await db.close()
  }
}

const started = async () => {
  const db = await openDatabase({ databaseUrl: url, dataDir: 'never-made', isBrief: true })
  return migrate(db).finally(() => db.close())
}

describe.skipIf(!server)('a database without our migrations', () => {
  test('and with tables is refused with the first three by the alphabet, and stays as it is', async () => {
    const before = await theirs(
      'create table zebras (id int)',
      'create table "Owls" (id int)',
      'create table ducks (id int) partition by range (id)',
      'create table badgers (id int)',
    )
    await expect(started()).rejects.toThrow(
      /The database theirs_\d+ has tables of something else: badgers, ducks, "Owls", and 1 more\./,
    )
    expect(await theirs()).toEqual(before)
  })

  test('and with one table in a schema that nobody searches is refused with it', async () => {
    const before = await theirs('create schema crm', 'create table crm.contacts (id int)')
    await expect(started()).rejects.toThrow('has tables of something else: crm.contacts. Create an empty one')
    expect(await theirs()).toEqual(before)
  })

  test('but with the migrations of something else is refused', async () => {
    const before = await theirs('create table migrations (id int, migration text, batch int)')
    await expect(started()).rejects.toThrow('has tables of something else: migrations.')
    expect(await theirs()).toEqual(before)
  })

  test('is migrated if its tables belong to an extension, or if it has views and functions alone', async () => {
    await theirs(
      'create table settings_of_an_extension (id int)',
      'create extension pg_trgm',
      'alter extension pg_trgm add table settings_of_an_extension',
      'create view two as select 2 as two',
    )
    expect(await started()).toContain('0001_baseline')
  })
})

test.skipIf(!server)('a migrated database is opened again whatever tables somebody adds', async () => {
  await started()
  await theirs('create table badgers (id int)')
  expect(await started()).toEqual([])
})
