import type { Person, Persons } from '../match/persons.ts'
import { type HitRow, lastPlace, numberOf } from './order.ts'
import type { RankRequest } from './request.ts'
import { bases, costMost, popularity, round, weights } from './score.ts'

/** The players or teams on a page as hits. If very many match, the first page only needs those with the most cards. */
export const personHits = ({ type, some, many }: Persons, page: RankRequest): HitRow[] => {
  const isFirst = page.order === 'relevance' && !page.after && !page.before
  const others = many ? (isFirst ? many.ordered(page.size + 1) : many.all()) : []
  const listed = new Set(some.map(({ id }) => id))
  return [...some, ...others.filter(({ id }) => !listed.has(id))].map((one) => hitOf(type, one, page.order))
}

const hitOf = (
  type: Persons['type'],
  { id, key, cost, isWhole, cards }: Person,
  order: RankRequest['order'],
): HitRow => {
  const parts = {
    base: isWhole ? bases.whole : bases.person,
    words: -Math.min(costMost, cost),
    popularity: round(popularity(cards) * weights.fame),
  }
  const score = round(parts.base + parts.words + parts.popularity)
  return {
    type,
    score,
    place: [order === 'relevance' ? score : lastPlace, numberOf(type), 0, key, id],
    parts: () => parts,
  }
}
