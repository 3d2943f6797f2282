import { afterAll, describe, expect, test } from 'bun:test'
import { migrate } from '../../db/migrate.ts'
import { openPostgres } from '../../db/postgres.ts'
import { testApp } from '../support/app.ts'
import { aDocument, aName } from '../support/factories.ts'
import { ownServer } from '../support/own-server.ts'
import { until } from '../support/until.ts'

const server = await ownServer('what a PostgreSQL that does not answer means for requests')
const db = server && openPostgres({ url: server.url })
if (db) await migrate(db)
const app = db && (await testApp({ db }))
afterAll(() => server?.remove())

describe.skipIf(!app)('while PostgreSQL does not answer', () => {
  test('each request ends within 9 s (503), writes too, /health says so, and all is well again after', async () => {
    if (!app || !server || !db) return
    const { operator, reader } = app
    const name = aName('Frozen')
    const made = await operator.post('/v1/brands', aDocument('brands', { name: aName('Before') }))
    const timed = async (asked: Promise<{ status: number; headers: Headers }>) => {
      const began = performance.now()
      const { status, headers } = await asked
      return { status, retries: headers.has('retry-after'), seconds: (performance.now() - began) / 1000 }
    }
    // One of each is at work in a transaction while the server stops, behind a lock that it cannot get.
    const { promise: isOver, resolve: release } = Promise.withResolvers<void>()
    const isHeld = Promise.withResolvers<void>()
    const held = db.transaction(async (tx) => {
      await tx.sql`select 1 from brands where id = ${made.one.id} for update`
      isHeld.resolve()
      await isOver
    })
    await isHeld.promise
    const patch = () => operator.patch(`/v1/brands/${made.one.id}`, aDocument('brands', { name }, {}, made.one.id))
    const caught = patch()
    await until(async () => {
      const [row] = await db.pulse.sql<{ count: number }[]>`
        select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock'`
      return row?.count === 1
    })
    await server.freeze()
    const health = app.stranger().get('/health')
    const all = await Promise.all([
      ...[timed(caught), timed(patch()), timed(operator.post('/v1/brands', aDocument('brands', { name })))],
      ...[
        timed(reader.get('/v1/brands')),
        timed(reader.get('/v2/search?q=frozen')),
        timed(reader.get('/v1/stats/counts')),
      ],
      timed(app.stranger().get('/v1/founding-slots/remaining')),
    ])
    expect(all.map(({ status, retries }) => [status, retries])).toEqual(all.map(() => [503, true]))
    expect(all.map(({ seconds }) => seconds).filter((seconds) => seconds > 9)).toEqual([])
    const { status, document } = await health
    expect([status, document]).toMatchObject([503, { checks: { database: 'failed' } }])
    await server.thaw()
    release()
    await held
    await until(async () => (await app.stranger().get('/health')).status === 200)
    await until(async () => (await reader.get('/v1/brands')).status === 200)
    await until(() => db.pool().running === 0)
    const faults = app.lines.splice(0).filter(({ level }) => level === 'error')
    expect(faults.filter(({ fields }) => fields.code !== 'CONNECTION_CLOSED')).toEqual([])
    // What was answered with 503 was rolled back whole.
    expect((await operator.get(`/v1/brands?filter[name]=${encodeURIComponent(name)}`)).many).toEqual([])
  })
})
