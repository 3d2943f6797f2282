import type { TSchema } from '@sinclair/typebox'
import type { Caller } from '../access/caller.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import type { ApiError } from '../jsonapi/errors.ts'
import { jsonApi } from '../jsonapi/negotiate.ts'
import type { Allowance } from '../limits.ts'

/** A query parameter, for the readers and the OpenAPI document. */
export type Parameter = { schema: TSchema; description: string; deprecated?: true; required?: true; example?: unknown }

/**
 * A request body: its schema for the OpenAPI document, and the media types it accepts. `schemas` has the schemas of media
 * types with a different body. `maxBytes` replaces MAX_BODY_BYTES.
 */
export type Body = {
  schema: TSchema
  schemas?: Record<string, TSchema>
  /** JSON:API's by default; plain JSON, too, if the route is flat. */
  mediaTypes?: string[]
  required?: boolean
  /** Accepts any other media type, too: something else says what the body is. */
  anyMediaType?: true
  /** The room reads the body as it comes (`call.stream`), however long it is. */
  isStreamed?: true
  example?: unknown
  maxBytes?: (config: Config) => number
}

/** An answer, in the route's media type by default; `others` are its further media types, each with its schema. */
export type Answer = {
  description: string
  schema?: TSchema
  mediaType?: string
  others?: Record<string, { schema: TSchema; example?: unknown }>
  headers?: Record<string, string>
  example?: unknown
}

/**
 * A route as data: Elysia's routing, the order of refusal, the 405 table and the OpenAPI document are made from these.
 * `access`: `public` needs no credential, `catalog` any credential of an active subscription, `session` a signed-in person,
 * `account` such a person or their subscriber key, `internal` the scope of that name.
 */
export type Route = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  operationId: string
  summary: string
  description?: string
  tag: string
  access: 'public' | 'catalog' | 'session' | 'account' | 'internal'
  /** `read` means any of the scopes that read, `change` either `write` or `delete`. */
  scope?: 'read' | 'read:all-status' | 'write' | 'delete' | 'change' | 'internal'
  /** An operators' route that needs the scope `write` as well (decisions.md §13). */
  needsWrite?: true
  /** An operators' route that writes the catalog; writes of `catalog` routes do so anyway. */
  writesCatalog?: true
  /** The answer is flat JSON (decisions.md §3), also for an Accept without JSON:API. */
  flat?: true
  /**
   * A window per user for this route alone, instead of the credential's. Callers that the route refuses count as anywhere
   * under /v1.
   */
  ownWindow?: Allowance & { name: string }
  /** The extension of JSON:API that the body and the answer must apply. */
  extension?: string
  /** The query parameters; the route refuses unknown ones itself. Without this, every parameter is refused. */
  query?: Record<string, Parameter>
  /** A page, which takes any query: links that people follow carry parameters of others. */
  takesAnyQuery?: true
  /** The path's parameters; one that is not here is a UUID. */
  params?: Record<string, Parameter>
  /** Whether the header that asks for drafts (decisions.md §5) counts here. */
  heedsIgnoreStatus?: true
  /** The header of a conditional request that counts here (decisions.md §9). */
  precondition?: 'If-Match' | 'If-None-Match'
  body?: Body
  answers: Record<number, Answer>
  /** Error statuses beyond those that follow from access, scope and body. */
  refusals?: number[]
  deprecated?: true
  /** Whether a request is a long poll: it takes a place among those, and has only its own deadline. */
  waitsForNews?: (url: URL) => boolean
  /** Answered at once, without taking a turn. */
  isVital?: true
  /** Writes a refusal, if not as JSON:API's error document. */
  renderError?: (error: ApiError) => Reply
  /** The schema of what `renderError` writes. */
  errorSchema?: TSchema
  handle: (context: Context, call: Call) => Promise<Reply> | Reply
}

/** What all routes for operators have in common (interface.md, Internal endpoints). */
export const forOperators = {
  tag: 'Operators',
  access: 'internal',
  scope: 'internal',
} as const satisfies Partial<Route>

/** The media type of a route's answers, unless they name another. */
export const mediaTypeOf = ({ flat }: Pick<Route, 'flat'>) => (flat ? 'application/json' : jsonApi)

/** The media types that a route takes a body in. */
export const bodyTypesOf = ({ flat, body }: Pick<Route, 'flat' | 'body'>): string[] =>
  body?.mediaTypes ?? (flat ? ['application/json', jsonApi] : [jsonApi])

/** A request as a room gets it, after all refusals that need no room. */
export type Call = {
  request: Request
  url: URL
  params: Record<string, string>
  caller: Caller
  /** Equal for two requests if nothing was written to the catalog between them; undefined if that is not known. */
  catalogState?: string
  requestId: string
  now: Date
  /** The body, read once and limited; 413 above the limit. */
  body: () => Promise<Uint8Array>
  /** The body as it comes, instead of `body`; throws 413 above the limit, and 400 if it breaks off. */
  stream: () => AsyncIterable<Uint8Array>
}

/** An answer, in the route's media type by default. An object is written as JSON. */
export type Reply = {
  status: number
  body?: object | string | Blob | ReadableStream
  mediaType?: string
  headers?: Record<string, string>
}

/** Whether requests to a path count on a rate window: all under /v1, /v2 and /internal (decisions.md §3). */
export const isCounted = (path: string) => /^\/(v1|v2|internal)(\/|$)/.test(path)

/** Whether a route writes the catalog, which a mirror refuses (decisions.md §9). */
export const writesCatalog = ({ access, scope, writesCatalog: does }: Route) =>
  does === true || (access === 'catalog' && (scope === 'write' || scope === 'delete' || scope === 'change'))
