import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aCollector } from '../support/collector.ts'
import { builtExecutable } from '../support/executable.ts'
import { aDocument } from '../support/factories.ts'
import { aReceiver } from '../support/receiver.ts'
import { resendDouble } from '../support/resend.ts'
import { serviceProcesses } from '../support/service-process.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(300_000)

const executable = await builtExecutable()
const collector = aCollector()
const receiver = aReceiver()
const resend = resendDouble()
afterAll(resend.stop)
const traced = {
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-team=cards,x-key=a%20key',
  OTEL_SERVICE_NAME: 'card shop',
  OTEL_RESOURCE_ATTRIBUTES: 'region=north,service.name=another',
  OTEL_BSP_SCHEDULE_DELAY: '50',
}
const mail = { RESEND_API_KEY: 're_test', RESEND_BASE_URL: resend.url, MAIL_FROM: 'cards@example.org' }
const service = await serviceProcesses({ ...traced, ...mail, WEBHOOK_ALLOW_PRIVATE: 'true' }, [], executable)
const { address } = await service.serve()

/** The headers of a caller that traces, and its trace and span. */
const aCaller = (flags = '01') => {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}`, tracestate: 'shop=till4' } }
}

const send = (method: string, path: string, headers: object, body?: unknown, mediaType = 'application/vnd.api+json') =>
  fetch(`${address}${path}`, {
    method,
    headers: { ...service.operator, ...(body ? { 'Content-Type': mediaType } : {}), ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const textsOf = (spans: { attributes: Record<string, unknown> }[]) =>
  spans.map(({ attributes }) => String(attributes['db.query.text']))

test('a request is a span of its caller’s trace, named by its route, with its statements below', async () => {
  const { traceId, spanId, headers } = aCaller()
  const answer = await send('GET', '/v1/players?full_name=Somebody', { ...headers, 'X-Request-Id': 'a-list' })
  expect(answer.status).toBe(200)
  const span = await collector.find(traceId, 'GET /v1/players')
  expect(span).toMatchObject({ kind: 2, parentSpanId: spanId, traceState: 'shop=till4' })
  expect(span.attributes).toMatchObject({
    'http.request.method': 'GET',
    'http.route': '/v1/players',
    'url.path': '/v1/players',
    'http.response.status_code': 200,
    'cardstock.request_id': 'a-list',
  })
  const statements = collector.below(span)
  expect(statements.map(({ name }) => name)).toContain('SELECT players')
  for (const { kind, attributes } of statements)
    expect([kind, attributes['db.system.name'], attributes['db.query.text']]).toEqual([
      3,
      'postgresql',
      expect.stringMatching(/\w/),
    ])
  expect(textsOf(collector.spans).join()).not.toContain('Somebody')
})

test('the collector is told who sends, with the headers in the settings', () => {
  expect(collector.resources[0]).toMatchObject({ 'service.name': 'card shop', region: 'north' })
  const [request] = collector.requests
  expect([request?.path, request?.headers.get('x-team'), request?.headers.get('x-key')]).toEqual([
    '/v1/traces',
    'cards',
    'a key',
  ])
})

test('a job continues the trace of the request that enqueued it', async () => {
  const { traceId, headers } = aCaller()
  const file = 'set,number,player\n1993 Finest,1,Cy Lee\n'
  expect((await send('POST', '/internal/imports', headers, file, 'text/csv')).status).toBe(202)
  const [request, job] = await Promise.all([
    collector.find(traceId, 'POST /internal/imports'),
    collector.find(traceId, 'process catalog_import'),
  ])
  expect(job).toMatchObject({ kind: 5, parentSpanId: request.spanId })
  expect(textsOf(collector.below(job)).join()).toContain('insert into cards')
})

test('a call to Resend is in the trace of the request whose job’s job sends the mail', async () => {
  const me = (await (await send('GET', '/user', {})).json()) as { email: string }
  const { traceId, headers } = aCaller()
  const asked = await send(
    'POST',
    '/v1/user/password/forgot',
    headers,
    aDocument('password_resets', { email: me.email }),
  )
  expect(asked.status).toBe(202)
  const [job, call] = await Promise.all([
    collector.find(traceId, 'process send_mail'),
    collector.find(traceId, 'Resend send mail'),
  ])
  expect(call).toMatchObject({ kind: 3, parentSpanId: job.spanId })
  expect(JSON.stringify(collector.spans)).not.toContain(me.email)
})

test('a webhook’s delivery continues the trace of the change, and hands it on to its receiver', async () => {
  const terms = { target_url: receiver.url, events: ['set.published'] }
  expect((await send('POST', '/internal/webhooks', {}, aDocument('webhooks', terms))).status).toBe(201)
  const { traceId, headers } = aCaller()
  const set = aDocument('sets', { name: '1989 Bowman', status: 'published' })
  expect((await send('POST', '/v1/sets', headers, set)).status).toBe(201)
  const [request, delivery] = await Promise.all([
    collector.find(traceId, 'POST /v1/sets'),
    collector.find(traceId, 'POST webhook'),
  ])
  expect(delivery).toMatchObject({ kind: 3, parentSpanId: request.spanId })
  expect(delivery.attributes).toMatchObject({ 'http.response.status_code': 204, 'server.address': '127.0.0.1' })
  expect(receiver.messages[0]?.headers).toMatchObject({
    traceparent: `00-${traceId}-${delivery.spanId}-01`,
    tracestate: 'shop=till4',
  })
})

test('each of many requests at once has its own statements', async () => {
  const asked = Array.from({ length: 120 }, (_, n) => ({ ...aCaller(), type: n % 2 ? 'players' : 'sets', n }))
  await Promise.all(
    asked.map(({ type, headers, n }) =>
      send('GET', `/v1/${type}?${type === 'sets' ? 'name' : 'full_name'}=Name ${n}`, headers),
    ),
  )
  for (const { traceId, type } of asked) {
    const below = collector.below(await collector.find(traceId, `GET /v1/${type}`)).map(({ name }) => name)
    expect(below).toContain(`SELECT ${type}`)
    expect(below).not.toContain(`SELECT ${type === 'sets' ? 'players' : 'sets'}`)
  }
})

test('a trace that its caller doesn’t keep isn’t kept here, and neither are probes', async () => {
  const [kept, dropped] = [aCaller(), aCaller('00')]
  await send('GET', '/v1/genres', dropped.headers)
  await send('GET', '/health', kept.headers)
  await send('GET', '/v1/genres', kept.headers)
  await collector.find(kept.traceId, 'GET /v1/genres')
  expect(collector.spans.filter(({ traceId }) => traceId === dropped.traceId)).toEqual([])
  expect(collector.spans.filter(({ name }) => name.includes('health'))).toEqual([])
})

/** Serves from an empty folder, with settings of its own, and asks for some pages. */
const serveAlone = async (settings: Record<string, string>) => {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-traced-'))
  const child = Bun.spawn([executable, 'serve'], {
    env: { PATH: process.env.PATH, HOME: folder, DATA_DIR: folder, APP_ENV: 'development', PORT: '0', ...settings },
    ...{ stdout: 'ignore', stderr: 'pipe' },
  })
  afterAll(async () => {
    child.kill('SIGKILL')
    await child.exited
    rmSync(folder, { recursive: true, force: true })
  })
  let log = ''
  const heard = (async () => {
    for await (const piece of child.stderr.pipeThrough(new TextDecoderStream())) log += piece
  })()
  const addressOf = () => /"address":"([^"]+)"/.exec(log)?.[1]
  await until(() => addressOf() !== undefined)
  const ask = async () => (await fetch(`${addressOf()}/`)).status
  /** Stops it, and returns how many milliseconds that took. */
  const stop = async () => {
    const began = performance.now()
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    await heard
    return performance.now() - began
  }
  return { ask, stop, log: () => log }
}

test('without sampling or with OTEL_SDK_DISABLED, nothing is sent', async () => {
  const quiet = aCollector()
  const sendNothing = async (off: Record<string, string>) => {
    const { ask, stop } = await serveAlone({ ...traced, OTEL_EXPORTER_OTLP_ENDPOINT: quiet.url, ...off })
    expect(await ask()).toBe(200)
    await stop()
  }
  await Promise.all([sendNothing({ OTEL_TRACES_SAMPLER: 'always_off' }), sendNothing({ OTEL_SDK_DISABLED: 'true' })])
  expect(quiet.requests).toEqual([])
})

/** The library would wait for seven seconds or more. A stop without traces takes less than one. */
const stopMilliseconds = 6000

test('a collector that is away or hangs delays a stop by a second at most, fails no request, and is named once', async () => {
  const hanging = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } })
  const sendTo = async (port: number) => {
    const endpoint = `http://127.0.0.1:${port}`
    const settings = { ...traced, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_EXPORT_TIMEOUT: '60000' }
    const { ask, stop, log } = await serveAlone({ ...settings, OTEL_EXPORTER_OTLP_TIMEOUT: '300' })
    const isTold = async () => {
      expect(await ask()).toBe(200)
      return log().includes('traces not sent')
    }
    await until(isTold)
    for (let n = 0; n < 20; n++) expect(await ask()).toBe(200)
    expect(await stop()).toBeLessThan(stopMilliseconds)
    expect(log().split('traces not sent')).toHaveLength(2)
  }
  await Promise.all([sendTo(1), sendTo(hanging.port)])
  hanging.stop(true)
})
