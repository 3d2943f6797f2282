import type { Caller } from '../access/caller.ts'
import type { Admission } from '../access/gate.ts'
import { readOnlyMirror } from '../access/mirror.ts'
import {
  ApiError,
  badRequest,
  forbidden,
  insufficientScope,
  notAcceptable,
  notInteractiveSession,
  subscriptionRequired,
  tooManyRequests,
  unauthenticated,
  unsupportedMediaType,
} from '../jsonapi/errors.ts'
import {
  acceptsContent,
  acceptsExtension,
  acceptsJsonApi,
  appliesExtension,
  jsonApi,
  speaksPlainJson,
} from '../jsonapi/negotiate.ts'
import { bodyTypesOf, type Route, writesCatalog } from './route.ts'

/** Refuses a request with two `Host` headers (RFC 9112 §3.2), which arrive as one with a comma. */
export const refuseHosts = (headers: Headers) => {
  if (headers.get('host')?.includes(',')) throw badRequest('The request has more than one Host header.')
}

/** Refuses callers in the order of decisions.md §3: an address's 429, 401, 402, a credential's 429, 403. */
export const refuseCaller = (route: Route, { caller, window, isMirror }: Admission, hasToken: boolean) => {
  const isAnonymous = caller.kind === 'anonymous'
  if (isAnonymous && !window.isOpen) throw tooManyRequests(window.waitSeconds)
  if (isAnonymous && route.access !== 'public') throw hasToken ? invalidToken() : unauthenticated()
  const isPersonal = route.access === 'session' || route.access === 'account'
  if (isPersonal && caller.kind === 'personal_token')
    throw unauthenticated('Personal access tokens cannot use this endpoint. Sign in instead.')
  if (route.access === 'catalog' && !caller.entitled) throw subscriptionRequired()
  if (!window.isOpen) throw tooManyRequests(window.waitSeconds)
  if (route.access === 'session' && caller.kind !== 'session') throw notInteractiveSession()
  if (route.access === 'account' && caller.kind === 'access_token')
    throw forbidden('Client tokens cannot use this endpoint. Use the subscriber key, or sign in.')
  refuseScope(route, caller.scopes)
  if (isMirror && writesCatalog(route)) throw readOnlyMirror()
}

/** Whether routes for accounts serve this caller. */
export const isAccountHolder = ({ kind }: Caller) => kind === 'session' || kind === 'subscriber_key'

/** RFC 6750 §3.1: an invalid token gets another answer than a missing one. */
const invalidToken = () => {
  const { status, errors } = unauthenticated('The token is invalid: it is unknown, expired or revoked.')
  return new ApiError(status, errors, { 'WWW-Authenticate': 'Bearer error="invalid_token"' })
}

const refuseScope = (route: Route, scopes: ReadonlySet<string>) => {
  const { scope } = route
  if (!scope) return
  if (scope === 'change') {
    if (!scopes.has('write') && !scopes.has('delete')) throw insufficientScope('write')
  } else if (scope !== 'read') {
    if (!scopes.has(scope)) throw insufficientScope(scope)
    if (route.needsWrite && !scopes.has('write')) throw insufficientScope('write')
  } else if (![...scopes].some((one) => one.startsWith('read:'))) throw insufficientScope('read:published')
}

/** A write that is authenticated by a cookie must come from the service's own pages (decisions.md §7). */
export const refuseForeignOrigin = (request: Request, fromCookie: boolean, ownOrigin: string) => {
  if (!fromCookie || request.method === 'GET' || request.method === 'HEAD') return
  if (request.headers.get('origin') !== ownOrigin)
    throw forbidden(
      'With a session cookie, writes must come from the service’s own pages. Send their Origin, or use a bearer token.',
    )
}

/** Refuses a body that is encoded or of the wrong type (415), an Accept that can't be served (406), and a missing body (400). */
export const refuseMedia = (route: Route, { headers }: Request, hasBody: boolean) => {
  const { body, flat, extension, acceptsAll } = route
  if (body && hasBody && isEncoded(headers) && !body.anyMediaType && !body.isStreamed) throw encodedBody()
  if (extension) refuseOtherExtensions(extension, headers, hasBody)
  else if (body && hasBody && !body.anyMediaType && !takesBody(bodyTypesOf(route), headers))
    throw unsupportedMediaType(bodyTypesOf(route))
  if (acceptsAll) {
    if (!namesAll(headers, acceptsAll)) throw notAcceptable(`Send the header Accept: ${acceptsAll.join(', ')}`)
  } else if (!flat && !extension && !acceptsJsonApi(headers.get('accept')))
    throw notAcceptable('The response is application/vnd.api+json, with no parameter except profile.')
  if (body && body.required !== false && !hasBody) throw badRequest('The request needs a body.')
}

const takesBody = (mediaTypes: string[], headers: Headers) =>
  acceptsContent(headers.get('content-type'), mediaTypes) || (mediaTypes.includes(jsonApi) && speaksPlainJson(headers))

/** Whether an Accept header names all of some media types. */
export const namesAll = (headers: Headers, mediaTypes: string[]) => {
  const accept = headers.get('accept') ?? ''
  return mediaTypes.every((mediaType) => accept.includes(mediaType))
}

/** Whether a body is compressed, or encoded in another way. An uploaded checklist may be: its bytes tell how. */
const isEncoded = (headers: Headers) => !/^(identity)?$/i.test(headers.get('content-encoding') ?? '')

/** RFC 9110 §15.5.16: the answer names the encodings that the endpoint takes. */
const encodedBody = () => {
  const { status, errors } = unsupportedMediaType([])
  const detail = 'Send the body as it is, without a Content-Encoding.'
  return new ApiError(
    status,
    errors.map((error) => ({ ...error, detail })),
    { 'Accept-Encoding': 'identity' },
  )
}

const refuseOtherExtensions = (extension: string, headers: Headers, hasBody: boolean) => {
  const type = headers.get('content-type')
  const mediaType = `${jsonApi}; ext="${extension}"`
  const isApplied = acceptsContent(type, [jsonApi], [extension]) && appliesExtension(type, extension)
  if (hasBody && !isApplied && !speaksPlainJson(headers)) throw unsupportedMediaType([mediaType])
  if (!acceptsExtension(headers.get('accept'), extension)) throw notAcceptable(`The response is ${mediaType}.`)
}
