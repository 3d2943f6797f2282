import type { Place } from '../../jsonapi/cursor.ts'
import type { Condition } from '../../jsonapi/list-filters.ts'
import type { Row } from '../model/resource.ts'
import type { Key } from './keyset.ts'

/** A request for a list: the reader's level, the filters and the order. */
export type ListRequest = {
  level: number
  conditions: Condition[]
  keys: Key[]
  /** The state of the catalog when the request was admitted. A count from the same state is still right. */
  catalogState?: string
}

/** A request for a page between cursors. */
export type CursorRequest = ListRequest & { size: number; after?: Place; before?: Place }

/** A request for a numbered page. */
export type NumberedRequest = ListRequest & { page: number; perPage: number }

/** A row with its position in the order of its list. */
export type PlacedRow = Row & { place: Place }
