import { afterAll, describe, expect, test } from 'bun:test'
import { upkeep } from '../../db/upkeep.ts'
import { testDatabase } from '../support/database.ts'

const db = await testDatabase()
afterAll(() => db.close())

const value = async (query: string) => (await db.sql.unsafe<{ n: string }[]>(query))[0]?.n

describe.skipIf(db.kind !== 'embedded')('upkeep of the embedded database', () => {
  test('gives deleted rows back and counts the rest for the planner', async () => {
    await db.sql`create table worn as select g as id from generate_series(1, 5000) g`
    await db.sql`delete from worn where id > 1000`
    await upkeep(db)
    expect(await value(`select n_dead_tup as n from pg_stat_user_tables where relname = 'worn'`)).toBe('0')
    expect(Number(await value(`select reltuples::int as n from pg_class where relname = 'worn'`))).toBe(1000)
  })

  test('writes a log that has grown down to the tables', async () => {
    const log = `select (pg_current_wal_insert_lsn() - redo_lsn)::bigint as n from pg_control_checkpoint()`
    await db.sql`create table bulk as select g as id, repeat(md5(g::text), 20) as text from generate_series(1, 120000) g`
    expect(Number(await value(log))).toBeGreaterThan(64 * 1024 * 1024)
    await upkeep(db)
    expect(Number(await value(log))).toBeLessThan(1024 * 1024)
  })
})
