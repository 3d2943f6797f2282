import { rankedMost } from '../match/term-matches.ts'
import { type Found, matchingCards } from './matching-cards.ts'
import type { RankRequest } from './request.ts'
import type { Builder } from './statement-builder.ts'

/** The cards that facets count: tables for `with` (the last is `counted`), and a select of whether more match. */
export type CountedCards = { tables: string[]; areMore: string }

const counted = (hits: string, { facets }: RankRequest) =>
  `counted as materialized (select id, set_no${facets.includes('player') ? ', only_player' : ''} from ${hits} h limit ${rankedMost})`

/** Counts the ranked hits, found among at most `most` candidates. */
export const countedHits = (most: number, request: RankRequest): CountedCards => ({
  tables: [counted('card_hits', request)],
  areMore: `((select count(*) from candidates) >= ${most} or (select count(*) from card_hits) > ${rankedMost})`,
})

/** Counts the first cards that match, if fewer or none are ranked. This needs no scores and no order. */
export const countedApart = (found: Found, request: RankRequest, builder: Builder): CountedCards => {
  const most = rankedMost + 1
  const { table, hits } = matchingCards({ found, request, name: 'counted_of', most }, builder)
  return {
    tables: [table, counted(`(${hits})`, request)],
    areMore: `(select count(*) from counted_of) >= ${most}`,
  }
}
