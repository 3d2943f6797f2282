import { afterAll, expect, test } from 'bun:test'
import { openPostgres } from '../../db/postgres.ts'
import { issueCredential, issueKey } from '../../src/access/credentials.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { clonedDatabase } from '../support/cloned-database.ts'

const server = process.env.TEST_DATABASE_URL
if (!server) console.log('skipped: windows across two processes (set TEST_DATABASE_URL to a PostgreSQL server)')

const stops: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const stop of stops.reverse()) await stop()
}, 30_000)

/** Starts the service as a process of its own, and answers its address once it listens. */
const startProcess = async (databaseUrl: string): Promise<string> => {
  const process = Bun.spawn([globalThis.process.execPath, 'src/main.ts', 'serve'], {
    env: { ...globalThis.process.env, DATABASE_URL: databaseUrl, APP_ENV: 'development', PORT: '0', LOG_LEVEL: 'info' },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  stops.push(async () => {
    process.kill('SIGTERM')
    expect(await process.exited).toBe(0)
  })
  let text = ''
  const lines = process.stderr.pipeThrough(new TextDecoderStream())
  return new Promise((resolve, reject) => {
    void (async () => {
      for await (const piece of lines) {
        text += piece
        const address = /"address":"([^"]+)"/.exec(text)?.[1]
        if (address) resolve(address)
      }
      reject(new Error(text))
    })()
  })
}

test.skipIf(!server)(
  'one window holds exactly across two processes, so does that of an account over its tokens, and a revoked key ends in both',
  async () => {
    const { url, drop } = await clonedDatabase(server ?? '')
    stops.push(drop)
    const db = openPostgres({ url, poolSize: 2 })
    stops.push(() => db.close())
    const addresses = await Promise.all([startProcess(url), startProcess(url)])
    const user = Bun.randomUUIDv7()
    await db.sql`insert into users (id, email, email_key, created_at, updated_at) values (${user}, 'two@example.org', 'two@example.org', now(), now())`
    await db.sql`
      insert into subscriptions (user_id, plan, status, created_at, updated_at) values (${user}, 'pro', 'active', now(), now())`
    const brand = { brand: 'cardstock', appEnv: 'development' }
    const now = systemClock().now()
    const { id, secret } = await issueCredential(db, 'personal_token', user, brand, now, { scopes: ['read:published'] })
    await db.sql`update credentials set agreed_limit = 400, agreed_window_seconds = 3600 where id = ${id}`
    const get = (n: number, token = secret) =>
      fetch(`${addresses[n % 2]}/v1/cards`, { headers: { Authorization: `Bearer ${token}` } }).then(async (answer) => {
        await answer.arrayBuffer()
        return answer
      })

    const answers = await Promise.all(Array.from({ length: 1000 }, (_, n) => get(n)))

    const passed = answers.filter(({ status }) => status === 200)
    expect(passed.length).toBe(400)
    expect(answers.filter(({ status }) => status === 429).length).toBe(600)
    const left = new Set(passed.map(({ headers }) => headers.get('x-ratelimit-remaining')))
    expect(left.size).toBe(400)
    const [usage] = await db.sql`select sum(requests)::int as requests from usage_days where credential_id = ${id}`
    expect(usage?.requests).toBe(1000)

    const key = await issueKey(db, user, brand, now, 'pro')
    await db.sql`update credentials set agreed_limit = 300, agreed_window_seconds = 3600 where id = ${key.id}`
    const tokens = await Promise.all(
      Array.from({ length: 7 }, () =>
        issueCredential(db, 'personal_token', user, brand, now, { scopes: ['read:published'] }),
      ),
    )
    const shared = await Promise.all(Array.from({ length: 900 }, (_, n) => get(n, tokens[n % 7]?.secret)))
    expect(shared.filter(({ status }) => status === 200).length).toBe(300)
    expect(shared.filter(({ status }) => status === 429).length).toBe(600)
    const places = shared
      .filter(({ status }) => status === 200)
      .map(({ headers }) => headers.get('x-ratelimit-remaining'))
    expect(new Set(places).size).toBe(300)

    await db.sql`update credentials set revoked_at = now() where id = ${id}`
    expect([(await get(0)).status, (await get(1)).status]).toEqual([401, 401])
  },
  60_000,
)
