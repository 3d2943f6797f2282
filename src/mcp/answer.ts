import {
  classifyInboundRequest,
  createMcpHandler,
  isInitializeRequest,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import { readPresented, sessionCookie } from '../access/read-credential.ts'
import { windowHeaderValues } from '../access/window.ts'
import type { Context } from '../context.ts'
import type { Call, Reply } from '../http/route.ts'
import { ApiError, badRequest, tooManyRequests } from '../jsonapi/errors.ts'
import { isObject, readJson } from '../jsonapi/json.ts'
import { openExchange } from './exchange.ts'
import { serverOf } from './server.ts'

/** The most commas in a body, and the most messages in an array. The library refuses longer arrays. */
const [mostMembers, mostMessages] = [10_000, 100]

/** Answers the messages of a request, which the gate counted as one. A fault in one of them fails them all. */
export const answerMessages = async (context: Context, call: Call): Promise<Reply> => {
  const body = readJson(await call.body(), mostMembers)
  if (namesAtLength(body, call.request.headers)) throw tooLongName()
  const windowHeaders = await countFurther(context, call, messagesIn(body, call.request.headers) - 1)
  const exchange = openExchange(context, call)
  const handler = createMcpHandler(() => serverOf(context.config, exchange))
  const response = await handler.fetch(call.request, { parsedBody: body })
  // The library answers before a tool has run. This waits for the whole answer, since the turn ends with it.
  const text = await response.text()
  const fault = exchange.fault()
  if (fault) throw fault
  const mediaType = response.headers.get('content-type') ?? undefined
  return { status: response.status, body: text || undefined, mediaType, headers: windowHeaders }
}

/** Whether a message names something at a length that no answer should repeat (decisions.md §22): the library repeats names. */
const namesAtLength = (body: unknown, headers: Headers): boolean => {
  const names = [body].flat().flatMap((message) => {
    if (!isObject(message) || !isObject(message.params)) return []
    const { name, uri, _meta: meta } = message.params
    return [name, uri, isObject(meta) ? meta[PROTOCOL_VERSION_META_KEY] : undefined]
  })
  const sent = ['mcp-protocol-version', 'mcp-method', 'mcp-name'].map((name) => headers.get(name))
  return [...names, ...sent].some((name) => typeof name === 'string' && name.length > mostLetters)
}

const mostLetters = 200

const tooLongName = () =>
  badRequest(`A message names a tool, a resource or a revision with more than ${mostLetters} characters.`)

/** How many messages a body has. One that is refused as a whole counts as one (decisions.md §20). */
const messagesIn = (body: unknown, headers: Headers): number => {
  if (!Array.isArray(body) || body.length > mostMessages || body.some(isInitializeRequest)) return 1
  const revision = headers.get('mcp-protocol-version')
  if (revision !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(revision)) return 1
  return classifyInboundRequest({ httpMethod: 'POST', body }).kind === 'legacy' ? body.length : 1
}

/** Counts further messages on the caller's window, and returns the headers that say what is left. 429 if they don't fit. */
const countFurther = async (
  { config, tokens, gate }: Context,
  { request, caller, now }: Call,
  further: number,
): Promise<Record<string, string>> => {
  if (further === 0) return {}
  const presented = await readPresented(request.headers, tokens, sessionCookie(config.brand, config.baseUrl), now)
  const { window } = await gate.admit(presented, caller.address, further)
  const headers = Object.fromEntries(windowHeaderValues(window))
  if (window.isOpen) return headers
  const refusal = tooManyRequests(window.waitSeconds)
  throw new ApiError(refusal.status, refusal.errors, { ...refusal.headers, ...headers })
}
