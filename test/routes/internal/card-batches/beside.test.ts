import { expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'
import { concurrentDatabase } from '../../../support/database.ts'
import { factories, toMany, toOne } from '../../../support/factories.ts'
import { runJobs } from '../../../support/jobs.ts'
import { until } from '../../../support/until.ts'

const db = await concurrentDatabase('chunks of a batch beside each other')
const path = '/internal/card-batches'

type Batch = { job_id: string; results: { id: string | null; status: string; error: { detail: string } | null }[] }

const open = async () => {
  const app = await testApp({ db, environment: { BATCH_INLINE_MAX: '10' } })
  const make = factories(app)
  const row = (set: { id: string }, number: number, relationships: object = {}) => ({
    ...{ type: 'cards', id: crypto.randomUUID() as string, attributes: { number: String(number) } },
    relationships: { set: toOne({ type: 'sets', id: set.id }), ...relationships },
  })
  const begin = async (rows: object[]) => JSON.parse((await app.operator.post(path, { data: rows })).text).job_id
  const resultsOf = async (id: string) => (JSON.parse((await app.operator.get(`${path}/${id}`)).text) as Batch).results
  return { app, make, row, begin, resultsOf }
}
const service = db && (await open())

test.skipIf(!service)('each row has its own result, in order, whatever its chunk is beside', async () => {
  const { app, make, row, begin, resultsOf } = service as NonNullable<typeof service>
  const set = await make.set()
  const there = await make.card({ set, number: '1' })
  const rows = Array.from({ length: 9000 }, (_, n) => row(set, n))
  rows[4500] = { ...row(set, 2), id: there.id }
  rows[6500] = row({ id: crypto.randomUUID() }, 3)
  rows[8500] = { ...row(set, 4), id: rows[10]?.id as string }
  rows[8501] = { ...row(set, 5), type: 'sets' }
  const id = await begin(rows)
  await runJobs(app.context)
  const results = await resultsOf(id)
  expect(results.map((one) => one.id)).toEqual(rows.map((one) => one.id))
  const others = new Map([...results.entries()].filter(([, { status }]) => status !== 'created'))
  expect([...others].map(([at, { status }]) => [at, status])).toEqual([
    [4500, 'updated'],
    ...[6500, 8500, 8501].map((at) => [at, 'failed']),
  ])
  const [told] = await app.db.sql`
    select count(*)::int as cards, count(distinct id)::int as each
    from (select unnest(ids) as id from changes where type = 'cards') c`
  expect(told).toEqual({ cards: 8998, each: 8997 })
})

test.skipIf(!service)('rows that were laid out before their player was deleted are refused', async () => {
  const { app, make, row, begin, resultsOf } = service as NonNullable<typeof service>
  const [held, set, player] = [await make.set(), await make.set(), await make.player()]
  const id = await begin([
    ...Array.from({ length: 2000 }, (_, n) => row(held, n)),
    ...Array.from({ length: 50 }, (_, n) => row(set, n, { oncard: toMany([player]) })),
  ])
  const { promise: isDeleted, resolve: letGo } = Promise.withResolvers<void>()
  const holding = app.db.transaction(async ({ sql }) => {
    await sql`select 1 from sets where id = ${held.id} for update`
    await isDeleted
  })
  const working = runJobs(app.context)
  await until(async () => {
    const [open] = await app.db.sql`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`
    return open?.count === 2
  })
  expect((await app.operator.delete(`/v1/players/${player.id}`)).status).toBe(204)
  letGo()
  await Promise.all([holding, working])
  const results = await resultsOf(id)
  expect(results.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 2000 }, () => 'created'),
    ...Array.from({ length: 50 }, () => 'failed'),
  ])
  expect(results.at(-1)?.error?.detail).toBe('There is no such player, or it is hidden from you.')
})

test.skipIf(!service)('large bodies are read one after the other', async () => {
  const { app, make, row, begin, resultsOf } = service as NonNullable<typeof service>
  const set = await make.set()
  const { promise: isOver, resolve: letGo } = Promise.withResolvers<void>()
  const holding = app.db.transaction(async ({ sql }) => {
    await sql`lock table card_batches in access exclusive mode`
    await isOver
  })
  const waiting = async () => {
    const [locks] = await app.db.sql`
      select count(*)::int as count from pg_locks where relation = 'card_batches'::regclass and not granted`
    return locks?.count
  }
  const begun = Promise.all([1, 2, 3].map(() => begin(Array.from({ length: 1500 }, (_, n) => row(set, n)))))
  await until(async () => (await waiting()) > 0)
  await Bun.sleep(300)
  expect(await waiting()).toBe(1)
  letGo()
  const ids = await begun
  await Promise.all([holding, runJobs(app.context)])
  for (const id of ids) expect(await resultsOf(id)).toHaveLength(1500)
})
