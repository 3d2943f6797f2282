import { expect, setDefaultTimeout, test } from 'bun:test'
import { aDocument } from '../support/factories.ts'
import { aReceiver } from '../support/receiver.ts'
import { serviceProcesses } from '../support/service-process.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(120_000)

const service = await serviceProcesses({ WEBHOOK_ALLOW_PRIVATE: 'true', SLOW_STATEMENT_MS: '1' })
const { address, log } = await service.serve()
const receiver = aReceiver()

type Line = { event: string } & Record<string, unknown>

const lines = () => {
  const whole = log().split('\n').slice(0, -1)
  return whole.map((line) => JSON.parse(line) as Line)
}
const find = (event: string, fields: object) =>
  lines().find((line) => line.event === event && Bun.deepMatch(fields, line))

const send = (method: string, path: string, requestId: string, body: unknown, mediaType = 'application/vnd.api+json') =>
  fetch(`${address}${path}`, {
    method,
    headers: { ...service.operator, 'X-Request-Id': requestId, 'Content-Type': mediaType },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

test('the lines of a job name the request that enqueued it, and so do those of its slow statements', async () => {
  const made = await send(
    'POST',
    '/internal/imports',
    'an-import',
    'set,number,player\n1993 Finest,1,Cy Lee\n',
    'text/csv',
  )
  expect(made.status).toBe(202)
  await until(
    () => find('job', { name: 'catalog_import', request_id: 'an-import', outcome: 'completed' }) !== undefined,
  )
  expect(find('slow statement', { job: 'catalog_import', request_id: 'an-import' })).toBeDefined()
})

test('the line of a delivery names the request whose change it tells of, and so does that of a test', async () => {
  const terms = { target_url: receiver.url, events: ['set.published', 'catalog.changed'] }
  const webhook = await send('POST', '/internal/webhooks', 'a-webhook', aDocument('webhooks', terms))
  expect(webhook.status).toBe(201)
  const { data } = (await webhook.json()) as { data: { id: string } }
  const set = aDocument('sets', { name: '1989 Bowman', status: 'published' })
  expect((await send('POST', '/v1/sets', 'a-set', set)).status).toBe(201)
  for (const name of ['set.published', 'catalog.changed'])
    await until(() => find('webhook', { name, request_id: 'a-set', status: 204 }) !== undefined)
  const test = await send('POST', `/internal/webhooks/${data.id}/test`, 'a-test', '')
  expect(test.status).toBe(202)
  await until(() => find('webhook', { name: 'webhook.test', request_id: 'a-test' }) !== undefined)
})

test('a slow statement is logged with its route, its request and its text, without values', async () => {
  const ask = () =>
    fetch(`${address}/v1/players?full_name=Nobody`, { headers: { ...service.operator, 'X-Request-Id': 'a-list' } })
  const isLogged = async () => {
    expect((await ask()).status).toBe(200)
    return find('slow statement', { method: 'GET', path: '/v1/players', request_id: 'a-list' }) !== undefined
  }
  await until(isLogged)
  const line = find('slow statement', { path: '/v1/players' })
  expect(line).toMatchObject({ level: 'warn', milliseconds: expect.any(Number) })
  expect(line?.statement).toMatch(/^select .*\$1/)
  expect(JSON.stringify(lines().filter(({ event }) => event === 'slow statement'))).not.toContain('Nobody')
})
