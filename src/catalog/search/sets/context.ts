import type { KnownSet, KnownSets } from './known-sets.ts'

/** Where a set belongs: the sets above it, from the top, and its year. Null if it has neither. */
export const contextOfSet = (known: KnownSets, set: KnownSet): string | null =>
  contextOf(known, known.above(set).toReversed(), set)

/** The same for a card of a set. */
export const contextOfCard = (known: KnownSets, set: KnownSet): string | null =>
  contextOf(known, [set, ...known.above(set)].toReversed(), set)

const contextOf = (known: KnownSets, path: KnownSet[], { year_id }: KnownSet) => {
  const year = (year_id && known.get(year_id)?.name) || null
  if (path.length === 0) return year
  const names = path.map(({ name }) => name).join(' › ')
  return year ? `${names} (${year})` : names
}
