/**
 * How a score is made. A match starts with the base of its type. `words` subtracts what its matches cost (`costs` in find/meaning.ts),
 * `set` subtracts for extra words in the set's name, `below` for a set below another, and `parallel` for a parallel or variation that
 * the query doesn't name. `popularity` adds a little for many cards.
 */
export const bases = { whole: 0.95, person: 0.9, set: 0.85, card: 0.8 } as const

/** The most that `words` may subtract from a score. */
export const costMost = 0.75

export const weights = {
  whole: 0.1,
  set: 0.025,
  below: 0.004,
  parallel: 0.004,
  popularity: 0.0035,
  fame: 0.04,
} as const

/** Rounds a number to six places, as all scores are. */
export const round = (value: number) => Math.round(value * 1e6) / 1e6

/** The most that the people on a card add to its score, with room for rounding. */
export const popularityMost = round(weights.popularity + 0.00001)

/** The popularity of somebody with this many cards, from 0 to 1. */
export const popularity = (cards: number) => round(Math.min(1, Math.log1p(Math.max(0, cards)) / fullLog))

const fullLog = Math.log(100_000)

export const popularitySql = (cards: string) => `least(1, ln(1 + greatest(0, ${cards})::float8) / ln(100000::float8))`

/** The highest score of a card. */
export const cardMost = bases.card + weights.popularity

/** Words that any set's name may have at no cost. */
const plainWords = ['base', 'set', 'series', '1', '2', '3', 'one', 'two', 'low', 'high', 'the', 'and', 'of']

/** All words that a set's name may have at no cost: those of the query, the names of genres, and plain ones. */
export const freeWords = (asked: string[], genres: string[]) => new Set([...asked, ...genres, ...plainWords])

/** Rounds like `round`, in SQL. The database rounds binary numbers ten times as fast as decimal ones. */
export const rounded = (number: string) => `(round((${number}) * 1e6) / 1e6)`
