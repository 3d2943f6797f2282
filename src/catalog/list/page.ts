import type { Place } from '../../jsonapi/cursor.ts'
import type { Resource } from '../model/resource.ts'
import { rowsAsText } from '../show/rows.ts'
import { before, keyName, orderText, rangesBehind, reversed } from './keyset.ts'
import type { CursorRequest, PlacedRow } from './request.ts'
import type { Source } from './source.ts'
import type { Arguments } from './statement.ts'

/** The rows of a page in order, and whether more follow in the direction in which it was read. */
export type RowsOfPage = { rows: PlacedRow[]; more: boolean }

type Places = { after?: Place; before?: Place }

/** Whether a page is read backward: the request names only the position that it ends before. */
export const isBackward = ({ after, before }: Places) => before !== undefined && after === undefined

/** What surrounds a page, and whether a range was cut to its size; `more`: whether more rows follow in the direction of reading. */
export const around = (places: Places, more: boolean) => {
  const { after, before } = places
  const backward = isBackward(places)
  return {
    hasBefore: backward ? more : after !== undefined,
    hasAfter: backward ? (before?.length ?? 0) > 0 : more || before !== undefined,
    isCut: more && !backward && before !== undefined,
  }
}

/**
 * How many rows to read for a page: more than it holds, to know whether more follow, and one of three numbers,
 * so that lists have few statements.
 */
const rowsRead = (size: number) => [26, 51].find((rows) => size < rows) ?? 101

/** A select of the ids of a page in order, and of some that follow. */
export const idsOfPage = (request: CursorRequest, source: Source, args: Arguments): string => {
  const backward = isBackward(request)
  const keys = backward ? reversed(request.keys) : request.keys
  const place = backward ? request.before : request.after
  const limit = rowsRead(request.size)
  const order = orderText(keys, keyName)
  const ranges = rangesBehind(keys, place?.length === 0 && backward ? undefined : place, args, source.expressions)
  const bound = ranges.length > 0 ? upperBound(request, args, source.expressions) : []
  const parts = ranges.map((range) => `(${source.select(range, bound, order, limit)})`)
  const columns = keys.map((_, index) => keyName(index)).join(', ')
  if (parts.length === 0) return `select ${columns}, null::uuid as id from (select 1) nothing where false`
  const inner = parts.join(' union all ')
  const all = source.each ? `select ${columns}, id from ${source.each} cross join lateral (${inner}) one_value` : inner
  if (parts.length === 1 && !source.each) return inner
  return `select ${source.repeats ? 'distinct ' : ''}${columns}, id from (${all}) parts order by ${order} limit ${limit}`
}

/** The condition that keeps a page before its second cursor, if it has two. */
const upperBound = (request: CursorRequest, args: Arguments, expressions: string[]): string[] =>
  request.after !== undefined && request.before !== undefined
    ? [before(request.keys, request.before, args, expressions)]
    : []

/** A select of the page's rows as one text, each with its `place`. */
export const rowsOfPage = (resource: Resource, request: CursorRequest, ids: string): string => {
  const order = orderText(request.keys, (index) => `page_ids.${keyName(index)}`)
  const place = request.keys.map((_, index) => `page_ids.${keyName(index)}`).join(', ')
  return `select ${rowsAsText} from (
    select ${resource.columns(request.level)}, json_build_array(${place}) as place
    from (${ids}) page_ids join ${resource.table} on t.id = page_ids.id
    order by ${order}
  ) r`
}

/** Drops the rows read beyond the page. */
export const cutPage = (request: CursorRequest, rows: PlacedRow[]): RowsOfPage => {
  const more = rows.length > request.size
  if (!more) return { rows, more }
  return { rows: isBackward(request) ? rows.slice(-request.size) : rows.slice(0, request.size), more }
}
