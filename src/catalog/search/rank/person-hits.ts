import type { Person, Persons } from '../find/persons.ts'
import { firstOf, type HitRow, lastPlace, numberOf } from './order.ts'
import type { RankRequest } from './request.ts'
import { bases, costMost, popularity, round, weights } from './score.ts'

/**
 * The players or teams on a page as hits. If very many match, those with the most cards usually fill the page, and the others are left
 * out.
 */
export const personHits = ({ type, some, many }: Persons, page: RankRequest): HitRow[] => {
  const hits = some.map((one) => hitOf(type, one, page.order))
  if (!many) return hits
  // All others come after these.
  const isFull = page.order === 'relevance' && !page.before && firstOf(hits, page).length > page.size
  return isFull ? hits : [...hits, ...many.others().map((one) => hitOf(type, one, page.order))]
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
    ...{ type, score, place: [order === 'relevance' ? score : lastPlace, numberOf(type), 0, key, id] },
    parts: () => parts,
  }
}
