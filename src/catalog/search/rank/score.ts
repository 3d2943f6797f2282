/**
 * What a score is made of. A match begins with the base of its type; `words` takes what its weakest ways to match cost
 * (`costs` in find/meaning.ts), `set` how much more the set is called than was asked for, `below` a set below another, and
 * `parallel` a parallel or variation that was not named; `popularity` adds a little for many cards.
 */
export const bases = { whole: 0.95, person: 0.9, set: 0.85, card: 0.8 } as const

/** The most that words may take from a score. */
export const costMost = 0.75

export const weights = {
  whole: 0.1,
  set: 0.025,
  below: 0.004,
  parallel: 0.004,
  popularity: 0.0035,
  fame: 0.04,
} as const

/** A number to six places: the scores of hits. */
export const round = (value: number) => Math.round(value * 1e6) / 1e6

/** The most that the scores of two cards differ by when their words cost the same, with room for rounding. */
export const tieSpread = round(weights.set + weights.parallel + weights.popularity + 0.00001)

/** How popular somebody with so many cards is, from 0 to 1. */
export const popularity = (cards: number) => round(Math.min(1, Math.log1p(Math.max(0, cards)) / fullLog))

const fullLog = Math.log(100_000)

export const popularitySql = (cards: string) => `least(1, ln(1 + greatest(0, ${cards})::float8) / ln(100000::float8))`

/** The highest score of a card. */
export const cardMost = bases.card + weights.popularity

/** Words that the name of a set may have for nothing. */
const plainWords = ['base', 'set', 'series', '1', '2', '3', 'one', 'two', 'low', 'high', 'the', 'and', 'of']

/** The words that a query or the catalog gives a set for free, in SQL. */
export const freeWords = (asked: string[], genres: string[]) => [...new Set([...asked, ...genres, ...plainWords])]

/** How many words the names of the set `s` and of the two above it have that were not asked for: its own, and all. */
export const wordsLeft = (free: string) => ({
  own: `length(ts_delete(s.words, ${free}))`,
  above: `coalesce(length(ts_delete(p.words, ${free})), 0) + coalesce(length(ts_delete(g.words, ${free})), 0)`,
  from: 'left join sets p on p.id = s.parent_id left join sets g on g.id = p.parent_id',
})

/** What a set takes from a score by the words that are left of its name. */
export const distanceSql = (left: string) => `${weights.set} * (${left})::float8 / ((${left}) + 3)`

/** A number to six places, as `round` makes it; the database rounds binary numbers ten times as fast as decimal ones. */
export const rounded = (number: string) => `(round((${number}) * 1e6) / 1e6)`
