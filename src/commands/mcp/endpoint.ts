import { isObject } from '../../jsonapi/json.ts'

/** A message of JSON-RPC, as it came. */
export type Message = Record<string, unknown>

/** What a service answered: messages, or what refused the request, in words. */
export type Answer = { messages: Message[]; refusal?: undefined } | { messages?: undefined; refusal: string }

/** A service's `/mcp`, asked with one credential. */
export type Endpoint = {
  /**
   * Sends a message or an array of them. While nothing answers, as when the service restarts, it is sent again for `patience`
   * milliseconds: messages only read.
   */
  send: (body: unknown, patience: number, signal?: AbortSignal) => Promise<Answer>
}

const pauseMilliseconds = 250
/** A service answers reads within 8 seconds. */
const deadlineMilliseconds = 20_000

/** Opens the endpoint of the service at an address. */
export const openEndpoint = (url: string, key: string): Endpoint => ({
  send: async (body, patience, signal = new AbortController().signal) => {
    const request = {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        ...headersOf(body),
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      // A credential must never follow a redirect.
      redirect: 'manual',
    } as const
    const ask = async () => {
      const response = await fetch(`${url}/mcp`, {
        ...request,
        signal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMilliseconds)]),
      })
      return { response, text: await response.text() }
    }
    const givesUpAt = performance.now() + patience
    for (;;) {
      const answered = await ask().catch((error: Error & { code?: unknown }) => error)
      if (!(answered instanceof Error) && !isOfProxy(answered.response)) return readAnswer(url, answered)
      if (signal.aborted || performance.now() > givesUpAt) return { refusal: away(url, answered) }
      await Bun.sleep(pauseMilliseconds)
    }
  },
})

type Answered = { response: Response; text: string }

const away = (url: string, answered: Answered | (Error & { code?: unknown })) => {
  if (!(answered instanceof Error)) return `${url} answered ${answered.response.status}.`
  return `Nothing answers at ${url}: ${typeof answered.code === 'string' ? answered.code : answered.message}.`
}

/** Whether a proxy says that it doesn't reach the service. What the service says is JSON. */
const isOfProxy = ({ status, headers }: Response) =>
  [502, 503, 504].includes(status) && !(headers.get('content-type') ?? '').includes('json')

const readAnswer = (url: string, { response: { status, headers }, text }: Answered): Answer => {
  const type = headers.get('content-type') ?? ''
  const texts = type.startsWith('text/event-stream')
    ? [...text.matchAll(/^data: ?(.*)$/gm)].map(([, data = '']) => data)
    : [text]
  const read = texts.filter(Boolean).map(parse)
  const messages = read.flat().filter((one): one is Message => isObject(one) && one.jsonrpc === '2.0')
  if (messages.length > 0 || (status === 202 && text === '')) return { messages }
  const detail = status === 404 || status === 405 ? undefined : detailIn(read[0])
  return { refusal: detail ?? `There is no /mcp of Cardstock at ${url}: it answered ${status}.` }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The sentence of an error document. */
const detailIn = (document: unknown): string | undefined => {
  const [error] = isObject(document) && Array.isArray(document.errors) ? document.errors : []
  const said = isObject(error) ? (error.detail ?? error.title) : undefined
  return typeof said === 'string' ? said : undefined
}

const revisionKey = 'io.modelcontextprotocol/protocolVersion'

/** Where a request names what it is about, by method. */
const nameMembers: Record<string, string> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' }

/** The headers that a message of the revision of 2026-07-28 or later repeats itself in. Earlier ones need none. */
const headersOf = (body: unknown): Record<string, string> => {
  if (!isObject(body) || !isObject(body.params)) return {}
  const { method, params } = body
  const meta = isObject(params) ? params._meta : undefined
  const revision = isObject(meta) ? meta[revisionKey] : undefined
  if (typeof revision !== 'string' || typeof method !== 'string' || !isObject(params)) return {}
  const name = params[nameMembers[method] ?? '']
  return {
    'MCP-Protocol-Version': inHeader(revision),
    'Mcp-Method': inHeader(method),
    ...(typeof name === 'string' ? { 'Mcp-Name': inHeader(name) } : {}),
  }
}

/** A text as the protocol writes it into a header: as it is if that is safe, otherwise encoded. */
const inHeader = (text: string) =>
  /^[\x21-\x7e]+$/.test(text) && !text.startsWith('=?') ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
