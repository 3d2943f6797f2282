import { rankedMost } from '../find/atoms.ts'
import type { Builder } from './builder.ts'
import { type Found, matchingCards } from './matching-cards.ts'
import type { RankRequest } from './request.ts'

/** The cards that facets count: the tables they are read by (the last is `counted`), and a select of whether more match. */
export type CountedCards = { tables: string[]; areMore: string }

const counted = (hits: string) => `counted as materialized (select id, set_no from (${hits}) h limit ${rankedMost})`

/** The hits that are ranked, of as many candidates as `most`. */
export const countedHits = (most: number): CountedCards => ({
  tables: [counted('select id, set_no from card_hits')],
  areMore: `((select count(*) from candidates) >= ${most} or (select count(*) from card_hits) > ${rankedMost})`,
})

/** The first cards that match, where fewer or none are ranked: to count them takes neither scores nor an order. */
export const countedApart = (found: Found, request: RankRequest, builder: Builder): CountedCards => {
  const most = rankedMost + 1
  const { table, hits, isOnce } = matchingCards({ found, request, name: 'counted_of', most }, builder)
  return {
    tables: [table, counted(isOnce ? hits : `select distinct id, set_no from (${hits}) h`)],
    areMore: `(select count(*) from counted_of) >= ${most}`,
  }
}
