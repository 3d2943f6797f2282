import type { Caller } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import { pathMatcher } from '../../http/path-matcher.ts'
import { ignoreStatusHeader } from '../../http/respond.ts'
import { type Call, isBytes } from '../../http/route.ts'
import { notFound } from '../../jsonapi/errors.ts'
import { checklistReads } from './hosted/checklist.ts'
import { catalogRoutesInV1 } from './routes-v1.ts'
import { catalogRoutesInV2 } from './routes-v2.ts'
import { searchRoutes } from './search-routes.ts'
import { statsRoutes } from './stats-routes.ts'

const routes = [...catalogRoutesInV1, ...catalogRoutesInV2, ...searchRoutes, ...statsRoutes, ...checklistReads]
const match = pathMatcher(routes.filter(({ method }) => method === 'GET'))

/**
 * Makes a GET request to the API from inside the process, as a caller who was counted and let in already. Drafts are listed for who
 * may read them. 404 for a record that was merged into another one.
 */
export const readInside = async <T>(
  context: Context,
  call: Call,
  caller: Caller,
  path: string,
  query: Record<string, string> = {},
): Promise<T> => {
  const matched = match(path)
  const route = matched?.routes.get('GET')
  if (!matched || !route) throw new Error(`no route at ${path}`)
  const url = new URL(`http://cardstock${path}?${new URLSearchParams(query)}`)
  const headers = { [ignoreStatusHeader(context.config.brand)]: 'true' }
  const request = new Request(url, { headers, signal: call.request.signal })
  const { status, body } = await route.handle(context, { ...call, request, url, params: matched.params, caller })
  if (status !== 200) throw notFound()
  return (typeof body === 'string' || isBytes(body) ? JSON.parse(body.toString()) : body) as T
}
