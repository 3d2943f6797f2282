import { levelOf } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import { asksForDrafts } from '../../http/respond.ts'
import type { Call } from '../../http/route.ts'
import type { Condition } from '../../jsonapi/list-filters.ts'
import { type ReadQuery, readQuery } from '../../jsonapi/query.ts'
import { Audience } from '../../lib/audience.ts'
import { keysOf } from '../list/keyset.ts'
import { readPage } from '../list/read-page.ts'
import { firstSort } from '../model/criteria.ts'
import type { Resource } from '../model/resource.ts'
import { pageAnswer, retrieved } from '../show/answers.ts'
import { cached } from '../show/response-cache.ts'
import { shapesInV1 } from './query-v1.ts'

/** GET of a list. `fixed` are conditions from the path, as in /v1/players/{player}/cards. */
export const list = (resource: Resource, fixed: (call: Call) => Condition[] = () => []) =>
  cached(async (context, call) => {
    const query = readQuery(call.url.searchParams, shapesInV1(resource).list)
    const level = listLevel(context, call, resource)
    const scope = scopeOf(resource, query)
    const request = {
      level,
      conditions: [...fixed(call), ...conditionsOf(resource, query), ...(scope === 'root' ? [isRoot] : [])],
      keys: keysOf(resource, [
        { name: query.options.order_by ?? firstSort(resource), descending: query.options.sort === 'desc' },
      ]),
      page: query.page,
      perPage: query.perPage,
    }
    const page = await readPage(context.db, resource, request)
    return pageAnswer(context, call, resource, { ...page, meta: scope ? { scope } : undefined }, query)
  })

/** A /v1 query's filters as conditions on the criteria that they name. */
const conditionsOf = (resource: Resource, { filters }: ReadQuery): Condition[] =>
  Object.entries(filters).flatMap(([name, { value, like }]): Condition[] => {
    const { of = name, like: parts } = resource.filters[name] ?? {}
    if (!like) return [{ name: of, operator: 'eq', values: [value] }]
    const some = parts === 'words' ? value.split(/\s+/).filter(Boolean) : [value]
    return some.map((part) => ({ name: of, operator: 'like', values: [part] }))
  })

/** Whether a list of sets shows root sets or all of them (interface.md, Sets). */
const scopeOf = ({ options: known }: Resource, { filters, options }: ReadQuery): string | undefined => {
  if (!known?.scope) return undefined
  return filters.parent_id ? 'all' : (options.scope ?? (filters.name ? 'all' : 'root'))
}

const isRoot: Condition = { name: 'parent', operator: 'null', values: ['true'] }

/** Lists of sets show drafts only to callers who send the header and may read them (decisions.md §5). */
const listLevel = (context: Context, { caller, request }: Call, resource: Resource) => {
  const level = levelOf(caller)
  if (resource.type !== 'sets') return level
  return asksForDrafts(request, context.config.brand) ? level : Math.max(level, Audience.published)
}

/** GET of one record. */
export const retrieve = (resource: Resource) =>
  cached((context, call) =>
    retrieved(context, call, resource, readQuery(call.url.searchParams, shapesInV1(resource).read)),
  )
