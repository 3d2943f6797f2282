import { type Caller, levelOf } from '../../access/caller.ts'
import { catalogRoutesInV1 } from '../../catalog/api/routes-v1.ts'
import { catalogRoutesInV2 } from '../../catalog/api/routes-v2.ts'
import { searchRoutes } from '../../catalog/api/search-routes.ts'
import { statsRoutes } from '../../catalog/api/stats-routes.ts'
import type { Context } from '../../context.ts'
import { pathMatcher } from '../../http/path-matcher.ts'
import { ignoreStatusHeader } from '../../http/respond.ts'
import type { Call } from '../../http/route.ts'
import { notFound } from '../../jsonapi/errors.ts'
import { isUuid } from '../../jsonapi/fields.ts'

/** A request for a page's content: who asks, and what the page's URL says. `read` makes a GET request to the API. */
export type Ask = {
  context: Context
  call: Call
  level: number
  /** The id in the path. Throws a 404 if it isn't a UUID. */
  id: () => string
  query: Record<string, string>
  read: <T>(path: string, query?: Record<string, string>) => Promise<T>
}

const routes = [...catalogRoutesInV1, ...catalogRoutesInV2, ...searchRoutes, ...statsRoutes]
const match = pathMatcher(routes.filter(({ method }) => method === 'GET'))

/** Asks for a page's content as a caller. Counting and refusing were done before. */
export const askAs = (context: Context, call: Call, caller: Caller): Ask => ({
  context,
  call: { ...call, caller },
  level: levelOf(caller),
  id: () => {
    const { id = '' } = call.params
    if (!isUuid(id)) throw notFound()
    return id.toLowerCase()
  },
  query: Object.fromEntries(call.url.searchParams),
  read: async <T>(path: string, query: Record<string, string> = {}) => {
    const matched = match(path)
    const route = matched?.routes.get('GET')
    if (!matched || !route) throw new Error(`no route at ${path}`)
    const url = new URL(`http://cardstock${path}?${new URLSearchParams(query)}`)
    const headers = { [ignoreStatusHeader(context.config.brand)]: 'true' }
    const request = new Request(url, { headers, signal: call.request.signal })
    const { status, body } = await route.handle(context, { ...call, request, url, params: matched.params, caller })
    // A record that was merged into another redirects (`movedTo` in open.ts).
    if (status !== 200) throw notFound()
    return (typeof body === 'string' ? JSON.parse(body) : body) as T
  },
})

/** The page number in a URL, or 1 if there is none. */
export const pageNumber = (text: string | undefined): number =>
  Math.min(1_000_000, Math.max(1, Math.trunc(Number(text)) || 1))
