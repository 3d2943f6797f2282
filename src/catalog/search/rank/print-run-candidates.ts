import { cardMatches, cardsOfSets, listedSets, type Span } from './candidates.ts'
import type { Driver } from './compile.ts'
import { setWays } from './compile.ts'
import type { RankRequest } from './request.ts'
import type { Builder } from './statement-builder.ts'

/** How many sets are searched for cards of a print run. */
const searchedSets = 200

/** Cards of a print run are everywhere, so this selects those in the sets that match the other terms best. */
export const printRunCandidates = (
  { terms, atoms }: Driver,
  { node, resolved }: RankRequest,
  span: Span,
  builder: Builder,
): string[] => {
  const printRun = atoms.find((atom) => atom.of === 'serial')
  const ways = printRun ? setWays(node, (term) => resolved.meanings.get(term) ?? []) : []
  if (!printRun || terms.length > 1 || ways.length === 0) return []
  const sets = builder.sets.costed([{ of: 'every', terms: ways, cards: 0, cost: 0 }]).slice(0, searchedSets)
  return [cardsOfSets(`(${listedSets(sets, builder)})`, span, cardMatches(printRun, builder))]
}
