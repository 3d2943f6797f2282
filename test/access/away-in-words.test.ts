import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { migrate } from '../../db/migrate.ts'
import { openPostgres } from '../../db/postgres.ts'
import { issueCredential } from '../../src/access/credentials.ts'
import { makeApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { makeContext } from '../../src/context.ts'
import { openLog } from '../../src/lib/log.ts'
import { aUser } from '../support/callers.ts'
import { ownServer } from '../support/own-server.ts'
import { refusedConnection, startServerPath } from '../support/server-path.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(240_000)

const server = await ownServer('a database that is away')
const at = (role: string, name: string) =>
  (server?.url ?? '').replace('postgres@', `${role}@`).replace(/postgres$/, name)
const admin = openPostgres({ url: server?.url ?? 'postgres://nobody@127.0.0.1:1/none', poolSize: 1 })
let isRefused = false
const pooler = startServerPath(at('keeper', 'cards'), (client) => {
  if (isRefused) client.end(refusedConnection('query_wait_timeout'))
  return isRefused
})

const opened: ReturnType<typeof makeContext>[] = []
afterAll(async () => {
  for (const { db } of opened) await db.close()
  await admin.close()
  pooler.stop()
  await server?.remove()
})

const serviceAt = (url: string) => {
  const db = openPostgres({ url, poolSize: 2 })
  const config = readConfig({ APP_ENV: 'development' })
  const context = makeContext({ config, db, log: openLog('silent'), secret: 'a secret' })
  opened.push(context)
  const app = makeApp(context)
  const ask = async (path: string) => {
    const answer = await app.handle(new Request(`http://localhost${path}`, { headers: operator }))
    return { status: answer.status, body: await answer.json() }
  }
  const isServing = async () => (await ask('/health')).status === 200 && (await ask('/v1/cards')).status === 200
  return { context, ask, isServing }
}

if (server) {
  await admin.sql.unsafe('create role keeper login')
  await admin.sql.unsafe('create database cards owner keeper')
}
const service = serviceAt(at('keeper', 'cards'))
const operator: Record<string, string> = {}
if (server) {
  await migrate(service.context.db)
  const owner = await aUser(service.context, { operator: true, status: 'none' })
  const { db, config, clock } = service.context
  const { secret } = await issueCredential(db, 'session', owner, config, clock.now())
  operator.Authorization = `Bearer ${secret}`
}

const run = async (...statements: string[]) => {
  for (const statement of statements) await admin.sql.unsafe(statement)
}
const endSessions = `select pg_terminate_backend(pid) from pg_stat_activity where datname in ('cards', 'elsewhere') and usename = 'keeper'`

/** What makes a database be away, and what brings it back. */
const ways: Record<string, { goes: string[]; returns: string[] }> = {
  'it was renamed (3D000)': {
    goes: ['alter database cards allow_connections false', endSessions, 'alter database cards rename to elsewhere'],
    returns: ['alter database elsewhere rename to cards', 'alter database cards allow_connections true'],
  },
  'it takes no connections (55000)': {
    goes: ['alter database cards allow_connections false', endSessions],
    returns: ['alter database cards allow_connections true'],
  },
  'its role has no connection left (53300)': {
    goes: ['alter role keeper connection limit 0', endSessions],
    returns: ['alter role keeper connection limit -1'],
  },
  'it may only be read, as its server says (25006)': {
    goes: ['alter system set default_transaction_read_only = on', 'select pg_reload_conf()'],
    returns: ['alter system reset default_transaction_read_only', 'select pg_reload_conf()'],
  },
  'it may only be read in sessions that begin now (25006)': {
    goes: ['alter database cards set default_transaction_read_only = on', endSessions],
    returns: ['alter database cards reset default_transaction_read_only'],
  },
}

const isAway = async ({ ask }: typeof service) => {
  const health = await ask('/health')
  expect([200, 503]).toContain((await ask('/v1/cards')).status)
  return health.status === 503 && health.body.checks.database === 'failed' && health.body.checks.cache === 'failed'
}

describe.skipIf(!server)('a database that is away is 503 and failed in /health, and comes back by itself:', () => {
  for (const [name, { goes, returns }] of Object.entries(ways))
    test(name, async () => {
      expect(await service.isServing()).toBe(true)
      await run(...goes)
      await until(() => isAway(service))
      for (let n = 0; n < 3; n++) {
        expect(await service.ask('/v1/cards')).toMatchObject({
          ...{ status: 503, body: { errors: [{ status: '503', code: 'SERVICE_UNAVAILABLE' }] } },
        })
        expect((await service.ask('/health')).body).toMatchObject({
          ...{ status: 'failed', checks: { database: 'failed', cache: 'failed', billing: 'disabled' } },
        })
      }
      await run(...returns)
      await until(service.isServing)
    })

  test('the pooler in front of it refuses (08P01)', async () => {
    const behind = serviceAt(pooler.url)
    await until(behind.isServing)
    isRefused = true
    await run(endSessions)
    await until(() => isAway(behind))
    expect((await behind.ask('/v1/cards')).status).toBe(503)
    isRefused = false
    await until(behind.isServing)
  })

  test('it is a standby, until that is promoted', async () => {
    const standby = await server?.standby()
    const follower = serviceAt(`postgres://keeper@${standby?.hostAndPort}/cards`)
    await until(() => isAway(follower))
    expect((await follower.ask('/v1/cards')).status).toBe(503)
    await standby?.promote()
    await until(follower.isServing)
  })
})
