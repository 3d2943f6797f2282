import { afterAll, expect, test } from 'bun:test'
import { openPostgres } from '../../db/postgres.ts'
import { makeApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { makeContext } from '../../src/context.ts'
import { openLog } from '../../src/lib/log.ts'

const context = makeContext({
  config: readConfig({ APP_ENV: 'development' }),
  db: openPostgres({ url: 'postgres://nobody@127.0.0.1:1/nowhere', poolSize: 2 }),
  log: openLog('silent'),
  secret: 'a secret',
})
const app = makeApp(context)
afterAll(() => context.db.close())
const get = (path: string) => app.handle(new Request(`http://localhost${path}`))

test('while the database is away, what needs it answers 503 in good time, with a document', async () => {
  const answer = await get('/v1/cards')
  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).not.toBeNull()
  expect(await answer.json()).toMatchObject({ errors: [{ status: '503', code: 'SERVICE_UNAVAILABLE' }] })
}, 15_000)

test('while the database is away, /health says what failed and /version answers', async () => {
  const health = await get('/health')
  expect(health.status).toBe(503)
  expect(await health.json()).toMatchObject({
    status: 'failed',
    checks: { database: 'failed', cache: 'failed', billing: 'disabled' },
  })
  expect((await get('/version')).status).toBe(200)
  expect((await get('/nowhere')).status).toBe(404)
}, 15_000)
