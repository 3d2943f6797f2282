import { type Node, type TermNode, termsOf } from '../language/query.ts'
import { costs } from '../match/meaning.ts'
import { type Atom, isOfSet, rankedMost, type SetAtom } from '../match/term-matches.ts'
import type { KnownSet } from '../name-cache/known-sets.ts'
import type { Distances } from '../sets/distances.ts'
import { byCost, type SeenSets } from '../sets/seen-sets.ts'
import { driverOf } from './compile.ts'
import { type HitRow, numberOf } from './order.ts'
import type { RankRequest } from './request.ts'
import { bases, costMost, round, weights } from './score.ts'

/** An atom as it applies to a set. A word in a set's own name or labels costs it less than it costs its cards. */
const ofSet = (atom: Atom): (Atom & SetAtom) | undefined => {
  // Replacing the team only makes sense for cards.
  if (!isOfSet(atom) || (atom.of === 'any' && atom.isNear)) return undefined
  const isPlace = atom.of === 'set' && atom.column !== 'year_id'
  return { ...atom, cost: isPlace ? round(Math.max(0, atom.cost - costs.inSet)) : atom.cost }
}

/** A set that matches a query, as a hit. */
export type SetHit = HitRow & { set: KnownSet }

/** The sets that match a query, at most one more than are ranked. */
export const setHits = (request: RankRequest, seen: SeenSets, distances: Distances): SetHit[] => {
  const { node, resolved } = request
  const known = new Map<TermNode, (Atom & SetAtom)[]>()
  const atomsOf = (term: TermNode) =>
    known.getOrInsertComputed(term, () =>
      (resolved.meanings.get(term) ?? []).flatMap((atom) => ofSet(atom) ?? []).sort(byCost),
    )
  const driver = driverOf(node, atomsOf, resolved.all)
  if (!driver) return []
  const atoms = driver === 'all' ? [{ of: 'any' } as const] : driver.atoms.filter(isOfSet)
  const exactly = new Map(termsOf(node).map((term) => [term, atomsOf(term).filter(({ isNear }) => !isNear)] as const))
  const hits: SetHit[] = []
  for (const set of inOrder(seen.matching(atoms))) {
    const cost = costOf(node, (term, isExact) => seen.costOf(set, isExact ? (exactly.get(term) ?? []) : atomsOf(term)))
    if (cost !== undefined) hits.push(hitOf(set, cost, request, distances))
    if (hits.length > rankedMost) break
  }
  return hits
}

/** Sets in an order that doesn't depend on when they came to be known, if only some of them are hits. */
const inOrder = (sets: Set<KnownSet>) => (sets.size > rankedMost ? [...sets].sort((a, b) => a.no - b.no) : sets)

/** What a set costs by the costs of its terms. Undefined if it doesn't match. Excluded terms only exclude exact matches. */
const costOf = (
  node: Node,
  costOfTerm: (term: TermNode, isExact: boolean) => number | undefined,
  isExact = false,
): number | undefined => {
  if (node.op === 'term') return costOfTerm(node, isExact)
  if (node.op === 'not') return costOf(node.of, costOfTerm, true) === undefined ? 0 : undefined
  let all: number | undefined = node.op === 'and' ? 0 : undefined
  for (const one of node.of) {
    const cost = costOf(one, costOfTerm, isExact)
    if (node.op === 'and' && cost === undefined) return undefined
    if (cost !== undefined) all = node.op === 'and' ? (all ?? 0) + cost : Math.min(all ?? cost, cost)
  }
  return all
}

const hitOf = (set: KnownSet, cost: number, { name, order }: RankRequest, distances: Distances): SetHit => {
  const { distance, parallel } = distances.of(set)
  const key = set.name.toLowerCase()
  const whole = key === name ? weights.whole : 0
  const words = Math.min(costMost, cost)
  const below = set.parent === null ? 0 : weights.below
  const score = round(bases.set + whole - words - distance - below - parallel)
  const [first, group] = firstOf(order, set, score, distances)
  return {
    type: 'sets',
    set,
    place: [first, group, 0, key, set.id],
    score,
    parts: () => ({ base: bases.set, whole, words: -words, set: -distance, below: -below, parallel: -parallel }),
  }
}

/** The first two parts of a set's place in an order (`keysOf` in order.ts has those of cards). */
const firstOf = (
  order: RankRequest['order'],
  set: KnownSet,
  score: number,
  { yearOf }: Distances,
): [number, number] => {
  const group = numberOf('sets')
  if (order === 'relevance') return [score, group]
  if (order === 'newest') return [set.newest, group]
  if (order === 'name') return [0, 1]
  if (order === 'number') return [0, group]
  const year = yearOf(set)
  return [order === 'year' ? -(year ?? 9999) : (year ?? -1), group]
}
