import { round, weights } from '../rank/score.ts'
import type { KnownSet, KnownSets } from './known-sets.ts'

/** What sets subtract from scores. */
export type Distances = {
  /** What a set subtracts for extra words in its name and those above it, and for being a parallel that the query doesn't name. */
  of: (set: KnownSet) => { distance: number; parallel: number }
  /** The year of a set, from the name of its year. */
  yearOf: (set: KnownSet) => number | undefined
}

/** What sets subtract if their names may have some words at no cost. */
export const distancesBy = (free: Set<string>, known: KnownSets): Distances => {
  const measured = new Map<KnownSet, { distance: number; parallel: number }>()
  const extras = new Map<KnownSet, number>()
  const countExtra = ({ names: [words = []] }: KnownSet) =>
    words.reduce((extra, word, at) => extra + Number(!free.has(word) && words.indexOf(word) === at), 0)
  const extraIn = (set: KnownSet) => extras.getOrInsertComputed(set, countExtra)
  const measure = (set: KnownSet) => {
    const own = extraIn(set)
    const all = known.above(set).reduce((sum, one) => sum + extraIn(one), own)
    const isParallel = own > 0 && (set.kind === 'parallel' || set.kind === 'variation')
    return { distance: round((weights.set * all) / (all + 3)), parallel: isParallel ? weights.parallel : 0 }
  }
  return {
    of: (set) => measured.getOrInsertComputed(set, measure),
    yearOf: ({ year_id }) => {
      const digits = /^ *(\d{4})/.exec((year_id && known.get(year_id)?.name) ?? '')?.[1]
      return digits === undefined ? undefined : Number(digits)
    },
  }
}
