import type { Builder } from './builder.ts'
import { cardMatches, cardsOfSets, costedSets, type Span } from './candidates.ts'
import type { Driver } from './compile.ts'
import { setWays } from './compile.ts'
import type { RankRequest } from './request.ts'

/** How many sets are searched for cards of a print run. */
const searchedSets = 200

/** Cards of a print run are everywhere, so this selects those in the sets that match the other terms best. */
export const meantSerials = (
  { terms, atoms }: Driver,
  { node, resolved }: RankRequest,
  span: Span,
  builder: Builder,
): string[] => {
  const printRun = atoms.find((atom) => atom.of === 'serial')
  const ways = printRun ? setWays(node, (term) => resolved.meanings.get(term) ?? []) : []
  if (!printRun || terms.length > 1 || ways.length === 0) return []
  const sets = costedSets([{ of: 'every', terms: ways, cards: 0, cost: 0 }], builder)
  return [
    cardsOfSets(
      `(select e.id, e.no, e.cost from ${sets} e order by e.cost, e.no limit ${searchedSets})`,
      span,
      cardMatches(printRun, builder),
    ),
  ]
}
