import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import type { Database } from '../../db/client.ts'
import { copyAll, UnfitTarget } from '../../db/copy.ts'
import { writeAudit } from '../../src/audit/write.ts'
import { readChecklist } from '../../src/catalog/import/read/checklist.ts'
import { writeChecklist } from '../../src/catalog/import/write/checklist.ts'
import { testDatabase } from '../support/database.ts'

setDefaultTimeout(120_000)

const [source, target] = [await testDatabase(), await testDatabase()]
afterAll(() => Promise.all([source.close(), target.close()]))

const now = () => new Date('2026-01-02T03:04:05.678Z')
const demo = { path: fileURLToPath(new URL('../../db/demo', import.meta.url)) }

/** The rows of a table in one order, whatever their keys. */
const everything = (db: Database, table: string) => db.sql.unsafe(`select * from ${table} t order by t::text`)

test('every row of every table arrives as it was', async () => {
  await writeChecklist(source, readChecklist(demo, {}), { publish: true, now })
  await source.sql`
    insert into settings (name, value) values ('odd', ${`quote " backslash \\ tab \t line \n Ünïcode ✓ {"json":[1,null]}`})`
  await source.transaction((tx) =>
    writeAudit(tx, { agent: 'service', now: now() }, [{ eventType: 'test.made' }, { eventType: 'test.made' }]),
  )
  let heard = 0
  const counts = await copyAll(source, target, (rows) => {
    heard = rows
  })
  expect(counts.cards).toBeGreaterThan(130)
  expect(heard).toBe(Object.values(counts).reduce((sum, rows) => sum + rows, 0))
  for (const table of Object.keys(counts))
    expect([...(await everything(target, table))]).toEqual([...(await everything(source, table))])
})

test('the log of the copy goes on behind its last entry', async () => {
  const write = (db: Database) =>
    db.transaction((tx) => writeAudit(tx, { agent: 'command-line', now: now() }, { eventType: 'test.copied' }))
  expect(await write(target)).toEqual(await write(source))
})

test('references hold again in the copy, and its counts are true', async () => {
  await expect(target.sql`update cards set set_id = ${crypto.randomUUID()}`.then()).rejects.toMatchObject({
    code: '23503',
  })
  expect(await target.sql`select * from drift`).toHaveLength(0)
})

test('a database in use is refused', async () => {
  await expect(copyAll(source, target)).rejects.toThrow(UnfitTarget)
})
