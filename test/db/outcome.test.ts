import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { migrate } from '../../db/migrate.ts'
import { openPostgres } from '../../db/postgres.ts'
import { usualDeadlines } from '../../db/turns.ts'
import { makeApp } from '../../src/app.ts'
import { makeContext } from '../../src/context.ts'
import { testApp } from '../support/app.ts'
import { clientWith } from '../support/callers.ts'
import { aDocument, aName, factories } from '../support/factories.ts'
import { ownServer } from '../support/own-server.ts'
import { until } from '../support/until.ts'

const server = await ownServer('what becomes of a write whose commit gets no answer')
const db = server && openPostgres({ url: server.url })
if (db) await migrate(db)
const app = db && (await testApp({ db }))
afterAll(() => server?.remove())

/** Asks on a connection that no request uses. */
const ask = async (text: string, ...values: (string | number)[]) => [
  ...((await db?.pulse.sql.unsafe(text, values)) ?? []),
]

/** A standby that isn't there, which every commit waits for. The gate's statement waits for none. */
const waitForStandby = async (isAwaited: boolean) => {
  const name = isAwaited ? 'nobody' : ''
  await ask(`alter system set synchronous_standby_names = '${name}'`)
  await ask('select pg_reload_conf()')
  await until(async () => (await ask('show synchronous_standby_names'))[0]?.synchronous_standby_names === name)
}
afterEach(async () => {
  await waitForStandby(false)
  app?.lines.splice(0)
})

const backends = (event: string) => ask('select pid from pg_stat_activity where wait_event = $1', event)
const oneIn = (event: string) => until(async () => (await backends(event)).length === 1)
const terminate = async (event: string) => {
  for (const { pid } of await backends(event)) await ask('select pg_terminate_backend($1)', Number(pid))
}
const named = async (name: string) => (await ask('select from brands where name = $1', name)).length
const aBrand = () => {
  const name = aName('Outcome')
  return { name, document: aDocument('brands', { name }), key: { 'Idempotency-Key': name.replaceAll(' ', '-') } }
}

describe.skipIf(!app)('a write whose commit gets no answer', () => {
  test.each(['terminated', 'stopped'])(
    'because its backend is %s is OUTCOME_UNKNOWN, and is done once',
    async (how) => {
      if (!app || !server) return
      const { name, document, key } = aBrand()
      await waitForStandby(true)
      const sent = app.operator.post('/v1/brands', document, key)
      await oneIn('SyncRep')
      if (how === 'terminated') await terminate('SyncRep')
      else await server.stop('fast')
      const { status, faults, headers } = await sent
      expect([status, faults, headers.has('retry-after')]).toEqual([503, ['OUTCOME_UNKNOWN'], true])
      if (how === 'stopped') await server.start()
      await until(() =>
        ask('select').then(
          () => true,
          () => false,
        ),
      )
      await waitForStandby(false)
      expect(await named(name)).toBe(1)
      const again = await app.operator.post('/v1/brands', document, key)
      expect([again.status, again.one.attributes.name]).toEqual([201, name])
      expect(await named(name)).toBe(1)
    },
  )

  test('before its deadline is OUTCOME_UNKNOWN, and at work until the commit ends', async () => {
    if (!app || !server) return
    const impatient = openPostgres({ url: server.url, deadlines: { ...usualDeadlines, write: 1500 } })
    const service = makeApp(makeContext({ ...app.context, db: impatient }))
    const client = clientWith(async (request) => service.handle(request), app.baseUrl, app.headers.operator)
    const { name, document, key } = aBrand()
    await waitForStandby(true)
    expect((await client.post('/v1/brands', document, key)).faults).toEqual(['OUTCOME_UNKNOWN'])
    expect((await client.post('/v1/brands', document, key)).faults).toEqual(['IDEMPOTENCY_KEY_IN_USE'])
    expect(await named(name)).toBe(0)
    await waitForStandby(false)
    await until(async () => (await named(name)) === 1)
    expect((await client.post('/v1/brands', document, key)).status).toBe(201)
    expect(await named(name)).toBe(1)
    await impatient.close()
  })

  test('without a key is OUTCOME_UNKNOWN, too', async () => {
    if (!app) return
    const { name, document } = aBrand()
    await waitForStandby(true)
    const sent = app.operator.post('/v1/brands', document)
    await oneIn('SyncRep')
    await terminate('SyncRep')
    expect((await sent).faults).toEqual(['OUTCOME_UNKNOWN'])
    expect(await named(name)).toBe(1)
  })
})

test.skipIf(!app)(
  'a write whose connection is lost before its commit is SERVICE_UNAVAILABLE, and is not done',
  async () => {
    if (!app || !db) return
    const { id } = await factories(app).brand()
    const { name, document } = aBrand()
    const held = Promise.withResolvers<void>()
    const isHeld = Promise.withResolvers<void>()
    const holding = db.transaction(async (tx) => {
      await tx.sql`select from brands where id = ${id} for update`
      isHeld.resolve()
      await held.promise
    })
    await isHeld.promise
    const sent = app.operator.patch(
      `/v1/brands/${id}`,
      aDocument('brands', { name: document.data.attributes.name }, {}, id),
    )
    await oneIn('transactionid')
    await terminate('transactionid')
    expect((await sent).faults).toEqual(['SERVICE_UNAVAILABLE'])
    held.resolve()
    await holding
    expect(await named(name)).toBe(0)
  },
)
