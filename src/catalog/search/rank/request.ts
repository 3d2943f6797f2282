import type { OrderName } from '../../../lib/search-language.ts'
import type { Resolved } from '../find/resolve.ts'
import type { Node } from '../language/query.ts'
import type { FacetName } from './facets.ts'
import type { PageOfHits, ReaderOfHits, SearchedType } from './order.ts'

/** What is to be ranked: a query with what it means here, the page that is wanted, and what is asked beside it. */
export type RankRequest = PageOfHits &
  ReaderOfHits & {
    node: Node
    resolved: Resolved
    types: SearchedType[]
    order: OrderName
    facets: FacetName[]
    /** The whole name to compare with, in lower case. */
    name: string
    /** The words of the query, which the name of a set may have for nothing. */
    words: string[]
  }
