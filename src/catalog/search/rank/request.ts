import type { OrderName } from '../../../lib/search-language.ts'
import type { Node } from '../language/query.ts'
import type { Resolved } from '../match/resolve.ts'
import type { FacetName } from './facets.ts'
import type { PageOfHits, SearchedType } from './order.ts'

/** What to rank: a query and what it means here, the page, and everything else the caller asked for. */
export type RankRequest = PageOfHits & {
  level: number
  node: Node
  resolved: Resolved
  types: SearchedType[]
  order: OrderName
  facets: FacetName[]
  /** The query as a whole name, in lower case. */
  name: string
  /** The words of the query. A set's name may have these at no cost. */
  words: string[]
}
