import { hasCode, isAway } from '../../db/faults.ts'
import { type Window, windowHeaderValues } from '../access/window.ts'
import type { Config } from '../config.ts'
import { ApiError, internalError, unavailable } from '../jsonapi/errors.ts'
import { jsonApi } from '../jsonapi/negotiate.ts'
import { outcomeUnknown, outOfDescriptors, storageFull, storageReadOnly, timedOut } from '../jsonapi/overload.ts'
import { capital } from '../lib/capital.ts'
import { storageFaultOf } from '../lib/storage-fault.ts'
import { corsHeaders } from './cors.ts'
import { isBytes, type Reply } from './route.ts'

/** The headers of every response of a route: who may read it, how it may be cached, and its deprecation. */
export const commonHeaders = (config: Config, isData: boolean, ofRoute: Record<string, string>): Headers =>
  new Headers({
    ...corsHeaders,
    'X-Content-Type-Options': 'nosniff',
    ...cacheHeaders(config, isData),
    ...transportHeaders(config),
    ...ofRoute,
  })

/** Renders a reply with what every response carries: the request's id and its window. */
export const respond = (
  { status, body, mediaType = jsonApi, headers: own }: Reply,
  requestId: string,
  window: Window | undefined,
  common: Headers,
): Response => {
  // Copying headers takes a third of the time of reading them from an object.
  const headers = new Headers(common)
  headers.set('X-Request-ID', requestId)
  if (window) for (const [name, value] of windowHeaderValues(window)) headers.set(name, value)
  for (const name in own) headers.set(name, own[name] as string)
  if (body === undefined || status === 204 || status === 304) return new Response(null, { status, headers })
  if (!own?.['Content-Type']) headers.set('Content-Type', mediaType)
  if (body instanceof Blob || body instanceof ReadableStream) return new Response(body, { status, headers })
  const whole = typeof body === 'string' || isBytes(body) ? body : JSON.stringify(body)
  return new Response(whole.length < longCharacters ? whole : inOnePiece(whole), { status, headers })
}

/**
 * A longer text doesn't fit the buffer in which the server gathers its output. As a plain text, it would cost a system call for
 * each part of each header. A stream that ends below its high-water mark is sent in one call, with its length
 * (docs/decisions/0008).
 */
const longCharacters = 15_000

const inOnePiece = (whole: string | Buffer<ArrayBuffer>): ReadableStream => {
  const source: Bun.DirectUnderlyingSource<string> = {
    type: 'direct',
    pull: (controller) => {
      controller.write(whole)
      controller.end()
    },
  }
  const highWaterMark = Buffer.byteLength(whole) + 1
  return new ReadableStream(source as unknown as UnderlyingDefaultSource<string>, { highWaterMark })
}

/** Data is private and revalidated. Nothing else is cached unless its route says so (decisions.md §3). */
const cacheHeaders = ({ brand }: Config, isData: boolean): Record<string, string> =>
  isData
    ? { 'Cache-Control': 'private, no-cache', Vary: `Authorization, Cookie, Accept, ${ignoreStatusHeader(brand)}` }
    : { 'Cache-Control': 'no-store' }

/** Tells browsers to stay on https, if that is how they reach the service (decisions.md §12). */
const transportHeaders = ({ baseUrl }: Pick<Config, 'baseUrl'>): Record<string, string> =>
  baseUrl.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}

/** The header that asks for drafts in lists of sets: `X-Cardstock-Ignore-Status`, with the brand's name. */
export const ignoreStatusHeader = (brand: string) => `X-${capital(brand)}-Ignore-Status`

/** Whether a request has that header, unless it is empty, `false`, `0` or `no` (decisions.md §19, §21). */
export const asksForDrafts = ({ headers }: Request, brand: string) =>
  !/^(false|0|no)?$/i.test(headers.get(ignoreStatusHeader(brand))?.trim() ?? '')

/** The error document of a refusal (interface.md, Errors). */
export const errorReply = (error: ApiError, requestId: string): Reply => ({
  status: error.status,
  body: { jsonapi: { version: '1.1' }, errors: error.errors, meta: { ...error.meta, request_id: requestId } },
  headers: error.headers,
})

/**
 * A refusal stays as it is. Full storage and a database that doesn't answer become a 503. Anything else is our fault, a 500.
 */
export const asApiError = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error
  if (hasCode(error, 'OUTCOME_UNKNOWN')) return outcomeUnknown()
  if (hasCode(error, '57014')) return timedOut()
  if (hasCode(error, 'NO_TURN', 'CLIENT_LEFT')) return unavailable('The service is busy. Try again in a moment.')
  const fault = storageFaultOf(error)
  if (fault === 'no descriptors') return outOfDescriptors()
  if (fault) return fault === 'full' ? storageFull() : storageReadOnly()
  return isAway(error) ? unavailable() : internalError()
}
