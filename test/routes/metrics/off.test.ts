import { expect, test } from 'bun:test'
import { openPostgres } from '../../../db/postgres.ts'
import { makeApp } from '../../../src/app.ts'
import { readConfig } from '../../../src/config.ts'
import { makeContext } from '../../../src/context.ts'
import { openLog } from '../../../src/lib/log.ts'
import { testApp } from '../../support/app.ts'
import { readExposition } from '../../support/exposition.ts'

const app = await testApp()

test('without METRICS_TOKEN there is nothing at /metrics, whoever asks', async () => {
  for (const Authorization of ['', 'Bearer', 'Bearer undefined', app.headers.operator.Authorization ?? '']) {
    const answer = await app.stranger().get('/metrics', { Authorization })
    expect([answer.status, answer.faults]).toEqual([404, ['NOT_FOUND']])
  }
})

test('while the database is away the process is still measured', async () => {
  const context = makeContext({
    config: readConfig({ APP_ENV: 'development', METRICS_TOKEN: 'another-token-than-that' }),
    db: openPostgres({ url: 'postgres://nobody@127.0.0.1:1/nowhere', poolSize: 2 }),
    log: openLog('silent'),
    secret: 'a secret',
  })
  const headers = { Authorization: 'Bearer another-token-than-that' }
  const answer = await makeApp(context).handle(new Request('http://localhost/metrics', { headers }))
  const scraped = readExposition(await answer.text())
  await context.db.close()
  expect(answer.status).toBe(200)
  expect(scraped.values.filter(({ name }) => name === 'cardstock_database_up')).toMatchObject([{ value: 0 }])
  expect(scraped.sum('process_resident_memory_bytes')).toBeGreaterThan(0)
  expect(scraped.types).not.toHaveProperty('cardstock_rows')
}, 15_000)
