import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Socket } from 'bun'
import { serviceProcesses } from '../support/service-process.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(240_000)

const limit = 128
// Stripe is asked beside /health: the process must live through an outgoing request, too.
const stripe = {
  ...{ STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x', STRIPE_API_BASE: 'http://127.0.0.1:1' },
  ...{ STRIPE_PRICE_STARTER: 'price_1', STRIPE_PRICE_PRO: 'price_2' },
}
const service = await serviceProcesses(stripe, ['prlimit', `--nofile=${limit}:${limit}`])
const isLimited = Boolean(Bun.which('prlimit'))
if (!isLimited) console.log('skipped: a process without free descriptors (needs prlimit)')

const idle: Socket[] = []
afterAll(() => {
  for (const socket of idle) socket.end()
})

/** Connections that ask nothing: more than the process may have. */
const takeAll = async (address: string) => {
  const { hostname, port } = new URL(address)
  for (let n = 0; n < 2 * limit; n++)
    idle.push(await Bun.connect({ hostname, port: Number(port), socket: { data: () => {} } }))
}

/** One connection that is asked again and again; where an answer ends it, or it is gone, nothing more comes. */
const keptConnection = async (address: string) => {
  const { hostname, port, host } = new URL(address)
  let heard = (_: string) => {}
  const socket = await Bun.connect({
    ...{ hostname, port: Number(port) },
    socket: { data: (_, piece) => heard(piece.toString()), close: () => heard('') },
  })
  const ask = (path: string) =>
    new Promise<string>((resolve) => {
      heard = resolve
      const authorization = `Authorization: ${service.operator.Authorization}`
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${authorization}\r\n\r\n`)
    })
  return { ask, end: () => socket.end() }
}

const isOwed = /^HTTP\/1\.1 (200|503)/

test.skipIf(!isLimited)(
  'no free file descriptors: no 500, 503 UNAVAILABLE, /health 503 with the check storage, and it recovers',
  async () => {
    const { address, log } = await service.serve()
    const asking = await Promise.all(Array.from({ length: 12 }, () => keptConnection(address)))
    for (const { ask } of asking) expect(await ask('/version')).toStartWith('HTTP/1.1 200')
    await takeAll(address)
    const watch = asking.pop() as (typeof asking)[number]
    let health = ''
    await until(async () => {
      health = await watch.ask('/health')
      return !health.startsWith('HTTP/1.1 200')
    })
    expect(health).toStartWith('HTTP/1.1 503')
    expect(health).toContain('"storage":"failed"')
    const answers = await Promise.all(asking.map(({ ask }) => ask('/v1/sets')))
    expect(answers.filter((answer) => !isOwed.test(answer))).toEqual([])
    for (const answer of answers.filter((one) => one.startsWith('HTTP/1.1 503'))) {
      expect(answer).toContain('"code":"UNAVAILABLE"')
      expect(answer).toMatch(/\r\nRetry-After: \d+\r\n/i)
    }
    for (const socket of idle.splice(0)) socket.end()
    await until(async () => (await fetch(`${address}/health`, { keepalive: false })).status === 200)
    const again = await fetch(`${address}/v1/sets`, { headers: service.operator })
    expect(again.status).toBe(200)
    expect(log()).not.toMatch(/"status":500/)
  },
)
