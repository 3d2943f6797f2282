import { expect, setDefaultTimeout, test } from 'bun:test'
import { keepAsking } from '../support/keep-alive.ts'
import { serviceProcesses } from '../support/service-process.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(120_000)

const delayMilliseconds = 5000
const service = await serviceProcesses({ SHUTDOWN_DELAY_MS: String(delayMilliseconds) })

test('on SIGTERM, for SHUTDOWN_DELAY_MS, /health answers 503 and answers carry Connection: close while all is served', async () => {
  const { child, log, address } = await service.serve()
  expect((await fetch(`${address}/v1/genres`)).headers.get('connection')).not.toBe('close')
  child.kill('SIGTERM')
  await until(() => log().includes('"event":"stopping"'))
  const told = performance.now()
  const health = await fetch(`${address}/health`)
  expect([health.status, await health.json()]).toMatchObject([503, { status: 'failed', stopping: true }])
  for (const [path, status] of [
    ['/v1/genres', 200],
    ['/v2/genres', 200],
    ['/nowhere', 404],
    ['/docs', 200],
  ] as const) {
    const answer = await fetch(`${address}${path}`, { headers: service.operator })
    expect([path, answer.status, answer.headers.get('connection')]).toEqual([path, status, 'close'])
  }
  expect(await child.exited).toBe(0)
  expect(performance.now() - told).toBeGreaterThan(delayMilliseconds - 500)
})

test('a client that keeps its connections and honors Connection: close loses no request through SIGTERM', async () => {
  const { child, address } = await service.serve()
  const warm = Promise.withResolvers<void>()
  let asked = 0
  const count = () => {
    asked++
    if (asked === 200) warm.resolve()
  }
  const clients = Array.from({ length: 16 }, () => keepAsking(address, '/version', count))
  await warm.promise
  child.kill('SIGTERM')
  const ends = await Promise.all(clients)
  expect(ends.map(({ end }) => end)).toEqual(ends.map(() => 'told to close'))
  expect(new Set(ends.flatMap(({ statuses }) => [...statuses]))).toEqual(new Set(['200']))
  expect(await child.exited).toBe(0)
})
