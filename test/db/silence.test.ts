import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Queryable } from '../../db/client.ts'
import { openPostgres } from '../../db/postgres.ts'
import { ownServer } from '../support/own-server.ts'
import { startServerPath } from '../support/server-path.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(240_000)

const server = await ownServer('servers that do not answer any more')
const standby = await server?.standby()
afterAll(() => server?.remove())

const url = server?.url ?? ''
const soon = { statement: 500, read: 1000, write: 1000 }
const isAnswered = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => true,
    () => false,
  )

/** A way to the server on which nothing arrives any more once a client has sent this word. */
const pathUntil = (word: string) => {
  const cut = new WeakSet<object>()
  return startServerPath(url, (client, sent) => {
    if (sent.includes(word)) cut.add(client)
    return cut.has(client)
  })
}

describe.skipIf(!server)('a connection whose server does not answer is thrown away, and another one serves:', () => {
  test.each(['statement', 'transaction'])('after a %s', async (what) => {
    const path = pathUntil('the cable is cut')
    const db = openPostgres({ url: path.url, poolSize: 1, deadlines: soon })
    const asker = db.servedTo({ key: 'asker' })
    await asker.sql`select 1`
    const ask = ({ sql }: Queryable) => sql.unsafe(`select 'the cable is cut'`)
    const lost = what === 'transaction' ? asker.transaction(ask) : ask(asker)
    expect(await isAnswered(lost)).toBe(false)
    await until(() => isAnswered(asker.sql`select 1`))
    await db.close()
    path.stop()
  })

  test('after the commit that was given up, since its standby is away', async () => {
    const db = openPostgres({ url, poolSize: 1, deadlines: soon })
    const admin = openPostgres({ url, poolSize: 1 })
    await admin.sql.unsafe('create table written (id int)')
    await admin.sql.unsafe(`alter system set synchronous_standby_names = 'nobody'`)
    await admin.sql.unsafe('select pg_reload_conf()')
    const writer = db.servedTo({ key: 'writer', writes: true })
    await expect(writer.transaction((tx) => tx.sql`insert into written values (1)`)).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
    })
    await until(() => isAnswered(db.servedTo({ key: 'reader' }).sql`select 1`))
    expect(await admin.sql`select from pg_stat_activity where wait_event = 'SyncRep'`).toHaveLength(1)
    await admin.sql.unsafe('alter system reset synchronous_standby_names')
    await admin.sql.unsafe('select pg_reload_conf()')
    await until(async () => (await admin.sql`select from written`).length === 1)
    await db.close()
    await admin.close()
  })

  test('of several hosts, the one that a late statement runs on is asked to end it', async () => {
    const db = openPostgres({ url: url.replace('@', `@${standby?.hostAndPort},`), poolSize: 2, deadlines: soon })
    let isGone = false
    const leaver = db.servedTo({
      key: 'leaver',
      writes: false,
      isGone: () => isGone,
      endsAt: performance.now() + 60_000,
    })
    const asleep = async () => {
      const [row] = await db.pulse.sql<{ count: number }[]>`
        select count(*)::int as count from pg_stat_activity where wait_event = 'PgSleep'`
      return row?.count
    }
    const held = leaver.transaction(async (tx) => {
      await tx.sql`set local statement_timeout = 0`
      await tx.sql`select pg_sleep(3600)`
    })
    held.catch(() => {})
    await until(async () => (await asleep()) === 1)
    isGone = true
    await expect(held).rejects.toMatchObject({ code: 'CLIENT_LEFT' })
    await until(async () => (await asleep()) === 0)
    await db.close()
  })

  test('where the whole machine hangs, requests, jobs, the gate, /health and listeners all go to the next host', async () => {
    const db = openPostgres({ url: url.replace(/\/postgres$/, `,${standby?.hostAndPort}/postgres`), poolSize: 2 })
    const heard: string[] = []
    await db.listen('bell', (word) => void heard.push(word))
    const ways = {
      requests: () => db.servedTo({ key: 'reader' }).sql`select 1`,
      writes: () => db.servedTo({ key: 'writer', writes: true }).transaction((tx) => tx.sql`select 1`),
      jobs: () => db.transaction((tx) => tx.sql`select 1`),
      gate: () => db.gate.sql`select 1`,
      health: async () => expect(await db.isAnswering()).toBe(true),
    }
    for (const ask of Object.values(ways)) await ask()
    await server?.freeze()
    const lost = Object.values(ways).map((ask) => isAnswered(ask()))
    await standby?.promote()
    await Promise.all(lost)
    for (const ask of Object.values(ways)) await until(() => isAnswered(ask()))
    await until(async () => {
      await db.notify('bell', 'again').catch(() => {})
      return heard.length > 0
    })
    await db.close()
  })
})
