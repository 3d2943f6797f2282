import { expect, test } from 'bun:test'
import { serviceProcesses } from '../../support/service-process.ts'
import { stallAt } from '../../support/stall.ts'
import { until } from '../../support/until.ts'

const { isShared, operator, serve, withContext } = await serviceProcesses()

/** Some chunks of rows: a server takes 4,000 in one, the embedded database some hundred; every hundredth row is bad. */
const rows = isShared ? 18_000 : 1500
const checklist = [
  'set,number,player',
  ...Array.from({ length: rows }, (_, row) => (row % 100 ? `Set ${row >> 9},${row},Player ${row % 300}` : ',,Nobody')),
].join('\n')

test('an import goes on where its process was killed: no row is lost, none is written or counted twice', async () => {
  const stalled = await stallAt(withContext, String(rows - 1))
  const first = await serve()
  const headers = { ...operator, 'Content-Type': 'text/csv' }
  const sent = await fetch(`${first.address}/internal/imports`, { method: 'POST', body: checklist, headers })
  const { job_id: id } = (await sent.json()) as { job_id: string }
  const poll = async (address: string) => {
    const answer = await fetch(`${address}/internal/imports/${id}`, { headers: operator })
    return (await answer.json()) as { status: string; counts?: { cards: { created: number } } }
  }
  await until(async () => {
    const created = (await poll(first.address)).counts?.cards.created
    return isShared ? Number(created) > 0 : created !== 0
  })
  first.child.kill('SIGKILL')
  await first.child.exited
  await stalled.lift()

  const second = await serve()
  await until(async () => (await poll(second.address)).status === 'completed')
  const bad = rows / 100
  const none = { updated: 0, unchanged: 0, failed: 0 }
  expect(await poll(second.address)).toMatchObject({
    counts: {
      ...{ cards: { ...none, created: rows - bad }, sets: { ...none, created: ((rows - 1) >> 9) + 1 }, bad_rows: bad },
    },
    bad_rows: Array.from({ length: bad }, (_, at) => ({ line: 2 + at * 100, reason: 'the row names no set' })),
    error: null,
  })
  second.child.kill('SIGTERM')
  expect(await second.child.exited).toBe(0)
  const left = await withContext(async ({ db }) => {
    const [row] = await db.sql`
      select (select count(*)::int from cards) as cards, (select count(*)::int from import_pieces) as pieces,
        (select count(*)::int from drift) as drift, (select attempts from jobs where id = ${id}) as attempts`
    return row
  })
  expect(left).toEqual({ cards: rows - bad, pieces: 0, drift: 0, attempts: 2 })
}, 120_000)
