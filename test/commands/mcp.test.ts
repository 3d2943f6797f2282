import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { issueCredential } from '../../src/access/credentials.ts'
import { aUser } from '../support/callers.ts'
import { freePort } from '../support/free-port.ts'
import { type ClientMode, calls, clientModes } from '../support/mcp.ts'
import { serviceProcesses } from '../support/service-process.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(120_000)

const main = join(import.meta.dir, '../../src/main.ts')
const port = String(freePort())
const { operator, withContext, serve, start } = await serviceProcesses({ PORT: port })
const aSession = () =>
  withContext(async (context) => {
    const owner = await aUser(context)
    return (await issueCredential(context.db, 'session', owner, context.config, context.clock.now())).secret
  })
const [key = '', passing] = [operator.Authorization.split(' ')[1], await aSession()]
let service = await serve()
const url = service.address

const stop = async (signal: 'SIGTERM' | 'SIGKILL') => {
  service.child.kill(signal)
  await service.child.exited
}

const bridges: Client[] = []
afterAll(async () => {
  for (const client of bridges) await client.close()
})

const connect = async (mode: ClientMode) => {
  const client = new Client({ name: 'a test', version: '1.0.0' }, clientModes[mode])
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [main, 'mcp', '--url', url, '--key', key] }),
  )
  bridges.push(client)
  return client
}

/** A bridge whose lines the test writes and reads itself. */
const openBridge = (secret = key) => {
  const child = Bun.spawn([process.execPath, main, 'mcp', '--url', url, '--key', secret], {
    ...{ stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' },
  })
  let out = ''
  const heard = (async () => {
    for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) out += piece
  })()
  const answers = (): Record<string, unknown>[] =>
    out.split('\n').flatMap((line) => (line ? [JSON.parse(line) as Record<string, unknown>] : []))
  const say = (message: unknown) => {
    child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
    child.stdin.flush()
  }
  const end = async () => {
    child.stdin.end()
    await heard
    return { code: await child.exited, err: await new Response(child.stderr).text() }
  }
  return { say, answers, end }
}

describe.each(Object.keys(clientModes) as ClientMode[])('a client %s over stdio', (mode) => {
  test('calls tools and reads resources of the service', async () => {
    const client = await connect(mode)
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'auto' ? '2026-07-28' : '2025-11-25')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('search_cards')
    const { structuredContent } = await client.callTool({ name: 'catalog_stats', arguments: {} })
    expect(structuredContent).toMatchObject({ cards: 0, sets: 0 })
    await expect(client.readResource({ uri: `cardstock://cards/${Bun.randomUUIDv7()}` })).rejects.toThrow(/not found/i)
  })

  test('is answered after the service was started again, in the same session', async () => {
    const client = await connect(mode)
    await client.callTool({ name: 'catalog_stats', arguments: {} })
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await stop(signal)
      const answer = client.callTool({ name: 'catalog_stats', arguments: {} })
      service = await serve()
      expect((await answer).structuredContent).toMatchObject({ cards: 0 })
    }
  })
})

test('standard output has the protocol and nothing else, one line for each request', async () => {
  const { say, answers, end } = openBridge()
  say(calls('catalog_stats', {}, 1))
  say('')
  say('no JSON')
  say({ jsonrpc: '2.0', method: 'notifications/initialized' })
  say([calls('catalog_stats', {}, 2), calls('nothing', {}, 3)])
  say({ jsonrpc: '2.0', id: 'four', params: 7, method: 'ping' })
  const { code, err } = await end()
  expect([code, err]).toEqual([0, ''])
  const ids = answers().map(({ id, error }) => [id, Boolean(error)])
  expect(ids.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
    ...[
      [1, false],
      [2, false],
      [3, true],
      ['four', true],
      [null, true],
    ].toSorted((a, b) => String(a).localeCompare(String(b))),
  ])
})

test('a request that was canceled is not answered', async () => {
  const { say, answers, end } = openBridge()
  say(calls('catalog_stats', {}, 1))
  await until(() => answers().length === 1)
  service.child.kill('SIGSTOP')
  say(calls('catalog_stats', {}, 2))
  say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } })
  service.child.kill('SIGCONT')
  say(calls('catalog_stats', {}, 3))
  expect((await end()).code).toBe(0)
  expect(answers().map(({ id }) => id)).toEqual([1, 3])
})

test('a credential that ends later is an answer in words', async () => {
  const { say, answers, end } = openBridge(passing)
  say(calls('catalog_stats', {}, 1))
  await until(() => answers().length === 1)
  await fetch(`${url}/v1/session`, { method: 'DELETE', headers: { Authorization: `Bearer ${passing}` } })
  say(calls('catalog_stats', {}, 2))
  await until(() => answers().length === 2)
  expect(answers()[1]).toEqual({
    ...{ jsonrpc: '2.0', id: 2 },
    error: { code: -32000, message: 'The token is invalid: it is unknown, expired or revoked.' },
  })
  expect((await end()).code).toBe(0)
})

test('a bad key, an address where nothing is, and wrong flags end it with a sentence and without output', async () => {
  const ended = async (...words: string[]) => {
    const bridge = start('mcp', ...words)
    const code = await bridge.ended()
    return [code, bridge.log().trim(), bridge.out()]
  }
  const see = ' See cardstock mcp --help.'
  expect(await ended('--url', url, '--key', 'nobody')).toEqual([
    ...[1, 'The token is invalid: it is unknown, expired or revoked.', ''],
  ])
  expect(await ended('--url', 'http://127.0.0.1:1', '--key', key)).toEqual([
    ...[1, expect.stringMatching(/^Nothing answers at http:\/\/127\.0\.0\.1:1: .+\.$/), ''],
  ])
  expect(await ended('--url', `${url}/docs`, '--key', key)).toEqual([
    ...[1, `There is no /mcp of Cardstock at ${url}/docs: it answered 404.`, ''],
  ])
  expect(await ended('--url', url)).toEqual([2, `--key is missing.${see}`, ''])
  expect(await ended('--url', url, '--key', 'two words')).toEqual([
    ...[2, `--key must be a key or a token of the service.${see}`, ''],
  ])
  expect(await ended('--url', '127.0.0.1', '--key', key)).toEqual([
    ...[2, `--url must be the address of the service, such as https://cards.example.org.${see}`, ''],
  ])
})
