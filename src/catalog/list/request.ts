import type { Place } from '../../jsonapi/cursor.ts'
import type { Condition } from '../../jsonapi/list-filters.ts'
import type { Row } from '../model/resource.ts'
import type { Key } from './keyset.ts'

/** A request for a list: who reads, what, and in which order. */
export type ListRequest = {
  level: number
  conditions: Condition[]
  keys: Key[]
  /** Identifies the state of the catalog when the request was admitted: a count from the same state still holds. */
  catalogState?: string
}

/** A page of it between cursors. */
export type CursorRequest = ListRequest & { size: number; after?: Place; before?: Place }

/** A numbered page of it. */
export type NumberedRequest = ListRequest & { page: number; perPage: number }

/** A row with its position in the order of its list. */
export type PlacedRow = Row & { place: Place }
