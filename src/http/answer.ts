import { anonymous } from '../access/caller.ts'
import type { Admission } from '../access/gate.ts'
import { countOn } from '../access/limiter.ts'
import { networkOf } from '../access/network.ts'
import { readPresented, sessionCookie } from '../access/read-credential.ts'
import type { Window } from '../access/window.ts'
import type { Context } from '../context.ts'
import { ApiError, methodNotAllowed, notFound } from '../jsonapi/errors.ts'
import { prefersHtml } from '../jsonapi/negotiate.ts'
import { withKnownParameters } from '../jsonapi/parameter.ts'
import { refuseUnknown } from '../jsonapi/query.ts'
import { countRefusal, observe, type RouteMeter } from '../lib/meter.ts'
import type { LimitName } from '../limits.ts'
import { noBody, openBody } from './body.ts'
import { preflightHeaders } from './cors.ts'
import { deprecationHeaders } from './deprecations.ts'
import { answerOnce, commitAsItGoes, readKey } from './idempotency.ts'
import { logFault, logRequest } from './log-lines.ts'
import { withPageLength } from './page-length.ts'
import { type Matched, methodsOf } from './path-matcher.ts'
import { isAccountHolder, namesAll, refuseCaller, refuseForeignOrigin, refuseHosts, refuseMedia } from './refusals.ts'
import { readRequestId, readUrl } from './request.ts'
import { asApiError, commonHeaders, errorReply, respond } from './respond.ts'
import { type Call, isCounted, isCountedRoute, isRepeatable, mediaTypeOf, type Reply, type Route } from './route.ts'
import { serveInTurn } from './serve-in-turn.ts'
import { traceRequest } from './trace-request.ts'

/** A request, the address it came from, and its path parameters. */
type Arrived = { request: Request; params: Record<string, string>; peer: string }
export type AnswerTo = (arrived: Arrived) => Promise<Response>

/** Answers a request to a known route: the gate, the refusals in their order, the room, and whatever these throw. */
export const answerRoute = (context: Context, route: Route): AnswerTo => {
  const ownOrigin = new URL(context.config.baseUrl).origin
  const parameters = Object.entries(route.query ?? {}).flatMap(([name, { deprecated }]) => (deprecated ? [] : [name]))
  const served = { ...route, handle: withPageLength(route) }
  const heedsKey = isRepeatable(route)
  const limitBytes = route.body?.maxBytes?.(context.config) ?? context.config.maxBodyBytes
  const handled: Handled = {
    path: route.path,
    route: route.path,
    meter: context.meter.route(route.method, route.path),
    isCounted: isCountedRoute(route),
    acceptsAll: route.acceptsAll,
    ownWindow: route.ownWindow,
    ownLimit: route.ownLimit,
    isOpen: route.access === 'public',
    headers: route.deprecated ? deprecationHeaders : {},
    renderError: route.renderError,
  }
  return answerWith(context, handled, async ({ request, params }, admission, requestId, now, arrivedAt) => {
    refuseCaller(route, admission, request.headers.has('authorization'))
    if (!handled.isOpen) refuseForeignOrigin(request, admission.fromCookie, ownOrigin)
    const { caller, catalogState } = admission
    const key = heedsKey ? readKey(request.headers, caller) : undefined
    const body = route.body ? await openBody(request, limitBytes, route.body.isStreamed) : noBody
    const url = readUrl(request)
    const given = { request, url, params, caller, catalogState, requestId, now }
    const call: Call = { ...given, body: body.read, stream: body.stream, commit: commitAsItGoes }
    const named = async (make: () => Promise<Reply> | Reply) => {
      try {
        refuseMedia(route, request, body.isPresent)
        if (!route.query && !route.takesAnyQuery) refuseUnknown(url.searchParams)
        return await make()
      } catch (error) {
        throw withKnownParameters(error, parameters)
      }
    }
    const work: Route['handle'] = (own, asked) => named(() => served.handle(own, asked))
    const once: Route['handle'] = (own, asked) => answerOnce(own, asked, { key: key ?? '', route, work })
    const reply =
      key === undefined
        ? await named(() => serveInTurn(context, served, call, arrivedAt))
        : await serveInTurn(context, { ...served, handle: once }, call, arrivedAt)
    return route.flat ? { mediaType: mediaTypeOf(route), ...reply } : reply
  })
}

/** The page for a browser at an unknown URL. */
export type MissingPage = (context: Context, call: Pick<Call, 'request' | 'caller' | 'now'>) => Promise<Reply>

/**
 * Answers what has no route: 404, 405, or a browser's preflight. Browsers get the 404 as a page, except under the API's own
 * paths (/v1, /v2, /internal, /oauth). Everybody else gets an error document.
 */
export const answerUnknown = (
  context: Context,
  matched: Matched<Pick<Route, 'deprecated'>> | undefined,
  path: string,
  showMissing: MissingPage,
  renderError: Route['renderError'],
): AnswerTo => {
  const methods = matched && methodsOf(matched.routes)
  const meter = context.meter.route('other', 'unmatched')
  const isDeprecated = matched && [...matched.routes.values()].every(({ deprecated }) => deprecated)
  const headers = isDeprecated ? deprecationHeaders : {}
  const handled: Handled = { path, meter, isCounted: isCounted(path), isOpen: true, headers, renderError }
  return async (arrived) => {
    if (methods && arrived.request.method === 'OPTIONS')
      return answerWith(context, { ...handled, isCounted: false }, ({ request }) => ({
        status: 204,
        headers: preflightHeaders(request, methods),
      }))(arrived)
    return answerWith(context, handled, ({ request }, { caller }, _requestId, now) => {
      if (methods) throw methodNotAllowed(methods)
      const isOpened = /^(GET|HEAD)$/.test(request.method) && prefersHtml(request.headers.get('accept'))
      if (isOpened && !handled.isCounted && !renderError) return showMissing(context, { request, caller, now })
      throw notFound('There is nothing at this address.')
    })(arrived)
  }
}

