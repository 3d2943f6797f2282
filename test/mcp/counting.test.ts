import { describe, expect, test } from 'bun:test'
import { issueKey } from '../../src/access/credentials.ts'
import { testApp } from '../support/app.ts'
import { aUser } from '../support/callers.ts'
import { factories } from '../support/factories.ts'
import { type ClientMode, calls, clientModes, mcpService, messagesIn } from '../support/mcp.ts'

const app = await testApp()
const { context } = app
const { address, connect, post } = mcpService(context)
const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` })
const aKey = async () => {
  const owner = await aUser(context)
  return bearer((await issueKey(context.db, owner, context.config, context.clock.now(), 'pro')).secret)
}

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const notice = { jsonrpc: '2.0', method: 'notifications/initialized' }
const hello = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a test', version: '1.0.0' } },
}
const current = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
const stats = (id: number) => calls('catalog_stats', {}, id)
const remaining = ({ headers }: Response) => Number(headers.get('x-ratelimit-remaining'))

/** How many requests some work takes from a key's window. */
const spentBy = async (key: Record<string, string>, work: () => Promise<unknown>) => {
  const before = remaining(await post(key, ping))
  await work()
  return before - remaining(await post(key, ping)) - 1
}

const key = await aKey()

describe('each message counts once', () => {
  test('requests and notifications', async () => {
    expect(await spentBy(key, () => post(key, stats(1)))).toBe(1)
    expect(await spentBy(key, () => post(key, hello))).toBe(1)
    expect(await spentBy(key, async () => expect((await post(key, notice)).status).toBe(202))).toBe(1)
  })

  test('each of an array, whose answer says what is left after all of them', async () => {
    const before = remaining(await post(key, ping))
    const answer = await post(key, [stats(1), notice, stats(2)])
    expect([answer.status, remaining(answer)]).toEqual([200, before - 3])
    expect((await messagesIn(answer)).map(({ id }) => id)).toEqual([1, 2])
    expect(await spentBy(key, async () => expect((await post(key, [notice, notice])).status).toBe(202))).toBe(2)
  })

  test('an array that is refused counts as one', async () => {
    const refused: [unknown, Record<string, string>][] = [
      [[], {}],
      [[stats(1), { jsonrpc: '2.0' }], {}],
      [[hello, ping], {}],
      [[stats(1), { ...ping, params: { _meta: current } }], {}],
      [Array.from({ length: 101 }, (_, id) => stats(id)), {}],
      [[stats(1), stats(2)], { 'MCP-Protocol-Version': '2026-07-28' }],
      [[stats(1), stats(2)], { 'MCP-Protocol-Version': '1999-01-01' }],
      [[stats(1), calls('x'.repeat(201))], {}],
    ]
    for (const [body, headers] of refused)
      expect(await spentBy(key, async () => expect((await post(key, body, headers)).status).toBe(400))).toBe(1)
  })

  test('a GET or DELETE, which is 405, counts nothing', async () => {
    const spent = await spentBy(key, async () => {
      for (const method of ['GET', 'DELETE', 'HEAD', 'PUT']) {
        const { status, headers } = await fetch(address, { method, headers: { ...key, Accept: 'text/event-stream' } })
        expect([status, headers.get('allow'), headers.has('x-ratelimit-limit')]).toEqual([405, 'POST, OPTIONS', false])
      }
    })
    expect(spent).toBe(0)
  })

  test.each([
    ['as it comes', 3],
    ['auto', 2],
  ] as const)('a client %s takes %i for its first call', async (mode, spent) => {
    const call = async () => (await connect(key, mode)).callTool({ name: 'catalog_stats', arguments: {} })
    expect(await spentBy(key, call)).toBe(spent)
  })
})

describe('what is refused before it is read', () => {
  const status = async (headers: Record<string, string>, more: Record<string, string> = {}, body: unknown = ping) =>
    (await post(headers, body, more)).status

  test('an Accept without both media types is 406, and counts nothing on the credential', async () => {
    const spent = await spentBy(key, async () => {
      for (const accept of ['*/*', 'application/json', 'text/event-stream', 'text/html']) {
        const answer = await post(key, ping, { Accept: accept })
        const { errors } = (await answer.json()) as { errors: { detail: string }[] }
        expect([answer.status, errors[0]?.detail, answer.headers.has('x-ratelimit-limit')]).toEqual([
          ...[406, 'Send the header Accept: application/json, text/event-stream', false],
        ])
      }
    })
    expect(spent).toBe(0)
  })

  test('a credential that is unknown is 401, and counts on its address, whatever its Accept', async () => {
    const from = { 'X-Forwarded-For': '203.0.113.70' }
    const [unknown, other] = [bearer('cardstock_live_nobody'), { Accept: '*/*' }]
    const first = await post(unknown, ping, from)
    expect([first.status, first.headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"'])
    const second = await post(unknown, ping, { ...from, ...other })
    expect([second.status, remaining(second)]).toEqual([401, remaining(first) - 1])
    for (let left = remaining(second); left > 0; left--) await post({}, ping, from)
    expect(await status(unknown, { ...from, ...other })).toBe(429)
  })

  test('an account without a plan is 402, and a token that may not read 403', async () => {
    expect(await spentBy(app.headers.unpaid, () => status(app.headers.unpaid))).toBe(1)
    expect(await status(app.headers.unpaid)).toBe(402)
    expect(await status(app.headers.blindWriter)).toBe(403)
  })

  test('a body that is too long is 413, of another type 415, and no JSON 400, and each counts as one', async () => {
    const long = calls('search_cards', { query: 'x'.repeat(1024 * 1024) })
    expect(await spentBy(key, async () => expect(await status(key, {}, long)).toBe(413))).toBe(1)
    expect(await spentBy(key, async () => expect(await status(key, { 'Content-Type': 'text/plain' })).toBe(415))).toBe(
      1,
    )
    expect(await spentBy(key, async () => expect(await status(key, {}, '{')).toBe(400))).toBe(1)
  })

  test('a browser may send the headers of the protocol', async () => {
    const wanted = 'authorization,content-type,mcp-method,mcp-name,mcp-protocol-version,mcp-session-id'
    const { status, headers } = await fetch(address, {
      method: 'OPTIONS',
      headers: { Origin: 'https://example.org', 'Access-Control-Request-Headers': wanted },
    })
    expect([status, headers.get('access-control-allow-headers')]).toEqual([204, wanted])
  })
})

describe('a window that is used up', () => {
  const limited = async (limit: number) => {
    const own = await aKey()
    const [secret = ''] = own.Authorization.split(' ').slice(1)
    const hash = new Bun.CryptoHasher('sha256').update(secret).digest('hex')
    await context.db.sql`update credentials set plan_limit = ${limit} where secret_hash = decode(${hash}, 'hex')`
    return own
  }

  test('an array that does not fit is 429, and nothing of it is done', async () => {
    const own = await limited(3)
    const answer = await post(own, [stats(1), stats(2), stats(3), stats(4)])
    const { errors } = (await answer.json()) as { errors: { code: string }[] }
    expect([answer.status, errors[0]?.code, remaining(answer)]).toEqual([429, 'TOO-MANY-REQUESTS', 0])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test.each(Object.keys(clientModes) as ClientMode[])('a client %s shows the sentence', async (mode) => {
    const own = await limited(mode === 'auto' ? 1 : 2)
    const client = await connect(own, mode)
    await expect(client.callTool({ name: 'catalog_stats', arguments: {} })).rejects.toThrow(/Try again in \d+ seconds/)
    await expect(connect(app.headers.unpaid, mode)).rejects.toThrow(/subscription/i)
    await expect(connect(app.headers.revoked, mode)).rejects.toThrow(
      mode === 'auto' ? /HTTP 401/ : /The token is invalid/,
    )
  })
})

test('a fault of the service fails the request, and says nothing of what is inside', async () => {
  const { sql } = context.db
  await sql`alter table redirects rename to redirects_away`
  const answer = await post(key, [stats(1), calls('get_card', { id: Bun.randomUUIDv7() }, 2)])
  await sql`alter table redirects_away rename to redirects`
  const said = await answer.text()
  expect([answer.status, said.includes('INTERNAL_ERROR'), said.includes('redirects')]).toEqual([500, true, false])
  const faults = app.lines.filter(({ level }) => level === 'error')
  expect(faults.length).toBe(1)
  app.lines.splice(app.lines.indexOf(faults[0] as (typeof faults)[0]), 1)
})

test('answers end at 16 MiB: what would be above is refused in words', async () => {
  const make = factories(app)
  const set = await make.set({ status: 'published' })
  const teams = []
  for (let n = 0; n < 40; n++) teams.push(await make.team({ name: `${n} `.padEnd(255, '€') }))
  for (let n = 0; n < 25; n++) await make.card({ set, number: String(n), oncard: teams })
  const pages = [1, 2, 3, 4, 5].map((id) => calls('list_set_cards', { id: set.id }, id))
  const answer = await post(key, pages)
  const answers = await messagesIn(answer)
  const size = JSON.stringify(answers).length
  expect([answers.length, size < 17_000_000]).toEqual([5, true])
  const refused = answers.map(({ result }) => result as { isError?: true; content: { text: string }[] })
  expect(refused.map(({ isError = false }) => isError)).toEqual([false, false, false, true, true])
  expect(refused[4]?.content[0]?.text).toContain('more than 16 MiB')
})
