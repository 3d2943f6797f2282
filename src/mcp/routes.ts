import { Type } from '@sinclair/typebox'
import type { Answer, Route } from '../http/route.ts'
import { errorDocument } from '../jsonapi/error-schema.ts'
import { jsonApi } from '../jsonapi/negotiate.ts'

/** A message of JSON-RPC 2.0. */
const message = () =>
  Type.Object(
    {
      jsonrpc: Type.Literal('2.0'),
      id: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Null()])),
      method: Type.Optional(Type.String()),
      params: Type.Optional(Type.Unknown()),
      result: Type.Optional(Type.Unknown()),
      error: Type.Optional(Type.Unknown()),
    },
    { $id: 'McpMessage' },
  )

const example = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'search_cards', arguments: { query: 'jordan 1986 is:rookie' } },
}

/** What the protocol refuses is a message, in the revision of the request. */
const refused = { 'application/json': { schema: message() } }

const badBody: Answer = {
  description: 'The body can’t be read, or the protocol refuses it. An array that is refused counts as one message.',
  schema: errorDocument(),
  mediaType: jsonApi,
  others: refused,
}

const noMethod: Answer = { description: 'The protocol has no such method.', others: refused }

/** The Model Context Protocol: the catalog for assistants. */
export const mcpRoutes: Route[] = [
  {
    method: 'POST',
    path: '/mcp',
    operationId: 'mcp',
    summary: 'Ask as an assistant does (MCP)',
    description:
      'The Model Context Protocol over Streamable HTTP, in the revisions up to 2025-11-25 and in that of 2026-07-28: tools and resources that read the catalog. `Accept` must name both media types. Each message counts once, each of an array, too. There are no sessions: GET and DELETE return 405.',
    tag: 'Search',
    access: 'catalog',
    scope: 'read',
    readsCatalog: true,
    counts: true,
    acceptsAll: ['application/json', 'text/event-stream'],
    body: {
      schema: Type.Union([message(), Type.Array(message(), { minItems: 1, maxItems: 100 })]),
      mediaTypes: ['application/json'],
      maxBytes: ({ maxBodyBytes }) => Math.min(mostBytes, maxBodyBytes),
      example,
    },
    answers: {
      200: {
        description: 'The answers of the messages, as JSON or as events, which the revision decides.',
        mediaType: 'application/json',
        schema: Type.Union([message(), Type.Array(message())]),
        example: { jsonrpc: '2.0', id: 1, result: { content: [], structuredContent: {} } },
        others: { 'text/event-stream': { schema: Type.String() } },
      },
      202: { description: 'Notifications were taken. There is no body.' },
      400: badBody,
      404: noMethod,
    },
    // Loaded with the first request: the library takes 20 MB and a tenth of a second.
    handle: async (context, call) => (await import('./answer.ts')).answerMessages(context, call),
  },
]

const mostBytes = 1024 * 1024
