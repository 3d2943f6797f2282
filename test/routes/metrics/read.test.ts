import { describe, expect, test } from 'bun:test'
import { routes } from '../../../src/app.ts'
import { enqueue } from '../../../src/jobs/enqueue.ts'
import { latencyBuckets } from '../../../src/lib/meter.ts'
import { version } from '../../../src/version.ts'
import { pruneUsage } from '../../../src/worker.ts'
import { testApp } from '../../support/app.ts'
import { clientWith } from '../../support/callers.ts'
import { aWebhook, change, delivering, privateWebhooks } from '../../support/delivering.ts'
import { readExposition, type Scrape } from '../../support/exposition.ts'
import { factories, setStatus } from '../../support/factories.ts'
import { aReceiver } from '../../support/receiver.ts'
import { until } from '../../support/until.ts'

const token = 'a token that only the scraper knows'.replaceAll(' ', '-')
const app = await testApp({ environment: { METRICS_TOKEN: token, ...privateWebhooks } })
const { db, clock } = app
const make = factories(app)
const scraper = clientWith(app.fetch, app.baseUrl, { Authorization: `Bearer ${token}` })
const scrape = async () => readExposition((await scraper.get('/metrics')).text)

/** By how much a value grew from one scrape to the next. */
const growth = (before: Scrape, after: Scrape, name: string, labels?: Record<string, string>) =>
  after.sum(name, labels) - before.sum(name, labels)

