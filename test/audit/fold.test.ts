import { expect, test } from 'bun:test'
import { foldCounts } from '../../src/audit/fold.ts'
import { type Act, type Entry, writeAudit } from '../../src/audit/write.ts'
import { testApp } from '../support/app.ts'
import { secondsToNoon } from '../support/noon.ts'

const app = await testApp({ offsetSeconds: secondsToNoon() })
const { db, clock } = app

const rows = () => db.sql`
  select day::text, event_type, entries::int, session = 0 as is_folded from audit_log_counts
  where event_type like 'test.%' order by day, event_type, entries`

test('what many sessions counted on days that are over becomes one row; today is left to its sessions', async () => {
  const [earlier, today]: [Act, Act] = [
    { agent: 'service', now: new Date(clock.now().getTime() - 2 * 86_400_000) },
    { agent: 'service', now: clock.now() },
  ]
  const inSession = (session: number, act: Act, ...entries: Entry[]) =>
    db.transaction(async (tx) => {
      await writeAudit(tx, act, entries)
      await tx.sql`update audit_log_counts set session = ${session} where session = pg_backend_pid()`
    })
  const [made, ended] = [{ eventType: 'test.made' }, { eventType: 'test.ended', auditableType: 'set' }]
  for (const session of [-1, -2, -3]) await inSession(session, earlier, made, made, ended)
  await inSession(-1, today, made)
  const day = ({ now }: Act) => now.toISOString().slice(0, 10)
  const folded = [
    { day: day(earlier), event_type: 'test.ended', entries: 3, is_folded: true },
    { day: day(earlier), event_type: 'test.made', entries: 6, is_folded: true },
  ]
  const left = { day: day(today), event_type: 'test.made', entries: 1, is_folded: false }
  for (const late of [[], [made]]) {
    if (late.length > 0) await inSession(-4, earlier, ...late)
    await foldCounts(db, clock.now(), new AbortController().signal)
    expect([...(await rows())]).toEqual([
      ...folded.map((row) => ({ ...row, entries: row.entries + (row.event_type === 'test.made' ? late.length : 0) })),
      left,
    ])
  }
})
