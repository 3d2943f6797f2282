import type { Place } from '../../jsonapi/cursor.ts'
import type { Condition } from '../../jsonapi/list-filters.ts'
import type { Row } from '../model/resource.ts'
import type { Key } from './keyset.ts'

/** A list as it is asked for: who reads, what, and in which order. */
export type ListRequest = {
  level: number
  conditions: Condition[]
  keys: Key[]
  /** Names the catalog as it was when the request was admitted: a count made in the same one still holds. */
  catalogState?: string
}

/** A page of it between cursors. */
export type CursorRequest = ListRequest & { size: number; after?: Place; before?: Place }

/** A page of it by its number. */
export type NumberedRequest = ListRequest & { page: number; perPage: number }

/** A row with the place that it has in the order of its list. */
export type PlacedRow = Row & { place: Place }
