import { type Node, type TermNode, termsOf } from '../language/query.ts'
import { type Atom, cardsOfAll, isOfSet, type SetAtom } from '../match/term-matches.ts'

type Conditions = {
  meanings: Map<TermNode, Atom[]>
  /** The atom as it counts here, possibly at another cost. Undefined if it doesn't count. */
  fitting: (atom: Atom) => Atom | undefined
  anyOf: (atoms: Atom[]) => string
  /** The term that found the rows, and the column with its cost. If it found only some of the rows, `which` is true for those. */
  found?: { term: TermNode; cost: string; which?: string }
}

/**
 * A query in SQL: the parts that a row must all match. Each is an expression of what its match costs a row, and null for a row without
 * one, so that no condition stands twice. Undefined if no row can match.
 */
export const compile = (node: Node, conditions: Conditions): string[] | undefined => {
  const parts = (node.op === 'and' ? node.of : [node]).map((one) => costOf(one, conditions))
  return areDefined(parts) ? parts.filter((part) => part !== free) : undefined
}

/** The cost of what excludes nothing. */
const free = '0::float8'

/** What a row costs that matches all parts, in SQL. */
export const sumOf = (costs: string[]) => costs.join(' + ') || free

const costOf = (node: Node, conditions: Conditions): string | undefined => {
  if (node.op === 'term') return costOfTerm(node, conditions)
  if (node.op === 'not') {
    const excluded = costOf(node.of, exactly(conditions))
    return excluded === undefined ? free : `case when (${excluded}) is null then ${free} end`
  }
  const parts = node.of.map((one) => costOf(one, conditions))
  if (node.op === 'and') return areDefined(parts) ? `(${parts.join(' + ')})` : undefined
  const some = parts.filter((part) => part !== undefined)
  return some.length > 1 ? `least(${some.join(', ')})` : some[0]
}

const areDefined = (parts: (string | undefined)[]): parts is string[] => !parts.includes(undefined)

/** Excluded terms only exclude exact matches, not similar ones. */
const exactly = (conditions: Conditions): Conditions => ({
  ...conditions,
  found: undefined,
  fitting: (atom) => {
    const fitted = conditions.fitting(atom)
    return atom.isNear ? undefined : fitted
  },
})

const costOfTerm = (node: TermNode, { meanings, fitting, anyOf, found }: Conditions): string | undefined => {
  const isFound = found?.term === node
  if (isFound && !found.which) return found.cost
  const atoms = (meanings.get(node) ?? []).flatMap((atom) => fitting(atom) ?? [])
  if (atoms.length === 0) return undefined
  const groups = [...Map.groupBy(atoms, ({ cost }) => cost)].toSorted(([a], [b]) => a - b)
  const cases = groups.map(([cost, some], no) => {
    const isLast = no === groups.length - 1
    const matches = isFound && isLast ? `${found.which} or ${anyOf(some)}` : anyOf(some)
    return `when ${matches} then ${cost}::float8`
  })
  return `case ${cases.join(' ')} end`
}

/** The terms that find the fewest candidates, the atoms to find them by, and about how many cards that gives. */
export type Driver = { terms: TermNode[]; atoms: Atom[]; cards: number }

type AtomsOf = (term: TermNode) => Atom[]

/** The driver of a query in a catalog of about `all` cards. 'all' if every card is a candidate, undefined if nothing can match. */
export const driverOf = (node: Node, atomsOf: AtomsOf, all: number): Driver | 'all' | undefined => {
  if (node.op === 'not') return 'all'
  if (node.op === 'term') {
    const atoms = atomsOf(node)
    return atoms.length > 0 ? { terms: [node], atoms, cards: cardsOfAll(atoms) } : undefined
  }
  const parts = node.of.map((one) => driverOf(one, atomsOf, all))
  const some = parts.filter((part): part is Driver => typeof part === 'object')
  if (node.op === 'and') {
    if (parts.includes(undefined)) return undefined
    const rarest = some.toSorted((a, b) => a.cards - b.cards)[0]
    if (!rarest || rarest.cards <= fewCards) return rarest ?? 'all'
    return bySets(node.of.filter(isAlternative), atomsOf, all, rarest)
  }
  if (parts.includes('all')) return 'all'
  if (some.length === 0) return undefined
  return {
    terms: some.flatMap(({ terms }) => terms),
    atoms: some.flatMap(({ atoms }) => atoms),
    cards: some.reduce((cards, one) => cards + one.cards, 0),
  }
}

/** For each term (or alternative) of a query, its conditions on sets. Empty for a single term. */
export const setWays = (node: Node, atomsOf: AtomsOf): (Atom & SetAtom)[][] =>
  node.op === 'and'
    ? node.of
        .filter(isAlternative)
        .map((one) => termsOf(one).flatMap(atomsOf).filter(isOfSet))
        .filter(({ length }) => length > 0)
    : []

/** Checking this few candidates is faster than intersecting sets. */
const fewCards = 1000

/** Whether a node is a term, or terms joined by OR. */
const isAlternative = (node: Node): boolean =>
  node.op === 'term' || (node.op === 'or' && node.of.every(({ op }) => op === 'term'))

/**
 * A driver with fewer candidates than the rarest term, if there is one: the cards of sets that match several terms at once, and the
 * cards that match one of these terms themselves. `1989`, `upper` and `deck` each match many sets, but few match all three.
 */
const bySets = (nodes: Node[], atomsOf: AtomsOf, all: number, rarest: Driver): Driver => {
  const ways = nodes
    .map((node) => {
      const terms = termsOf(node)
      const atoms = terms.flatMap(atomsOf)
      const ofSets = atoms.filter(isOfSet)
      const ofCards = atoms.filter((atom) => !isOfSet(atom))
      return { terms, ofSets, ofCards, inSets: Math.min(cardsOfAll(ofSets), all), onCards: cardsOfAll(ofCards) }
    })
    .filter(({ ofSets }) => ofSets.length > 0)
    .toSorted((a, b) => a.onCards - b.onCards || a.inSets - b.inSets)
  let best = rarest
  for (let count = 2; count <= ways.length; count++) {
    const some = ways.slice(0, count)
    const [least = 0, ...more] = some.map(({ inSets }) => inSets).toSorted((a, b) => a - b)
    // Terms often come from the same name, so their frequencies aren't independent.
    const together = Math.round(more.reduce((cards, one) => cards * Math.sqrt(one / all), least))
    const cards = together + some.reduce((found, { onCards }) => found + onCards, 0)
    if (cards >= best.cards) continue
    const every: Atom = { of: 'every', terms: some.map(({ ofSets }) => ofSets), cards: together, cost: 0 }
    best = { terms: some.flatMap(({ terms }) => terms), atoms: [every, ...some.flatMap((one) => one.ofCards)], cards }
  }
  return best
}
