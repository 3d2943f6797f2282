import type { KnownSet, KnownSets } from '../name-cache/known-sets.ts'

/** Where a set belongs, as a level sees it: the sets above it, from the top, and its year. Null if it has neither. */
export const contextOfSet = (known: KnownSets, set: KnownSet, level: number): string | null =>
  contextOf(known, known.above(set), set, level)

/** The same for a card of a set. */
export const contextOfCard = (known: KnownSets, set: KnownSet, level: number): string | null =>
  contextOf(known, [set, ...known.above(set)], set, level)

const contextOf = (known: KnownSets, path: KnownSet[], { year_id }: KnownSet, level: number) => {
  const year = year_id === null ? undefined : known.get(year_id)
  const shown = year && year.audience >= level ? year.name : null
  const names = path.filter(({ audience }) => audience >= level).map(({ name }) => name)
  if (names.length === 0) return shown
  const above = names.toReversed().join(' › ')
  return shown ? `${above} (${shown})` : above
}
