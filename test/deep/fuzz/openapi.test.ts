import { expect, test } from 'bun:test'
import { startServer } from '../../../src/server.ts'
import { testApp } from '../../support/app.ts'
import { type CallerName, makeCallers } from '../../support/callers.ts'
import { type Random, randomOf } from '../../support/random.ts'
import { aWorld } from '../../support/worlds.ts'
import { type Operation, readOpenApi } from './document.ts'
import { judgeOf } from './judge.ts'
import { knowing } from './known.ts'
import { type Made, requestOf } from './request.ts'
import type { Mood } from './values.ts'

const seed = Number(process.env.FUZZ_SEED ?? crypto.getRandomValues(new Uint32Array(1))[0])
const requests = Number(process.env.FUZZ_REQUESTS ?? 20_000)
const perRound = 500
const atOnce = 4

const plenty = Object.fromEntries(
  ['SIGNUP_PER_HOUR', 'VERIFY_PER_HOUR', 'RESEND_PER_HOUR', 'FORGOT_PER_HOUR', 'SESSION_PER_15_MINUTES'].map((name) => [
    `LIMIT_${name}`,
    '1000000',
  ]),
)
const metricsToken = 'deep-metrics-token'
const app = await testApp({
  environment: { HOST: '127.0.0.1', PORT: '0', METRICS_TOKEN: metricsToken, BATCH_INLINE_MAX: '1', ...plenty },
})
const { context } = app

const moods: Mood[] = ['right', 'right', 'nearly', 'nearly', 'wild']

/** How often an operation is asked for: seldom where it is slow, takes away what the others need, or holds a password. */
const weightOf = ({ method, path }: Operation) => {
  if (/password|^\/v1\/(signup|session|me)|imports|^\/docs|openapi|api-key/.test(path)) return 0.15
  return method === 'DELETE' ? 0.3 : 1
}

/** What no answer tells, and some bodies need. */
const facts = [
  ...[
    ['scope', 'read:published'],
    ['scope', 'read:published read:draft'],
    ['grant_type', 'client_credentials'],
  ],
  ...[
    ['email', 'deep@example.org'],
    ['password', 'a long password'],
  ],
] as const

/** Who asks: mostly somebody whom the operation may serve, but never an operator for what ends a session or an account. */
const callerFor = (random: Random, { path, method, security }: Operation, names: CallerName[]): CallerName => {
  if (random.isTrue(0.15)) return random.pick(names.filter((name) => name !== 'operator' || method === 'GET'))
  if (security.length === 0) return 'anonymous'
  if (/^\/(v1\/(me|session|user)|user|oauth)/.test(path)) return 'visitor'
  if (path.startsWith('/internal/users/') && method !== 'GET') return 'machine'
  return random.pick(['operator', 'operator', 'internalMachine', 'machine', 'writer', 'reader', 'draftReader'] as const)
}

test(
  'whatever is asked, the answer is one that the OpenAPI document describes',
  async () => {
    console.log(`FUZZ_SEED=${seed}`)
    const server = await startServer(context)
    try {
      const faults = await fuzz(server.address)
      for (const [fault, { count, number, made }] of faults)
        console.log(`${count}x, first by request ${number} of FUZZ_SEED=${seed}: ${fault}\n  ${shown(made)}`)
      expect([...faults.keys()]).toEqual([])
    } finally {
      await server.stop()
    }
  },
  15 * 60_000,
)

type Faults = Map<string, { count: number; number: number; made: Made }>

const fuzz = async (address: string): Promise<Faults> => {
  const api = readOpenApi(await (await fetch(`${address}/openapi.json`)).json())
  const judge = judgeOf(api)
  const known = knowing(app.baseUrl)
  for (const [kind, value] of facts) known.keep(kind, value)
  const pool = api.operations.flatMap((one) => Array.from({ length: Math.ceil(weightOf(one) * 20) }, () => one))
  const faults: Faults = new Map()
  const statuses: Record<string, number> = {}
  const unserved = new Set(api.operations.map(({ operationId }) => operationId))

  const askOnce = async (made: Made) => {
    const { path, ...sent } = made
    const answer = await fetch(`${address}${path}`, { ...sent, redirect: 'manual' })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  // A busy machine may refuse for a moment (503 with Retry-After), and says so; who asks again is served.
  const askPatiently = async (made: Made) => {
    for (let left = 5; ; left--) {
      const got = await askOnce(made)
      if (got.status !== 503 || !got.headers.has('retry-after') || left === 0) return got
    }
  }
  const ask = async (number: number, callers: Awaited<ReturnType<typeof makeCallers>>) => {
    const random = randomOf(Bun.hash.crc32(`${seed} ${number}`))
    const operation = random.pick(pool)
    const caller = callerFor(random, operation, Object.keys(callers) as CallerName[])
    const own = operation.path === '/metrics' ? { Authorization: `Bearer ${metricsToken}` } : callers[caller]
    const made = requestOf({ api, known, random, mood: random.pick(moods) }, operation, own)
    const got = await askPatiently(made)
    known.learn(got.text, got.headers)
    if (got.status < 300) unserved.delete(operation.operationId)
    const kind = `${String(got.status)[0]}xx`
    statuses[kind] = (statuses[kind] ?? 0) + 1
    for (const fault of judge(operation, made, got)) {
      const key = `${operation.method} ${operation.path}: ${fault}`
      const met = faults.get(key)
      faults.set(key, met ? { ...met, count: met.count + 1 } : { count: 1, number, made })
    }
  }

  for (let first = 0; first < requests; first += perRound) {
    for (const status of ['draft', 'published'] as const) {
      const world = await aWorld(app, status)
      for (const one of Object.values(world)) known.learn(JSON.stringify(one))
    }
    const callers = await makeCallers(context)
    let next = first
    const last = Math.min(first + perRound, requests)
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (next < last) await ask(next++, callers)
      }),
    )
  }
  console.log(`${requests} requests: ${JSON.stringify(statuses)}; never served: ${[...unserved].join(', ')}`)
  return faults
}

const shown = ({ method, path, headers, body }: Made) =>
  `${method} ${path.slice(0, 600)} ${JSON.stringify(headers).slice(0, 1000)} ${typeof body === 'string' ? body.slice(0, 800) : ''}`
