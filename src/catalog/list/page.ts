import type { Place } from '../../jsonapi/cursor.ts'
import type { Condition } from '../../jsonapi/list-filters.ts'
import type { Resource, Row } from '../model/resource.ts'
import { rowsAsText } from '../show/rows.ts'
import { before, type Key, keyName, orderText, type Range, rangesBehind, reversed } from './keyset.ts'
import type { Arguments } from './statement.ts'

/** A list as it is asked for: who reads, in which order, from where, and how many rows. */
export type KeysetRequest = {
  level: number
  size: number
  keys: Key[]
  conditions: Condition[]
  /** Names the catalog as it was when the request was admitted: totals that were counted in the same one are remembered. */
  catalogState?: string
  after?: Place
  before?: Place
}

/** A row with the place that it has in the order of its list. */
export type PlacedRow = Row & { place: Place }

/** Rows of a page in their order, and whether more lie beyond it in the direction in which it was read. */
export type RowsOfPage = { rows: PlacedRow[]; more: boolean }

/**
 * Where the ids of a list come from, in its order: a select of `id` and the columns of the order as `keyName` calls them,
 * for one range, at most `limit` rows.
 */
export type Source = {
  /** The expressions of the order's columns in `select`; by default those of the keys. */
  expressions?: string[]
  select: (range: Range, bound: string[], order: string, limit: number) => string
  /** A table `v (value)` of the values of a list, each of whose rows are read along the index, then merged. */
  each?: string
  /** Whether a row may come from more than one of them. */
  repeats?: boolean
  /** The expression of the id, where that is not `t.id`. */
  id?: string
  /** The ids that match, for counting: `from … where …`. */
  matches: string
}

type Places = { after?: Place; before?: Place }

/** Whether a page is read from its end: only what comes before a place was asked for. */
export const isBackward = ({ after, before }: Places) => before !== undefined && after === undefined

/** What lies around a page, and whether a range was cut to its size; `more` is whether more lie in the direction in which it was read. */
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
 * How a list is read. A steady one is given by an index in its order, whatever its values are; `total` is from maintained
 * counts, and undefined where matches have to be counted.
 */
export type ListPlan = {
  isSteady: boolean
  source: (args: Arguments) => Source
  total: (args: Arguments) => string | undefined
  /** How many match, up to one more than are counted, where there is a cheaper way than counting them. */
  count?: (args: Arguments) => string
}

/**
 * How many rows are read for a page: more than it holds, so that it is known whether more follow, and one of three numbers,
 * so that lists have few statements.
 */
const rowsRead = (size: number) => [26, 51].find((rows) => size < rows) ?? 101

/** A select of the ids of a page in their order, and of some that follow. */
export const idsOfPage = (request: KeysetRequest, source: Source, args: Arguments): string => {
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

/** The condition that keeps a page before its second cursor, where it has two. */
const upperBound = (request: KeysetRequest, args: Arguments, expressions?: string[]): string[] =>
  request.after !== undefined && request.before !== undefined
    ? [before(request.keys, request.before, args, expressions)]
    : []

/** A select of the page's rows as one text, each with its `place`. */
export const rowsOfPage = (resource: Resource, request: KeysetRequest, ids: string): string => {
  const order = orderText(request.keys, (index) => `page_ids.${keyName(index)}`)
  const place = request.keys.map((_, index) => `page_ids.${keyName(index)}`).join(', ')
  return `select ${rowsAsText} from (
    select ${resource.columns(request.level)}, json_build_array(${place}) as place
    from (${ids}) page_ids join ${resource.table} on t.id = page_ids.id
    order by ${order}
  ) r`
}

/** Leaves out what was read beyond the page. */
export const cutPage = (request: KeysetRequest, rows: PlacedRow[]): RowsOfPage => {
  const more = rows.length > request.size
  if (!more) return { rows, more }
  return { rows: isBackward(request) ? rows.slice(-request.size) : rows.slice(0, request.size), more }
}
