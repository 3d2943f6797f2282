import type { TSchema } from '@sinclair/typebox'
import type { Caller } from '../access/caller.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import type { ApiError } from '../jsonapi/errors.ts'
import type { Allowance } from '../limits.ts'

/** A query parameter, as readers and the OpenAPI document know it. */
export type Parameter = { schema: TSchema; description: string; deprecated?: true; required?: true; example?: unknown }

/**
 * A request body: its schema for the OpenAPI document, and the media types that are taken. `schemas` has those of media
 * types whose body is of another form. `maxBytes` stands in the place of MAX_BODY_BYTES.
 */
export type Body = {
  schema: TSchema
  schemas?: Record<string, TSchema>
  mediaTypes: string[]
  required?: boolean
  /** Whether other media types are read too: then something else than its type says what a body is. */
  anyMediaType?: true
  /** Whether the room takes the body as it comes (`call.stream`), however long it is. */
  isStreamed?: true
  example?: unknown
  maxBytes?: (config: Config) => number
}

/** An answer; `others` are further media types that it may have, with what is of that form. */
export type Answer = {
  description: string
  schema?: TSchema
  mediaType?: string
  others?: Record<string, { schema: TSchema; example?: unknown }>
  headers?: Record<string, string>
  example?: unknown
}

/**
 * A route as data. Elysia's routing, the order of refusal, the 405 table and the OpenAPI document are all made from these.
 * `access`: `public` needs no credential; `catalog` any credential of an active subscription; `session` a person who
 * signed in; `account` such a person or their subscriber key; `internal` the scope of the same name.
 */
export type Route = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  operationId: string
  summary: string
  description?: string
  tag: string
  access: 'public' | 'catalog' | 'session' | 'account' | 'internal'
  /** `change` stands for either of `write` and `delete`. */
  scope?: 'read' | 'write' | 'delete' | 'change' | 'internal'
  /** Whether an operator's route writes the catalog, as every write of a route for the catalog does. */
  writesCatalog?: true
  /** Whether the answer is flat JSON (decisions.md §3): then an Accept without JSON:API is served too. */
  flat?: true
  /**
   * A window of the route's own, per user, on which those whom it serves count in the place of their credential's. Whom it
   * refuses counts as anywhere under /v1.
   */
  ownWindow?: Allowance & { name: string }
  /** The extension of JSON:API that the body and the answer must apply. */
  extension?: string
  /** What the route reads of the query, and refuses itself what is unknown there; without it every parameter is refused. */
  query?: Record<string, Parameter>
  /** What the document says of a parameter of the path; one that is not here is a UUID. */
  params?: Record<string, Parameter>
  /** Whether the header that asks for drafts (decisions.md §5) is heeded. */
  heedsIgnoreStatus?: true
  /** The header of a conditional request that is heeded (decisions.md §9). */
  precondition?: 'If-Match' | 'If-None-Match'
  body?: Body
  answers: Record<number, Answer>
  /** Error statuses beyond those that follow from access, scope and body. */
  refusals?: number[]
  deprecated?: true
  /** Whether a request of it waits until something happens: then it has a place among such, and no deadline but its own. */
  waitsForNews?: (url: URL) => boolean
  /** Whether it is answered without taking a turn, whatever else its caller asks. */
  isVital?: true
  /** How a refusal on the way to the room is written, where that is not JSON:API's error document. */
  renderError?: (error: ApiError) => Reply
  /** The schema of what `renderError` writes. */
  errorSchema?: TSchema
  handle: (context: Context, call: Call) => Promise<Reply> | Reply
}

/** What all routes of operators have in common (interface.md, Internal endpoints). */
export const forOperators = {
  tag: 'Operators',
  access: 'internal',
  scope: 'internal',
} as const satisfies Partial<Route>

/** A request as a room sees it, when all refusals that need no room are behind it. */
export type Call = {
  request: Request
  url: URL
  params: Record<string, string>
  caller: Caller
  /** The same at two requests between which nothing was written to the catalog; undefined where that is not known. */
  catalogState?: string
  requestId: string
  now: Date
  /** The body, read once and limited; 413 above the limit. */
  body: () => Promise<Uint8Array>
  /** The same as it comes, in the place of `body`; throws 413 above the limit, and 400 where it breaks off. */
  stream: () => AsyncIterable<Uint8Array>
}

/** An answer. An object is written as JSON, as JSON:API unless `mediaType` says otherwise. */
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
