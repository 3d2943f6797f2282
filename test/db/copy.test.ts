import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import type { Database } from '../../db/client.ts'
import { copyAll, UnfitTarget } from '../../db/copy.ts'
import { writeAudit } from '../../src/audit/write.ts'
import { readChecklist } from '../../src/catalog/import/read/checklist.ts'
import { writeChecklist } from '../../src/catalog/import/write/checklist.ts'
import type { SetRecord } from '../../src/catalog/write/record.ts'
import { writeSets } from '../../src/catalog/write/set/write.ts'
import { enter } from '../../src/catalog/write/write-transaction.ts'
import { curate, curatedOf } from '../support/curated.ts'
import { testDatabase } from '../support/database.ts'

setDefaultTimeout(120_000)

const [source, target] = [await testDatabase(), await testDatabase()]
afterAll(() => Promise.all([source.close(), target.close()]))

const now = () => new Date('2026-01-02T03:04:05.678Z')
const demo = { path: fileURLToPath(new URL('../../db/demo', import.meta.url)) }

/** The rows of a table in one order, whatever their keys. */
const everything = (db: Database, table: string) => db.sql.unsafe(`select * from ${table} t order by t::text`)

/** Gives a set another name; answers the names that its history has. */
const rename = async (db: Database, name: string) => {
  const [{ id } = { id: '' }] = await db.sql<{ id: string }[]>`select id from sets order by no limit 1`
  const change = (before: SetRecord | undefined) => ({ ...(before as SetRecord), name })
  await enter(db, (tx) => writeSets(tx, [{ id, change }], { level: 1, now: now(), agent: 'command-line' }))
  const revisions = await db.sql<{ name: string }[]>`
    select after ->> 'name' as name from revisions where object_id = ${id} order by id`
  return revisions.map((revision) => revision.name)
}

test('every row of every table arrives as it was', async () => {
  await writeChecklist(source, readChecklist(demo, {}), { publish: true, now })
  await source.sql`
    insert into settings (name, value) values ('odd', ${`quote " backslash \\ tab \t line \n Ünïcode ✓ {"json":[1,null]}`})`
  await source.transaction((tx) =>
    writeAudit(tx, { agent: 'service', now: now() }, [{ eventType: 'test.made' }, { eventType: 'test.made' }]),
  )
  await rename(source, 'Fleer of old')
  await curate(source, now())
  let heard = 0
  const counts = await copyAll(source, target, (rows) => {
    heard = rows
  })
  expect(counts.cards).toBeGreaterThan(130)
  expect(heard).toBe(Object.values(counts).reduce((sum, rows) => sum + rows, 0))
  for (const table of Object.keys(counts))
    expect([...(await everything(target, table))]).toEqual([...(await everything(source, table))])
})

test('aliases, identifiers, merges, redirects and the history are among them', async () => {
  const arrived = await curatedOf(target)
  expect([...arrived].filter(([, rows]) => rows.length === 0)).toEqual([])
  expect(arrived).toEqual(await curatedOf(source))
})

test('the log of the copy goes on behind its last entry', async () => {
  const write = (db: Database) =>
    db.transaction((tx) => writeAudit(tx, { agent: 'command-line', now: now() }, { eventType: 'test.copied' }))
  expect(await write(target)).toEqual(await write(source))
})

test('so does the history', async () => {
  const newest = ({ sql }: Database) => sql<{ id: number }[]>`select max(id)::int as id from revisions`
  const [before] = await newest(source)
  expect(await rename(target, 'Fleer')).toEqual(['Fleer of old', 'Fleer'])
  expect(await newest(target)).toMatchObject([{ id: (before?.id ?? 0) + 1 }])
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
