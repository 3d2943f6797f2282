import { describe, expect, test } from 'bun:test'
import type { Transaction } from '../../db/client.ts'
import type { Answer } from '../support/answer.ts'
import { testApp } from '../support/app.ts'
import { aToken, aUser, type Client, clientWith } from '../support/callers.ts'
import { concurrentDatabase } from '../support/database.ts'
import { aDocument, aName, factories } from '../support/factories.ts'
import { calls, currentMessage, usualHeaders } from '../support/mcp.ts'
import { until } from '../support/until.ts'

const aSearch = calls('search_cards', { query: 'jordan' })
const deadlines = { statement: 3000, read: 8000, write: 60_000 }
const database = await concurrentDatabase(
  'one caller beside others, where statements of both can run at once',
  deadlines,
)
const app = database && (await testApp({ db: database, environment: { CONCURRENCY_PER_CALLER: '4' } }))

describe.skipIf(!app)('nobody starves the rest', () => {
  if (!app) return
  const { db, operator, reader } = app
  const make = factories(app)

  const aCaller = async () => {
    const { secret } = await aToken(app.context, await aUser(app.context, { operator: true }), ['read:draft', 'write'])
    return clientWith(app.fetch, app.baseUrl, { Authorization: `Bearer ${secret}` })
  }
  /** Does something while a lock is held that whoever needs the same must wait for. */
  const whileLocked = async (lock: (tx: Transaction) => Promise<unknown>, work: () => Promise<void>) => {
    const { promise: isOver, resolve: release } = Promise.withResolvers<void>()
    const isHeld = Promise.withResolvers<void>()
    const held = db.transaction(async (tx) => {
      await lock(tx)
      isHeld.resolve()
      await isOver
    })
    await isHeld.promise
    await work().finally(release)
    await held
  }
  const locked = (id: string) => (tx: Transaction) => tx.sql`select 1 from teams where id = ${id} for update`
  const lockedTables = (tx: Transaction) => tx.sql`lock table cards, players in access exclusive mode`
  const waitingForLocks = async () => {
    const [row] = await db.pulse.sql<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return row?.count ?? 0
  }
  const rename = (client: typeof operator, id: string) =>
    client.patch(`/v1/teams/${id}`, aDocument('teams', { name: aName('Renamed') }, {}, id))

  /** Four renames of one team by one caller, which wait for each other and for whoever holds the team. */
  const besideWrites = async (work: (caller: Client) => Promise<void>) => {
    const [team, caller] = [await make.team(), await aCaller()]
    let writes: Promise<Answer>[] = []
    await whileLocked(locked(team.id), async () => {
      writes = Array.from({ length: 4 }, () => rename(caller, team.id))
      await until(async () => (await waitingForLocks()) === 2)
      await work(caller)
    })
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  }

  test('of one caller a process works on at most a quarter of the pool’s connections, and others are served', () =>
    besideWrites(async () => {
      expect(db.pool()).toMatchObject({ max: 8, running: 2, waiting: 2 })
      expect((await reader.get('/v1/brands?filter[name]=like:a')).status).toBe(200)
      expect((await rename(operator, (await make.team()).id)).status).toBe(200)
      expect((await app.stranger().get('/health')).status).toBe(200)
    }))

  test('of one caller a process works on at most CONCURRENCY_PER_CALLER requests at a time; the others wait in a queue of that caller', async () => {
    let read: Promise<Answer> | undefined
    await besideWrites(async (caller) => {
      let isAnswered = false
      read = caller.get('/v1/brands').finally(() => {
        isAnswered = true
      })
      expect((await operator.get('/v1/brands')).status).toBe(200)
      expect(isAnswered).toBe(false)
    })
    expect((await read)?.status).toBe(200)
  })

  test('any request that finds 1,000 before it in its queue gets 503 with Retry-After', async () => {
    let all: Promise<Answer>[] = []
    await besideWrites(async (caller) => {
      all = Array.from({ length: 1003 }, () => caller.get('/v1/brands?per_page=1'))
      const first = await Promise.race(all)
      expect([first.status, first.faults]).toEqual([503, ['SERVICE_UNAVAILABLE']])
      expect(Number(first.headers.get('retry-after'))).toBeGreaterThan(0)
      expect((await reader.get('/v1/brands')).status).toBe(200)
    })
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 503)).toHaveLength(3)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1000)
  })

  test('a read whose client leaves while it waits keeps no place in the queue of its caller', async () => {
    let next: Promise<Answer> | undefined
    await besideWrites(async (caller) => {
      const leaving = new AbortController()
      const left = Array.from({ length: 1000 }, () => caller.send('GET', '/v1/brands', { signal: leaving.signal }))
      // The queue is full, so that one more is refused.
      expect((await Promise.race([caller.get('/v1/brands'), ...left])).status).toBe(503)
      leaving.abort()
      next = caller.get('/v1/brands?per_page=1')
      await Promise.all(left)
    })
    expect((await next)?.status).toBe(200)
  })

  test('long reads of many callers have at most half of the connections, and others are served meanwhile', async () => {
    await make.card({ set: await make.set({ status: 'published' }) })
    let reads: Promise<Answer>[] = []
    await whileLocked(lockedTables, async () => {
      const callers = await Promise.all(Array.from({ length: 6 }, aCaller))
      reads = callers.map((caller) => caller.get('/v2/cards?sort=-created_at&filter[number][ne]=5'))
      await until(async () => (await waitingForLocks()) === 4)
      await until(() => db.pool().waiting === 2)
      expect(db.pool()).toMatchObject({ max: 8, running: 4 })
      expect((await reader.get('/v1/brands')).status).toBe(200)
    })
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(Array(6).fill(200))
  })

  test('a read ends within 8 s of its arrival, waiting included; one that cannot gets 503 with Retry-After', () =>
    besideWrites(async (caller) => {
      const late = await caller.get('/v1/brands')
      expect([late.status, late.faults]).toEqual([503, ['SERVICE_UNAVAILABLE']])
      expect(late.headers.get('retry-after')).not.toBeNull()
      expect(await waitingForLocks()).toBe(2)
    }))

  test('a statement that passes its deadline is a 503 TIMEOUT with Retry-After, in lists of both versions, in search and in messages', async () => {
    await make.card({ set: await make.set({ status: 'published' }) })
    await whileLocked(lockedTables, async () => {
      const asked = [
        ...['/v1/cards', '/v1/players?filter[last_name]=like:a', `/v1/players/${crypto.randomUUID()}`],
        ...['/v2/cards?sort=-created_at&filter[number][ne]=5', '/v2/search?q=jordan', '/v2/autocomplete?q=jor'],
      ].map(async (path) => ({ path, answer: await (await aCaller()).get(path) }))
      const messages = [
        { headers: usualHeaders, body: JSON.stringify(aSearch) },
        currentMessage('tools/call', aSearch.params),
      ].map(async (sent) => ({ path: '/mcp', answer: await (await aCaller()).send('POST', '/mcp', sent) }))
      for (const { path, answer } of await Promise.all([...asked, ...messages])) {
        expect([path, answer.status, answer.faults]).toEqual([path, 503, ['TIMEOUT']])
        expect(answer.headers.get('retry-after')).not.toBeNull()
      }
      await until(async () => (await waitingForLocks()) === 0)
    })
    expect((await reader.get('/v1/cards')).status).toBe(200)
  })

  test.each(['a list', 'a message'])('a statement that reads is cancelled when its client leaves: %s', async (what) => {
    const set = await make.set({ status: 'published' })
    await make.card({ set })
    const page = calls('list_set_cards', { id: set.id })
    const [path, request]: [string, RequestInit] =
      what === 'a list'
        ? ['/v1/players?filter[last_name]=like:a', {}]
        : ['/mcp', { method: 'POST', body: JSON.stringify(page), headers: usualHeaders }]
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 60, fetch: app.fetch })
    const leaving = new AbortController()
    await whileLocked(lockedTables, async () => {
      const asked = fetch(`http://127.0.0.1:${server.port}${path}`, {
        ...request,
        headers: { ...app.headers.reader, ...request.headers },
        signal: leaving.signal,
      }).catch(() => 'left')
      await until(async () => (await waitingForLocks()) === 1)
      leaving.abort()
      expect(await asked).toBe('left')
      // Its deadline is far away.
      await until(async () => (await waitingForLocks()) === 0)
    })
    await server.stop(true)
  })

  test('a database that is busy but answers is healthy', async () => {
    const { promise, resolve: release } = Promise.withResolvers<void>()
    const held = Array.from({ length: db.pool().max }, (_, no) =>
      db.servedTo({ key: `holder ${no}`, isPatient: true }).transaction(() => promise),
    )
    await until(() => db.pool().running === db.pool().max)
    const health = await app.stranger().get('/health')
    expect(health.status).toBe(200)
    expect(health.document).toMatchObject({ status: 'ok', checks: { database: 'ok', cache: 'ok' } })
    expect((await app.stranger().get('/v1/cards')).status).toBe(401)
    release()
    await Promise.all(held)
  })
})
