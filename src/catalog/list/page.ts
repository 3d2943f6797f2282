import type { Place } from '../../jsonapi/cursor.ts'
import type { Resource } from '../model/resource.ts'
import { rowsAsText } from '../show/rows.ts'
import { before, keyName, orderText, rangesAfter, reversed } from './keyset.ts'
import type { CursorRequest, PlacedRow } from './request.ts'
import type { Source } from './source.ts'
import type { Arguments } from './statement.ts'

/** The rows of a page in order, and whether more follow in the direction of reading. */
export type RowsOfPage = { rows: PlacedRow[]; more: boolean }

type Places = { after?: Place; before?: Place }

/** Whether a page is read backward: it has a position to end before, but none to start after. */
export const isBackward = ({ after, before }: Places) => before !== undefined && after === undefined

/** What surrounds a page, and whether a range was cut to the page size. `more`: more rows follow in the direction of reading. */
export const around = (places: Places, more: boolean) => {
  const { after, before } = places
  const backward = isBackward(places)
  return {
    hasBefore: backward ? more : after !== undefined,
    hasAfter: backward ? (before?.length ?? 0) > 0 : more || before !== undefined,
    isCut: more && !backward && before !== undefined,
  }
}

/** How many rows to read for a page: more than its size, to see if more follow. Only three numbers, to have few different statements. */
const rowsToRead = (size: number) => [26, 51].find((rows) => size < rows) ?? 101

/** A select of the ids of a page in order, and of some after it. */
export const idsOfPage = (request: CursorRequest, source: Source, args: Arguments): string => {
  const backward = isBackward(request)
  const keys = backward ? reversed(request.keys) : request.keys
  const place = backward ? request.before : request.after
  const limit = rowsToRead(request.size)
  const order = orderText(keys, keyName)
  const ranges = rangesAfter(keys, place?.length === 0 && backward ? undefined : place, args, source.expressions)
  const bound = ranges.length > 0 ? upperBound(request, args, source.expressions) : []
  const parts = ranges.map((range) => `(${source.select(range, bound, order, limit)})`)
  const columns = keys.map((_, index) => keyName(index)).join(', ')
  if (parts.length === 0) return `select ${columns}, null::uuid as id from (select 1) nothing where false`
  const inner = parts.join(' union all ')
  const all = source.each ? `select ${columns}, id from ${source.each} cross join lateral (${inner}) one_value` : inner
  if (parts.length === 1 && !source.each) return inner
  return `select ${source.repeats ? 'distinct ' : ''}${columns}, id from (${all}) parts order by ${order} limit ${limit}`
}

/** The condition that ends a page before its second cursor, if it has two. */
const upperBound = (request: CursorRequest, args: Arguments, expressions: string[]): string[] =>
  request.after !== undefined && request.before !== undefined
    ? [before(request.keys, request.before, args, expressions)]
    : []

/** A select of a page's rows as one text, each with its `place`. */
export const rowsOfPage = (resource: Resource, request: CursorRequest, ids: string): string => {
  const order = orderText(request.keys, (index) => `page_ids.${keyName(index)}`)
  const place = request.keys.map((_, index) => `page_ids.${keyName(index)}`).join(', ')
  return `select ${rowsAsText} from (
    select ${resource.columns(request.level)}, json_build_array(${place}) as place
    from (${ids}) page_ids join ${resource.table} on t.id = page_ids.id
    order by ${order}
  ) r`
}

/** Drops the extra rows that were read beyond the page. */
export const cutPage = (request: CursorRequest, rows: PlacedRow[]): RowsOfPage => {
  const more = rows.length > request.size
  if (!more) return { rows, more }
  return { rows: isBackward(request) ? rows.slice(-request.size) : rows.slice(0, request.size), more }
}
