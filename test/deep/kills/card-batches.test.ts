import { expect, test } from 'bun:test'
import { serviceProcesses } from '../../support/service-process.ts'
import { stallAt } from '../../support/stall.ts'
import { until } from '../../support/until.ts'

const { isShared, operator, serve, withContext } = await serviceProcesses()

const setId = crypto.randomUUID()
const headers = { ...operator, 'Content-Type': 'application/vnd.api+json' }
const send = async (url: string, body: unknown) =>
  (await fetch(url, { method: 'POST', body: JSON.stringify(body), headers })).json()

type Batch = { job_id: string; status: string; created?: number; failed: number; results: { id: string }[] }
const poll = async (address: string, id: string) =>
  (await (await fetch(`${address}/internal/card-batches/${id}`, { headers })).json()) as Batch

/** So many rows that a batch is several chunks; of those of the first, every hundredth names a set that is not there. */
const rows = isShared ? 5000 : 1500
const failed = Math.min(rows, 2000) / 100
const ids = Array.from({ length: rows }, () => crypto.randomUUID())
const batchIn = (set: string) => ({
  data: ids.map((id, n) => ({
    ...{ type: 'cards', id, attributes: { number: String(n) } },
    relationships: { set: { data: { type: 'sets', id: n % 100 || n / 100 >= failed ? set : setId } } },
  })),
})

/** What the database holds of a batch: cards, what its maintained values are wrong in, how often each card was told of. */
const heldOf = (jobId: string) =>
  withContext(async ({ db }) => {
    const [held] = await db.sql`
      select (select count(*)::int from cards) as cards, (select count(*)::int from drift) as drift,
        (select max(version)::int from cards) as version, (select attempts from jobs where id = ${jobId}) as attempts,
        (select count(*)::int from (select unnest(ids) from changes where type = 'cards') c) as told`
    return held
  })

const begin = async (address: string) => {
  const made = (await send(`${address}/v1/sets`, {
    data: { type: 'sets', attributes: { name: 'Base' } },
  })) as { data: { id: string } }
  return (await send(`${address}/internal/card-batches`, batchIn(made.data.id))) as Batch
}

test('a batch goes on where its process was killed: no row is lost, none is written or counted twice', async () => {
  const stalled = await stallAt(withContext, String(rows - 1))
  const first = await serve()
  const { job_id: id } = await begin(first.address)
  await until(async () => {
    const { created } = await poll(first.address, id)
    return isShared ? Number(created) > 0 : created !== 0
  })
  first.child.kill('SIGKILL')
  await first.child.exited
  await stalled.lift()
  const second = await serve()
  await until(async () => (await poll(second.address, id)).status === 'completed')
  const done = await poll(second.address, id)
  expect(done).toMatchObject({ created: rows - failed, failed })
  expect(done.results.map((one) => one.id)).toEqual(ids)
  second.child.kill('SIGTERM')
  expect(await second.child.exited).toBe(0)
  const cards = rows - failed
  expect(await heldOf(id)).toEqual({ cards, drift: 0, version: 1, attempts: 2, told: cards })
}, 120_000)

test.skipIf(!isShared)(
  'two processes race for a batch, and one writes it (needs a database that they share)',
  async () => {
    const [one, other] = [await serve(), await serve()]
    const before = await heldOf(setId)
    const { job_id: id } = await begin(other.address)
    await until(async () => (await poll(one.address, id)).status === 'completed')
    expect(await poll(one.address, id)).toMatchObject({ created: 0, updated: rows - failed, failed })
    expect(await heldOf(id)).toEqual({ ...before, version: 2, attempts: 1, told: 2 * (rows - failed) })
  },
  120_000,
)
