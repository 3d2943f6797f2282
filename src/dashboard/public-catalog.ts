import { catalogRoutesInV1 } from '../catalog/api/routes-v1.ts'
import { catalogRoutesInV2 } from '../catalog/api/routes-v2.ts'
import { searchRoutes } from '../catalog/api/search-routes.ts'
import { statsRoutes } from '../catalog/api/stats-routes.ts'
import type { Context } from '../context.ts'
import type { Call, Reply, Route } from '../http/route.ts'
import { forbidden, notFound } from '../jsonapi/errors.ts'
import { catalogOf, countRead, publicScopes } from './open.ts'
import { zipped } from './zipped.ts'

/** Filters sets by id, which /v1 can't. */
const setsInV2 = catalogRoutesInV2.filter(({ path }) => path === '/v2/sets')

/**
 * What the catalog browser reads: the catalog's own GET routes and the search, under /pages. Anyone may use them as a reader of
 * published data (decisions.md §8). They have their own limit per address, and PUBLIC_CATALOG=false closes them.
 */
export const publicCatalogRoutes: Route[] = [...catalogRoutesInV1, ...setsInV2, ...statsRoutes, ...searchRoutes]
  .filter(({ method, deprecated }) => method === 'GET' && !deprecated)
  .map((route) => ({
    ...route,
    path: `/pages${route.path}`,
    access: 'public',
    scope: undefined,
    // It counts first, on the primary.
    readsCatalog: undefined,
    handle: (context, call) => readPublicly(context, call, route),
  }))

/**
 * A route of the API that pages show to people who haven't signed in, such as the plans, under /pages. It counts on the catalog
 * browser's window: a spent anonymous one closes no page (decisions.md §19).
 */
export const shownByPages = (route: Route): Route => ({
  ...route,
  path: `/pages${route.path}`,
  handle: async (context, call) => {
    refuseOtherSites(call.request)
    const window = await countRead(context, call.caller.address)
    const reply = await route.handle(context, call)
    return { ...reply, headers: { ...reply.headers, ...window } }
  },
})

const readPublicly = async (context: Context, call: Call, route: Route): Promise<Reply> => {
  if (!context.config.publicCatalog) throw notFound()
  refuseOtherSites(call.request)
  const window = await countRead(context, call.caller.address)
  const db = route.readsCatalog ? await catalogOf(context, call.caller.address) : context.db
  const reply = await route.handle({ ...context, db }, { ...call, caller: { ...call.caller, scopes: publicScopes } })
  const { body, headers } = await zipped(call.request, reply)
  return { ...reply, body, headers: { 'Cache-Control': 'private, no-cache', ...reply.headers, ...headers, ...window } }
}

/** Refuses requests that a browser sends from another site's page. Those should use the API. */
export const refuseOtherSites = ({ headers }: Request) => {
  const site = headers.get('sec-fetch-site') ?? 'none'
  if (site !== 'same-origin' && site !== 'none')
    throw forbidden('This address serves only the pages of this service. Use the API with a key instead.')
}
