import { Elysia } from 'elysia'
import type { Context } from '../context.ts'
import { type AnswerTo, answerRoute, answerUnknown, type MissingPage } from './answer.ts'
import { pathMatcher } from './path-matcher.ts'
import { readUrl } from './request.ts'
import type { Route } from './route.ts'

/** The address of requests without a socket, which come from inside the process. */
const inside = '127.0.0.1'

/**
 * Builds the HTTP application from a list of routes. They all go through the same checks, so that no route can forget a rule.
 * `showMissing` answers browsers at unknown URLs.
 */
export const mountRoutes = (context: Context, routes: Route[], showMissing: MissingPage) => {
  const answered = routes.map((route) => ({ ...route, answer: answerRoute(context, route) }))
  const missed = answerMissed(context, answered, showMissing)
  const app = new Elysia({
    normalize: false,
    strictPath: true,
    systemRouter: false,
    serve: { development: false, maxRequestBodySize: Number.MAX_SAFE_INTEGER, idleTimeout: 120 },
  })
  // Elysia would define `server` again on the context of each request that uses it.
  const peerOf = (request: Request) => app.server?.requestIP(request)?.address ?? inside
  app.onError(({ request }) => missed({ request, params: {}, peer: peerOf(request) }))
  for (const { answer, ...route } of answered)
    app.route(
      route.method,
      route.path,
      ({ request, params }) => {
        const peer = peerOf(request)
        return hasShortHost(request) ? missed({ request, params: {}, peer }) : answer({ request, params, peer })
      },
      { parse: 'none' } as never,
    )
  for (const { method, path } of takenForAnother(routes))
    app.route(method, path, ({ request }) => missed({ request, params: {}, peer: peerOf(request) }), {
      parse: 'none',
    } as never)
  return app
}

/** Methods that a literal path lacks, but that a path with a parameter has there, because the router would pick that one. */
const takenForAnother = (routes: Route[]): Pick<Route, 'method' | 'path'>[] => {
  const match = pathMatcher(routes.filter(({ path }) => path.includes(':')))
  const literal = [...new Set(routes.map(({ path }) => path).filter((path) => !path.includes(':')))]
  return literal.flatMap((path) => {
    const own = routes.filter((route) => route.path === path).map(({ method }) => method)
    const others = [...(match(path)?.routes.values() ?? [])].map(({ method }) => method)
    return others.filter((method) => !own.includes(method)).map((method) => ({ method, path }))
  })
}

/** The router starts looking for the path's first slash here. With a shorter host, it finds the wrong path. */
const earliestPath = 11
const hasShortHost = ({ url }: Request) => url.indexOf('/', 'http://'.length) < earliestPath

/** Answers what the router has no route for: HEAD as GET, hosts that are too short for it, and what is really unknown. */
const answerMissed = (
  context: Context,
  routes: (Route & { answer: AnswerTo })[],
  showMissing: MissingPage,
): AnswerTo => {
  const match = pathMatcher(routes)
  const renderErrors = new Map(routes.map(({ path, renderError }) => [folderOf(path), renderError]))
  return (arrived) => {
    const { method } = arrived.request
    const path = readUrl(arrived.request).pathname
    const matched = match(path)
    const route = matched?.routes.get(method === 'HEAD' ? 'GET' : method)
    if (matched && route) return route.answer({ ...arrived, params: matched.params })
    return answerUnknown(context, matched, path, showMissing, renderErrors.get(folderOf(path)))(arrived)
  }
}

/** The first part of a path. Its routes decide how refusals under it are written. */
const folderOf = (path: string) => path.split('/')[1]
