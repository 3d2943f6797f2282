import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Queryable } from '../../db/client.ts'
import { type Act, type Entry, writeAudit } from '../../src/audit/write.ts'
import { concurrentDatabase, testDatabase } from '../support/database.ts'

setDefaultTimeout(30_000)

const db = await testDatabase()
afterAll(() => db.close())

const now = new Date('2026-11-20T23:59:59.999Z')
const act: Act = { agent: 'command-line', now }
const id = '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e'

const write = (entries: Entry | Entry[], by = act) => db.transaction((tx) => writeAudit(tx, by, entries))
const read = (from: Queryable = db) => from.sql`select * from audit_logs order by id`
const counts = (from: Queryable = db) => from.sql`
  select day::text, event_type, auditable_type, sum(entries)::int as entries from audit_log_counts
  group by day, event_type, auditable_type order by day, event_type, auditable_type`

test('entries are kept as they are given, in their order', async () => {
  const odd = { text: 'quote " backslash \\ \u0000 Ünïcode', list: [null, { a: 1 }] }
  const ids = await write([
    { eventType: 'set.published', auditableType: 'set', auditableId: id, data: odd },
    { eventType: 'NULL', auditableType: '{"a"}' },
  ])
  const rows = await read()
  expect(rows.map((row) => row.id)).toEqual(ids)
  const [first, second] = rows
  expect(first).toMatchObject({ event_type: 'set.published', auditable_type: 'set', auditable_id: id, data: odd })
  expect(first?.agent_id).toBe('command-line')
  expect(new Date(first?.created_at)).toEqual(now)
  expect(second).toMatchObject({ event_type: 'NULL', auditable_type: '{"a"}', auditable_id: null, data: null })
})

test('no entries are no statement and no fault', async () => {
  expect(await write([])).toEqual([])
})

test('a change that fails leaves no entry and no count', async () => {
  const before = [await read(), await counts()]
  const failing = db.transaction(async (tx) => {
    await writeAudit(tx, act, { eventType: 'set.deleted' })
    throw new Error('the change failed')
  })
  expect(await failing.catch(({ message }) => message)).toBe('the change failed')
  expect([await read(), await counts()]).toEqual(before)
})

test('entries are counted by day, event and type', async () => {
  const next: Act = { agent: null, now: new Date('2026-11-21T00:00:00.000Z') }
  await write([{ eventType: 'x' }, { eventType: 'x' }, { eventType: 'x', auditableType: 'set' }], next)
  await write({ eventType: 'x' }, next)
  expect((await counts()).filter(({ event_type }) => event_type === 'x')).toEqual([
    { day: '2026-11-21', event_type: 'x', auditable_type: '', entries: 3 },
    { day: '2026-11-21', event_type: 'x', auditable_type: 'set', entries: 1 },
  ])
})

test.each([
  'update audit_logs set agent_id = null',
  'delete from audit_logs',
  'truncate audit_logs',
  `insert into audit_logs (id, event_type, created_at) select id, 'x', now() from audit_logs
   on conflict (id) do update set event_type = 'y'`,
])('the database refuses to change what was written: %s', async (statement) => {
  const before = await read()
  expect(await db.sql.unsafe(statement).catch(({ code }) => code)).toBe('42501')
  expect(before.length).toBeGreaterThan(0)
  expect(await read()).toEqual(before)
})

const wide = await concurrentDatabase('nobody waits for another who writes the same kind of entry')

test.skipIf(!wide)('nobody waits for another who writes the same kind of entry', async () => {
  if (!wide) return
  const entry = { eventType: 'set.published', auditableType: 'set' }
  await wide.transaction(async (first) => {
    await writeAudit(first, act, entry)
    await wide.transaction(async (second) => {
      await second.sql`set local lock_timeout = '2s'`
      await writeAudit(second, act, [entry, entry])
    })
  })
  expect([...(await counts(wide))]).toEqual([
    { day: '2026-11-20', event_type: 'set.published', auditable_type: 'set', entries: 3 },
  ])
  await wide.close()
})
