import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import type { Database } from '../../db/client.ts'
import { openPostgres } from '../../db/postgres.ts'
import { readChecklist } from '../../src/catalog/import/read/checklist.ts'
import { writeChecklist } from '../../src/catalog/import/write/checklist.ts'
import { clonedDatabase } from '../support/cloned-database.ts'
import { curate } from '../support/curated.ts'
import { testDatabase } from '../support/database.ts'

setDefaultTimeout(120_000)

const server = process.env.TEST_DATABASE_URL
const now = () => new Date('2026-01-02T03:04:05.678Z')
const demo = { path: fileURLToPath(new URL('../../db/demo', import.meta.url)) }

const fill = async (db: Database) => {
  await writeChecklist(db, readChecklist(demo, {}), { publish: true, now })
  await curate(db, now())
  await db.sql`update players set aliases = 'José ' || name`
  await db.sql`
    insert into curated_fields (object_id, object_type, field, said)
    select id, 'players', 'name', to_jsonb(name) from players where id not in (select object_id from curated_fields)`
}

const tablesOf = async ({ sql }: Database) => {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`
  return rows.map(({ name }) => name)
}

test('every table can be counted for the planner, and its indexes be built again', async () => {
  const db = await testDatabase()
  afterAll(db.close)
  await fill(db)
  const tables = await tablesOf(db)
  expect(tables).toContain('curated_fields')
  for (const table of tables) {
    await db.sql.unsafe(`analyze ${table}`)
    await db.sql.unsafe(`reindex table ${table}`)
  }
})

/** Whether `pg_dump` is here and can read the server: it refuses one that is newer. */
const canDump = async () => {
  if (!server || !Bun.which('pg_dump') || !Bun.which('psql')) return false
  const db = openPostgres({ url: server, poolSize: 1 })
  const [row] = await db.sql<{ version: string }[]>`select current_setting('server_version_num') as version`
  await db.close()
  const [major] = /\d+/.exec(await Bun.$`pg_dump --version`.text()) ?? ['0']
  return Number(major) >= Math.floor(Number(row?.version) / 10_000)
}
const dumps = await canDump()
if (!dumps)
  console.log("skipped: a restore by pg_dump (needs TEST_DATABASE_URL, psql, and the server's pg_dump or a newer one)")

test.skipIf(!dumps)('what pg_dump wrote down is restored whole', async () => {
  const [from, to] = [await clonedDatabase(server ?? ''), await clonedDatabase(server ?? '')]
  const source = openPostgres({ url: from.url })
  await fill(source)
  const target = openPostgres({ url: to.url })
  afterAll(async () => {
    await Promise.all([source.close(), target.close()])
    await Promise.all([from.drop(), to.drop()])
  })
  await target.sql.unsafe('drop schema public cascade; create schema public')
  await Bun.$`pg_dump --no-owner ${from.url} | grep -v '^CREATE SCHEMA public' | psql -q -v ON_ERROR_STOP=1 ${to.url}`.quiet()
  for (const table of await tablesOf(source)) {
    const rows = (db: Database) => db.sql.unsafe(`select * from ${table} t order by t::text`)
    expect([...(await rows(target))]).toEqual([...(await rows(source))])
  }
})
