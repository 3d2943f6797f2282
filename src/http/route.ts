import type { TSchema } from '@sinclair/typebox'
import type { Caller } from '../access/caller.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import type { ApiError } from '../jsonapi/errors.ts'
import { jsonApi } from '../jsonapi/negotiate.ts'
import type { Allowance, LimitName } from '../limits.ts'
import type { Target } from './request.ts'

/** A query parameter, for the readers and the OpenAPI document. */
export type Parameter = { schema: TSchema; description: string; deprecated?: true; required?: true; example?: unknown }

/**
 * A request body: its schema for the OpenAPI document, and the media types that it accepts. `schemas` has the schemas of media
 * types with a different body. `maxBytes` replaces MAX_BODY_BYTES.
 */
export type Body = {
  schema: TSchema
  schemas?: Record<string, TSchema>
  /** JSON:API's by default, and plain JSON if the route is flat. */
  mediaTypes?: string[]
  required?: boolean
  /** Accepts any other media type, too, because something else says what the body is. */
  anyMediaType?: true
  /** The room reads the body as it arrives (`call.stream`), however long it is. */
  isStreamed?: true
  example?: unknown
  maxBytes?: (config: Config) => number
}

/** An answer, in the route's media type by default. `others` are its other media types, each with its schema. */
export type Answer = {
  description: string
  schema?: TSchema
  mediaType?: string
  others?: Record<string, { schema: TSchema; example?: unknown }>
  headers?: Record<string, string>
  example?: unknown
}

/**
 * A route as data. Elysia's routing, the order of refusal, the 405 table and the OpenAPI document are made from these.
 * `access`: `public` needs no credential, `catalog` any credential with an active subscription, `session` a signed-in user,
 * `account` a signed-in user or their subscriber key, `internal` the scope of that name.
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
  /** An operators' route that writes the catalog. Writes of `catalog` routes do so anyway. */
  writesCatalog?: true
  /** What it reads differs only with the catalog's state (`Call.catalogState`), so that replicas may answer it. */
  readsCatalog?: true
  /** The answer is flat JSON (decisions.md §3), also for an Accept without JSON:API. */
  flat?: true
  /**
   * A window per user for this route alone, instead of the credential's. Callers that the route refuses are counted as usual.
   */
  ownWindow?: Allowance & { name: string }
  /** A tighter limit per address that the route counts on instead of any general window (decisions.md §19). */
  ownLimit?: LimitName
  /** Counts on its caller's window, though its path isn't under /v1, /v2 or /internal. */
  counts?: true
  /**
   * The media types that `Accept` must all name, as the Model Context Protocol has it. Without them, the request is refused (406)
   * and doesn't count on its credential (decisions.md §20).
   */
  acceptsAll?: string[]
  /** The extension of JSON:API that the body and the answer must apply. */
  extension?: string
  /** The query parameters. The route itself refuses unknown ones. Without this, every parameter is refused. */
  query?: Record<string, Parameter>
  /** A page, which accepts any query, because links that people follow carry parameters from elsewhere. */
  takesAnyQuery?: true
  /** The path's parameters. Any that isn't listed is a UUID. */
  params?: Record<string, Parameter>
  /** Whether the header that asks for drafts (decisions.md §5) has an effect here. */
  heedsIgnoreStatus?: true
  /** The header for conditional requests that has an effect here (decisions.md §9). */
  precondition?: 'If-Match' | 'If-None-Match'
  body?: Body
  answers: Record<number, Answer>
  /** Statuses of errors besides those that follow from access, scope and body. */
  refusals?: number[]
  deprecated?: true
  /** Whether a request is a long poll, which takes one of the places for those and has only its own deadline. */
  waitsForNews?: (url: Target) => boolean
  /** Answered at once, without taking a turn. */
  isVital?: true
  /**
   * With an `Idempotency-Key`, the route isn't one transaction: it asks somebody else, waits for its body, or does something
   * after its commit. What it commits at the end goes through `call.commit`.
   */
  commitsItself?: true
  /** Renders a refusal, if not as JSON:API's error document. */
  renderError?: (error: ApiError) => Reply
  /** The schema of `renderError`'s body. */
  errorSchema?: TSchema
  handle: (context: Context, call: Call) => Promise<Reply> | Reply
}

/** What all routes for operators have in common (interface.md, Internal endpoints). */
export const forOperators = {
  tag: 'Operators',
  access: 'internal',
  scope: 'internal',
} as const satisfies Partial<Route>

/** The same for routes whose answers are flat. */
export const flatForOperators = { ...forOperators, flat: true } as const

/** The media type of a route's answers, unless they name another one. */
export const mediaTypeOf = ({ flat }: Pick<Route, 'flat'>) => (flat ? 'application/json' : jsonApi)

/** The media types that a route accepts for its body. */
export const bodyTypesOf = ({ flat, body }: Pick<Route, 'flat' | 'body'>): string[] =>
  body?.mediaTypes ?? (flat ? ['application/json', jsonApi] : [jsonApi])

/** A request as a room gets it, after all refusals that don't need the room. */
export type Call = {
  request: Request
  url: Target
  params: Record<string, string>
  caller: Caller
  /** The same for two requests if nothing was written to the catalog between them. Undefined if unknown. */
  catalogState?: string
  requestId: string
  now: Date
  /** The whole body, read once. 413 above the limit. */
  body: () => Promise<Uint8Array>
  /** The body as it arrives, instead of `body`. Throws 413 above the limit, and 400 if it ends early. */
  stream: () => AsyncIterable<Uint8Array>
  /** Commits the end of a route that `commitsItself`, with its answer if the request has an `Idempotency-Key`. */
  commit: Commit
}

/** Runs work with a context whose database commits everything together, the work's answer included. */
export type Commit = (context: Context, work: (context: Context) => Promise<Reply>) => Promise<Reply>

/** An answer, in the route's media type by default. An object is written as JSON. */
export type Reply = {
  status: number
  body?: object | string | Buffer<ArrayBuffer> | Blob | ReadableStream
  mediaType?: string
  headers?: Record<string, string>
}

/** Whether a body is the answer's bytes, as the response cache keeps long ones. */
export const isBytes = (body: Reply['body']): body is Buffer<ArrayBuffer> => Buffer.isBuffer(body)

/** Whether requests to a path count on a rate window: all under /v1, /v2 and /internal (decisions.md §3), and the alias /user. */
export const isCounted = (path: string) => /^\/((v1|v2|internal)(\/|$)|user$)/.test(path)

/** Whether requests to a route count on a rate window. */
export const isCountedRoute = ({ path, counts }: Pick<Route, 'path' | 'counts'>) => counts === true || isCounted(path)

/** Whether a route heeds `Idempotency-Key` (decisions.md §20). */
export const isRepeatable = ({ method, path }: Pick<Route, 'method' | 'path'>): boolean =>
  method === 'POST' && isCounted(path)

/** Whether a route writes the catalog, which a mirror refuses (decisions.md §9). */
export const writesCatalog = ({ access, scope, writesCatalog: does }: Route) =>
  does === true || (access === 'catalog' && (scope === 'write' || scope === 'delete' || scope === 'change'))

/** The same routes, whose GETs replicas may answer. */
export const fromReplicas = (routes: Route[]): Route[] =>
  routes.map((route) => (route.method === 'GET' ? { ...route, readsCatalog: true } : route))