describe('GET /metrics', () => {
  test('is Prometheus’ text format, for whoever has the token', async () => {
    const { status, headers, text } = await scraper.get('/metrics', {
      Accept: 'application/openmetrics-text;version=1.0.0',
    })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const described = routes.find(({ path }) => path === '/metrics')?.answers[200]?.mediaType
    expect(headers.get('content-type')).toBe(described as string)
    expect(headers.get('cache-control')).toBe('no-store')
    const { types } = readExposition(text)
    for (const [name, type] of Object.entries(types)) expect(name.endsWith('_total')).toBe(type === 'counter')
  })
  test('answers 401 without the token or with another, and counts on no window', async () => {
    const wrong = ['', 'Bearer', 'Bearer x', `Bearer ${token}x`, `Bearer ${token.slice(1)}`, `Basic ${token}`]
    for (const Authorization of [...wrong, app.headers.operator.Authorization ?? '']) {
      const answer = await app.stranger().get('/metrics', { Authorization })
      expect([answer.status, answer.faults]).toEqual([401, ['UNAUTHENTICATED']])
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      expect(answer.headers.get('x-ratelimit-limit')).toBeNull()
    }
    const stranger = app.stranger()
    for (let n = 0; n < 101; n++) await stranger.get('/metrics')
    expect((await stranger.get('/metrics')).status).toBe(401)
    expect((await stranger.get('/v1/stats/counts')).status).toBe(200)
  })
  test('counts requests by the pattern of their route and the class of their status', async () => {
    const before = await scrape()
    const route = '/v1/sets/:id'
    await app.operator.get(`/v1/sets/${crypto.randomUUID()}`)
    await app.operator.send('HEAD', `/v1/sets/${crypto.randomUUID()}`)
    await app.operator.get(`/v1/sets/${(await make.set()).id}`)
    const after = await scrape()
    const counted = (status: string) =>
      growth(before, after, 'cardstock_http_requests_total', { method: 'GET', route, status })
    expect([counted('2xx'), counted('4xx'), counted('5xx')]).toEqual([1, 2, 0])
    const duration = 'cardstock_http_request_duration_seconds'
    expect(growth(before, after, `${duration}_count`, { method: 'GET', route })).toBe(3)
    expect(growth(before, after, `${duration}_sum`, { method: 'GET', route })).toBeGreaterThan(0)
    expect(after.sum('cardstock_http_requests_in_flight')).toBe(1)
  })
  test('has series of its own routes alone, whatever is asked', async () => {
    for (let n = 0; n < 20; n++) {
      await app.stranger().get(`/v1/${crypto.randomUUID()}`)
      await app.stranger().send('PUT', `/v1/sets/${n}`)
    }
    const known = new Set([...routes.map(({ path }) => path), 'unmatched'])
    const named = (await scrape()).values.flatMap(({ labels }) => (labels.route ? [labels.route] : []))
    expect([...new Set(named)].filter((route) => !known.has(route))).toEqual([])
    expect((await scrape()).sum('cardstock_http_requests_total', { route: 'unmatched' })).toBeGreaterThanOrEqual(40)
  })
  test('has latencies in buckets, each holding those before it', async () => {
    await app.reader.get('/v1/genres')
    const { values } = await scrape()
    const buckets = values.filter(
      ({ name, labels }) => name === 'cardstock_http_request_duration_seconds_bucket' && labels.route === '/v1/genres',
    )
    expect(buckets.map(({ labels }) => labels.le)).toEqual([...latencyBuckets.map(String), '+Inf'])
    const counts = buckets.map(({ value }) => value)
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect(counts.at(-1)).toBe(
      values.find(
        ({ name, labels }) => name === 'cardstock_http_request_duration_seconds_count' && labels.route === '/v1/genres',
      )?.value as number,
    )
  })
  test('counts what the limiter refuses, by kind of caller', async () => {
    const before = await scrape()
    const stranger = app.stranger()
    for (let n = 0; n < 103; n++) await stranger.get('/v1/cards')
    const after = await scrape()
    expect(growth(before, after, 'cardstock_rate_limit_refusals_total', { tier: 'anonymous' })).toBe(3)
    expect(growth(before, after, 'cardstock_rate_limit_refusals_total')).toBe(3)
  })
  test('shows the jobs by state, and how long the oldest has been due', async () => {
    const now = clock.now()
    const before = await scrape()
    await enqueue(db, pruneUsage, {}, { now: new Date(now.getTime() - 90_000) })
    await db.sql`
      insert into jobs (id, name, payload, status, run_at, max_attempts, created_at, finished_at)
      values (gen_random_uuid(), 'gone', '{}', 'failed', now(), 1, now(), ${new Date(now.getTime() - 600_000).toISOString()})`
    const after = await scrape()
    expect(growth(before, after, 'cardstock_jobs', { state: 'queued' })).toBe(1)
    expect(growth(before, after, 'cardstock_jobs', { state: 'failed' })).toBe(1)
    expect(after.values.filter(({ name }) => name === 'cardstock_jobs').map(({ labels }) => labels.state)).toEqual([
      ...['queued', 'running', 'failed'],
    ])
    const oldest = (state: string) => after.sum('cardstock_jobs_oldest_seconds', { state })
    expect(oldest('queued')).toBeGreaterThanOrEqual(90)
    expect(oldest('failed')).toBeGreaterThanOrEqual(600)
    expect(oldest('running')).toBe(0)
    await db.sql`delete from jobs`
  })
  test('shows webhooks by state, what waits to be sent and for how long, and counts attempts by result', async () => {
    const receiver = aReceiver(({ text }) => new Response(null, { status: text.includes('webhook.test') ? 204 : 500 }))
    const before = await scrape()
    const attempts =
      (result: string, since = before) =>
      async () =>
        growth(since, await scrape(), 'cardstock_webhook_attempts_total', { result })
    expect([before.sum('cardstock_webhooks'), await attempts('failed')()]).toEqual([0, 0])
    const webhook = await aWebhook(app.visitor, receiver.url, ['set.published'])
    const stop = delivering(app)
    await make.set({ status: 'published' })
    await until(async () => (await attempts('failed')()) === 1)
    clock.offsetSeconds += 90
    const failing = await scrape()
    const states = (scraped: Scrape) =>
      ['active', 'failing', 'paused'].map((state) => scraped.sum('cardstock_webhooks', { state }))
    expect(states(failing)).toEqual([0, 1, 0])
    expect(failing.sum('cardstock_webhook_deliveries_pending')).toBe(1)
    expect(failing.sum('cardstock_webhook_deliveries_oldest_seconds')).toBeGreaterThanOrEqual(90)
    await change(app.visitor, webhook, { paused: true })
    const paused = await scrape()
    expect(states(paused)).toEqual([0, 0, 1])
    const waiting = ['pending', 'oldest_seconds'].map((what) => `cardstock_webhook_deliveries_${what}`)
    expect(waiting.map((name) => paused.sum(name))).toEqual([0, 0])
    await app.visitor.send('POST', `${webhook.self}/test`)
    await until(async () => (await attempts('delivered')()) === 1)
    expect(waiting.map((name) => before.values.some((value) => value.name === name))).toEqual([true, true])
    await stop()
    await app.visitor.delete(webhook.self)
    clock.offsetSeconds -= 90
  })
  test('shows how many records there are, and how many of them are published', async () => {
    const before = await scrape()
    const set = await make.set()
    for (const number of ['1', '2']) await make.card({ set, number })
    const drafts = await scrape()
    const rows = (from: Scrape, to: Scrape, type: string) =>
      ['live', 'published'].map((status) => growth(from, to, 'cardstock_rows', { type, status }))
    expect([rows(before, drafts, 'sets'), rows(before, drafts, 'cards')]).toEqual([
      [1, 0],
      [2, 0],
    ])
    await setStatus(app, set, 'published')
    expect(rows(drafts, await scrape(), 'cards')).toEqual([0, 2])
  })
  test('shows the process, the pool and what runs', async () => {
    const scraped = await scrape()
    expect(scraped.sum('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
    expect(scraped.sum('process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(Math.abs(scraped.sum('process_start_time_seconds') * 1000 - performance.timeOrigin)).toBeLessThan(1000)
    expect(scraped.sum('cardstock_database_up')).toBe(1)
    expect(scraped.sum('cardstock_database_pool_connections')).toBe(db.kind === 'embedded' ? 1 : 8)
    expect(scraped.sum('cardstock_build_info', { version, bun: Bun.version, database: db.kind })).toBe(1)
  })
  test('shows what waits for a connection', async () => {
    const { max } = db.pool()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const held = Array.from({ length: max }, () => db.shared.transaction(() => released))
    while (db.pool().running < max) await Bun.sleep(1)
    const waiting = Array.from({ length: 5 }, () => db.shared.sql`select 1`.execute())
    const answer = scraper.get('/metrics')
    while (db.pool().waiting <= waiting.length) await Bun.sleep(1)
    release()
    const scraped = readExposition((await answer).text)
    expect(scraped.sum('cardstock_database_pool_busy')).toBe(max)
    expect(scraped.sum('cardstock_database_pool_waiting')).toBe(waiting.length)
    await Promise.all([...held, ...waiting])
    expect(db.pool()).toEqual({ max, running: 0, waiting: 0 })
  })
  test('refuses a parameter that it does not know', async () => {
    expect((await scraper.get('/metrics?x=1')).status).toBe(400)
  })
})
