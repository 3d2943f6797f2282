import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import postgres from 'postgres'
import { openDatabase } from '../../db/client.ts'
import { brief } from '../support/brief.ts'
import { clonedDatabase } from '../support/cloned-database.ts'
import { startPooler } from '../support/pooler.ts'

setDefaultTimeout(110_000)

const main = join(import.meta.dir, '../../src/main.ts')

/** Runs a command on a database; ended by force where it takes as long as PgBouncer lets a client wait. */
const run = async (databaseUrl: string, ...words: string[]) => {
  const child = Bun.spawn([process.execPath, main, ...words], {
    env: {
      PATH: process.env.PATH,
      ...brief,
      APP_ENV: 'development',
      PORT: '0',
      DATA_DIR: 'never-made',
      DATABASE_URL: databaseUrl,
    },
    ...{ stdout: 'pipe', stderr: 'pipe', timeout: 90_000 },
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { words, exit: await child.exited, said: out + err }
}

const sentence =
  /gave no connection within 10 seconds: the server cannot be reached, or the pool in front of it is exhausted\./

const commands = [['serve'], ['migrate'], ['client', 'list'], ['export'], ['doctor'], ['mirror', '--stop']]

const allSaySo = async (databaseUrl: string) => {
  for (const { words, exit, said } of await Promise.all(commands.map((one) => run(databaseUrl, ...one)))) {
    expect([words, exit]).toEqual([words, 1])
    expect(said).toMatch(sentence)
  }
}

test('commands that get no connection within 10 s say so: a server that takes connections and never answers', async () => {
  const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } })
  await allSaySo(`postgres://postgres@127.0.0.1:${silent.port}/cards`)
  silent.stop(true)
})

const server = process.env.TEST_DATABASE_URL
if (!server) console.log('skipped: an exhausted pool (set TEST_DATABASE_URL to a PostgreSQL server)')
const cloned = server ? await clonedDatabase(server) : undefined
const pooler =
  cloned && (await startPooler('an exhausted pool', cloned.url, { pool_mode: 'session', default_pool_size: 2 }))
const impatient =
  cloned &&
  (await startPooler('an impatient pool', cloned.url, {
    ...{ pool_mode: 'session', default_pool_size: 1, query_wait_timeout: 2 },
  }))

afterAll(async () => {
  await pooler?.stop()
  await impatient?.stop()
  await cloned?.drop()
})

/** Holds so many connections of a pool while there is something to do. */
const holding = async <T>(url: string, connections: number, work: () => Promise<T>): Promise<T> => {
  const client = postgres(url, { max: connections, onnotice: () => {} })
  const held = await Promise.all(Array.from({ length: connections }, () => client.reserve()))
  for (const one of held) await one`select 1`
  try {
    return await work()
  } finally {
    await client.end({ timeout: 0 })
  }
}

describe.skipIf(!pooler)('behind PgBouncer in session mode', () => {
  const url = pooler?.url ?? ''

  test('commands that get no connection within 10 s say so: the pool is exhausted', async () => {
    await holding(url, 2, () => allSaySo(url))
  })

  test('a command needs one connection and no more where there is no second', async () => {
    await holding(url, 1, async () => {
      expect(await run(url, 'client', 'list')).toMatchObject({ exit: 0 })
      expect(await run(url, 'doctor')).toMatchObject({ exit: 0 })
    })
  })

  test('what a command opens does two transactions at once, one after the other where there is one connection', async () => {
    await holding(url, 1, async () => {
      const db = await openDatabase({ databaseUrl: url, dataDir: '.', isBrief: true })
      const both = [1, 2].map((n) => db.transaction((tx) => tx.sql`select ${n}::int as n`))
      expect((await Promise.all(both)).map(([row]) => row?.n)).toEqual([1, 2])
      await db.close()
    })
  })

  test('a pooler that sends its clients away is told apart from a server that cannot be reached', async () => {
    await holding(impatient?.url ?? '', 1, async () => {
      const { exit, said } = await run(impatient?.url ?? '', 'client', 'list')
      expect(exit).toBe(1)
      expect(said).toMatch(
        /gives no connection: .*query_wait_timeout.* The server, or the pool in front of it, is exhausted/,
      )
    })
  })
})
