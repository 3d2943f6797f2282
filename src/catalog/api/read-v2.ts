import { levelOf } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import type { Call } from '../../http/route.ts'
import type { Condition } from '../../jsonapi/list-filters.ts'
import { type ListShape, readListQuery } from '../../jsonapi/list-query.ts'
import { keysOf, sortOf } from '../list/keyset.ts'
import { around } from '../list/page.ts'
import { readList } from '../list/read-list.ts'
import type { Resource } from '../model/resource.ts'
import { retrieved } from '../show/answers.ts'
import { cursorPage, listCursors, readPlaces, showRecords } from '../show/pages.ts'
import { cached } from '../show/response-cache.ts'
import { shapesInV2 } from './query-v2.ts'

/**
 * What a list may have of its own: filters from its path, as in /v2/sets/{id}/children, its query, and how its items are shown.
 */
type Ways = {
  fixed?: (context: Context, call: Call) => Promise<Condition[]>
  shape?: ListShape
  show?: typeof showRecords
}

/** GET of a /v2 list. */
export const listPage = (resource: Resource, { fixed, shape, show = showRecords }: Ways = {}) =>
  cached(async (context, call) => {
    const query = readListQuery(call.url.searchParams, shape ?? shapesInV2(resource).list)
    const level = levelOf(call.caller)
    const sort = sortOf(resource, query.sort)
    const cursors = listCursors(context, call, query, sort)
    const places = readPlaces(cursors, query)
    const conditions = [...((await fixed?.(context, call)) ?? []), ...query.conditions]
    const request = {
      level,
      size: query.size,
      keys: keysOf(resource, sort),
      conditions,
      catalogState: call.catalogState,
      ...places,
    }
    const page = await readList(context.db, resource, request)
    const records = page.rows.map((row) => ({ resource, row }))
    const { texts, included, cacheable } = await show(context, call, records, query, level)
    const reply = cursorPage(
      context,
      call,
      cursors,
      texts,
      { ...page, places: page.rows.map(({ place }) => place), ...around(places, page.more) },
      included,
    )
    return { reply, cacheable }
  })

/** GET of one /v2 record. */
export const retrieveOne = (resource: Resource) =>
  cached((context, call) =>
    retrieved(context, call, resource, readListQuery(call.url.searchParams, shapesInV2(resource).read)),
  )
