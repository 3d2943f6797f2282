import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { makeApp } from '../../src/app.ts'
import type { Context } from '../../src/context.ts'
import { endsFirst } from './ending.ts'

/** How the official client is made: as it comes it speaks the older revision, with `auto` the newer one. */
export const clientModes = {
  'as it comes': {},
  auto: { versionNegotiation: { mode: 'auto' } },
} as const

export type ClientMode = keyof typeof clientModes

/** The service of a test at a port of its own, with official clients of it. They end before the test's service does. */
export const mcpService = (context: Context) => {
  const listening = makeApp(context).listen({ hostname: '127.0.0.1', port: 0 })
  const address = `http://127.0.0.1:${listening.server?.port}/mcp`
  endsFirst(() => listening.stop(true))
  const connect = async (headers: Record<string, string>, mode: ClientMode = 'auto') => {
    const client = new Client({ name: 'a test', version: '1.0.0' }, clientModes[mode])
    await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }))
    endsFirst(() => client.close())
    return client
  }
  /** Sends a body as it is. */
  const post = (headers: Record<string, string>, body: unknown, more: Record<string, string> = {}) =>
    fetch(address, {
      method: 'POST',
      headers: { ...usualHeaders, ...headers, ...more },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  return { address, connect, post }
}

/** The headers that every message needs. */
export const usualHeaders = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }

/** A message that calls a tool. */
export const calls = (name: string, given: object = {}, id = 1) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name, arguments: given },
})

/** The messages in an answer of the older revision. */
export const messagesIn = async (response: Response): Promise<Record<string, unknown>[]> =>
  [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))

const current = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'a test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** A request of the revision of 2026-07-28 as it is sent, with the headers that it wants. */
export const currentMessage = (method: string, params: { name?: string } = {}) => ({
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: current } }),
  headers: {
    ...usualHeaders,
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    ...(params.name === undefined ? {} : { 'Mcp-Name': params.name }),
  },
})
