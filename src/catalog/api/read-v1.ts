import { levelOf } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import { pathId } from '../../http/path-id.ts'
import { asksForDrafts } from '../../http/respond.ts'
import type { Call } from '../../http/route.ts'
import type { Condition } from '../../jsonapi/list-filters.ts'
import { type ReadQuery, readQuery } from '../../jsonapi/query.ts'
import { Audience } from '../../lib/audience.ts'
import { keysOf } from '../list/keyset.ts'
import { readDeletedPage, readPage } from '../list/read-page.ts'
import { firstSort } from '../model/criteria.ts'
import type { Resource } from '../model/resource.ts'
import { pageAnswer, retrieved, showOne } from '../show/answers.ts'
import { deletedOf, readsDeleted } from '../show/deleted.ts'
import { parseRow } from '../show/render.ts'
import { cached, type Made } from '../show/response-cache.ts'
import { loadRow } from '../show/rows.ts'
import { shapesInV1 } from './query-v1.ts'

/** GET of a list. `fixed` are conditions from the path, as in /v1/players/{player}/cards. */
export const list = (resource: Resource, fixed: (call: Call) => Condition[] = () => []) =>
  cached(async (context, call) => {
    const query = readQuery(call.url.searchParams, shapesInV1(resource).list)
    if (query.filters.status?.value === 'deleted') return listDeleted(context, call, resource, query, fixed(call))
    const level = listLevel(context, call, resource)
    const scope = scopeOf(resource, query)
    const request = {
      level,
      conditions: [...fixed(call), ...conditionsOf(resource, query.filters), ...(scope === 'root' ? [isRoot] : [])],
      keys: keysOf(resource, [
        {
          name: query.options.order_by ?? firstSort(resource),
          descending: ['desc', '-name'].includes(query.options.sort ?? ''),
        },
      ]),
      page: query.page,
      perPage: query.perPage,
    }
    const page = await readPage(context.db, resource, request)
    return pageAnswer(context, call, resource, { ...page, meta: scope ? { scope } : undefined }, query)
  })

/** The deleted records of a list. It isn't kept for others: the response cache doesn't tell who may read them. */
const listDeleted = async (
  context: Context,
  call: Call,
  resource: Resource,
  { filters: { status: _, ...filters }, ...query }: ReadQuery,
  fixed: Condition[],
): Promise<Made> => {
  const deleted = deletedOf(resource)
  const { scope = 'all', order_by, sort = order_by ? 'asc' : 'desc' } = query.options
  const request = {
    level: levelOf(call.caller),
    conditions: [...fixed, ...conditionsOf(resource, filters), ...(scope === 'root' ? [isRoot] : [])],
    keys: keysOf(deleted, [{ name: order_by ?? firstSort(deleted), descending: sort === 'desc' }]),
    page: query.page,
    perPage: query.perPage,
  }
  const page = readsDeleted(call.caller) ? await readDeletedPage(context.db, deleted, request) : { rows: [], total: 0 }
  const meta = resource.options?.scope ? { scope } : undefined
  const { reply } = await pageAnswer(context, call, deleted, { ...page, meta }, { ...query, filters })
  return { reply, cacheable: false }
}

/** A /v1 query's filters as conditions on the criteria that they name. */
const conditionsOf = (resource: Resource, filters: ReadQuery['filters']): Condition[] =>
  Object.entries(filters).flatMap(([name, { value, like, isNull }]): Condition[] => {
    const { of = name, like: parts } = resource.filters[name] ?? {}
    if (isNull) return [{ name: of, operator: 'null', values: ['true'] }]
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
  cached(async (context, call) => {
    const query = readQuery(call.url.searchParams, shapesInV1(resource).read)
    if (query.options.include_trashed === 'true' && readsDeleted(call.caller)) {
      const [deleted, level] = [deletedOf(resource), levelOf(call.caller)]
      const text = await loadRow(context.db, deleted, pathId(call), level)
      if (text) {
        const { reply } = await showOne(context, call, { resource: deleted, row: parseRow(text) }, query, level)
        return { reply, cacheable: false }
      }
    }
    return retrieved(context, call, resource, query)
  })
