import type { KnownSet, KnownSets } from '../name-cache/known-sets.ts'
import { freeWords, round, weights } from '../rank/score.ts'

/** What a set subtracts for extra words in its name and those above it, and for being a parallel that the query doesn't name. */
type Taken = { distance: number; parallel: number }

/** What sets subtract from scores. */
export type Distances = {
  of: (set: KnownSet) => Taken
  /** The same for all sets, for a statement: a place in `takes` for the number of each set. */
  all: () => { places: Uint8Array; takes: number[] }
  /** The year of a set, from the name of its year. */
  yearOf: (set: KnownSet) => number | undefined
}

/** What sets subtract for a query's words, which their names may have at no cost, like the names of genres. */
export const distancesBy = (asked: string[], genres: string[], known: KnownSets): Distances => {
  const placeOf = placesBy(freeWords(asked, genres), known)
  return {
    of: (set) => takenAt(placeOf(set)),
    all: () => {
      const places = usualPlaces(known, genres).slice()
      const named = new Set<KnownSet>()
      for (const word of asked) for (const one of known.withWord(word)) if (one.type === 'sets') named.add(one)
      for (const set of named) for (const one of known.family(set)) places[one.no] = placeOf(one)
      return { places, takes }
    },
    yearOf: ({ year_id }) => {
      const digits = /^ *(\d{4})/.exec((year_id && known.get(year_id)?.name) ?? '')?.[1]
      return digits === undefined ? undefined : Number(digits)
    },
  }
}

/** The most extra words that count. */
const extraMost = 63

/** A set's place: how many extra words it has, doubled, and one more for a parallel. */
const placesBy = (free: Set<string>, known: KnownSets) => {
  const extras = new Map<KnownSet, number>()
  const countExtra = ({ names: [words = []] }: KnownSet) =>
    words.reduce((extra, word, at) => extra + Number(!free.has(word) && words.indexOf(word) === at), 0)
  const extraIn = (set: KnownSet) => extras.getOrInsertComputed(set, countExtra)
  return (set: KnownSet) => {
    const own = extraIn(set)
    const all = known.above(set).reduce((sum, one) => sum + extraIn(one), own)
    const isParallel = own > 0 && (set.kind === 'parallel' || set.kind === 'variation')
    return 2 * Math.min(all, extraMost) + Number(isParallel)
  }
}

const takenAt = (place: number): Taken => {
  const extra = place >> 1
  return { distance: round((weights.set * extra) / (extra + 3)), parallel: place & 1 ? weights.parallel : 0 }
}

const takes = Array.from({ length: 2 * extraMost + 2 }, (_, place) => {
  const { distance, parallel } = takenAt(place)
  return round(distance + parallel)
})

type Usual = { genres: string; places: Uint8Array }

/** The places of all sets for a query without words. Only those of sets that changed since the last search are made anew. */
const usualPlaces = (known: KnownSets, genres: string[]): Uint8Array => {
  const kept = usual.get(known)
  const changed = known.changed()
  const key = genres.join('\n')
  const isKept = kept?.genres === key
  const sets = isKept ? changed : [...known.sets()]
  const last = sets.reduce((most, { no }) => Math.max(most, no), -1)
  const places = isKept && last < kept.places.length ? kept.places : new Uint8Array(last + 1 + roomForMore)
  if (isKept && places !== kept.places) places.set(kept.places)
  const placeOf = placesBy(freeWords([], genres), known)
  for (const set of sets) places[set.no] = placeOf(set)
  usual.set(known, { genres: key, places })
  return places
}

const usual = new WeakMap<KnownSets, Usual>()
/** How many sets can be added before the places move. */
const roomForMore = 64