type Handled = {
  path: string
  /** The pattern of its route. Undefined for what has none. */
  route?: string
  /** Counts its answers by the route's pattern, never by a path that somebody made up. */
  meter: RouteMeter
  isCounted: boolean
  acceptsAll?: Route['acceptsAll']
  isOpen: boolean
  ownWindow?: Route['ownWindow']
  ownLimit?: Route['ownLimit']
  headers: Record<string, string>
  renderError?: Route['renderError']
}
type Work = (
  arrived: Arrived,
  admission: Admission,
  requestId: string,
  now: Date,
  arrivedAt: number,
) => Promise<Reply> | Reply

const answerWith = (context: Context, handled: Handled, work: Work): AnswerTo => {
  const common = commonHeaders(context.config, handled.isCounted, handled.headers)
  const answer: AnswerTo = async (arrived) => {
    const started = performance.now()
    context.meter.inFlight++
    const { request, peer } = arrived
    const requestId = readRequestId(request.headers)
    const now = context.clock.now()
    let admission: Admission | undefined
    let reply: Reply
    try {
      refuseHosts(request.headers)
      admission = await admit(context, handled, request, peer, now)
      reply = await work(arrived, admission, requestId, now, started)
    } catch (thrown) {
      const error = context.storage.note(thrown)
      if (!(error instanceof ApiError)) logFault(context.log, error, requestId)
      const refusal = asApiError(error)
      reply = handled.renderError?.(refusal) ?? errorReply(refusal, requestId)
    }
    const caller = admission?.caller
    const milliseconds = performance.now() - started
    logRequest(context.log, request.method, handled.path, reply.status, milliseconds, requestId, caller?.credentialId)
    observe(handled.meter, reply.status, milliseconds / 1000)
    if (reply.status === 429) countRefusal(context.meter, caller?.kind ?? 'anonymous')
    context.meter.inFlight--
    const window = handled.isCounted && admission?.window !== unlimited ? admission?.window : undefined
    // Closes the connection, so that the client's next request goes to a process that stays, and this descriptor becomes free.
    const isLast = context.leaving.hasBegun || context.storage.isShort
    // The server dates every answer but those to HEAD.
    const isHead = request.method === 'HEAD'
    const more = { ...(isLast && { Connection: 'close' }), ...(isHead && { Date: now.toUTCString() }) }
    return respond(
      isLast || isHead ? { ...reply, headers: { ...more, ...reply.headers } } : reply,
      requestId,
      window,
      common,
    )
  }
  const { tracing } = context
  if (!tracing || isProbe.test(handled.path)) return answer
  const named = { route: handled.route, scheme: context.config.baseUrl.startsWith('https:') ? 'https' : 'http' }
  return (arrived) => traceRequest(tracing, named, arrived.request, () => answer(arrived))
}

/** What monitors ask every few seconds would only fill the traces. */
const isProbe = /^\/(health|metrics)$/

const admit = async (
  context: Context,
  { isCounted, acceptsAll, isOpen, ownWindow, ownLimit }: Handled,
  request: Request,
  peer: string,
  now: Date,
): Promise<Admission> => {
  const address = context.findAddress(peer, request.headers.get('x-forwarded-for'))
  if (isOpen && !isCounted) return { caller: anonymous(address), window: unlimited, fromCookie: false }
  const { brand, baseUrl } = context.config
  const read = readPresented(request.headers, context.tokens, sessionCookie(brand, baseUrl), now)
  const presented = read instanceof Promise ? await read : read
  const isUnacceptable = acceptsAll !== undefined && !namesAll(request.headers, acceptsAll)
  const isCountedHere = isCounted && !ownWindow && !ownLimit && !isUnacceptable
  const admission = await context.gate.admit(presented, address, isCountedHere ? 1 : 0)
  if (isUnacceptable && admission.caller.kind === 'anonymous') return context.gate.admit(presented, address)
  if (ownLimit) return { ...admission, window: await countOnLimit(context, ownLimit, address) }
  if (ownWindow) return admitOnOwn(context, ownWindow, admission, () => context.gate.admit(presented, address))
  return isCountedHere ? admission : { ...admission, window: unlimited }
}

const countOnLimit = ({ db, clock, config }: Context, name: LimitName, address: string) =>
  countOn(db.gate, clock, `${name} address ${networkOf(address)}`, config.limits[name])

const admitOnOwn = async (
  { db, clock }: Context,
  own: NonNullable<Route['ownWindow']>,
  admission: Admission,
  count: () => Promise<Admission>,
): Promise<Admission> => {
  const { caller } = admission
  if (!isAccountHolder(caller)) return count()
  return { ...admission, window: await countOn(db.gate, clock, `${own.name} ${caller.userId}`, own) }
}

const unlimited: Window = { limit: 0, remaining: 0, resetAt: 0, windowSeconds: 0, isOpen: true, waitSeconds: 0 }
