import { type Atom, cardsOfAll, type SetAtom } from '../match/term-matches.ts'
import type { KnownSet, KnownSets } from '../name-cache/known-sets.ts'

/** How many levels below a set are included. */
const deepest = 8

/** A set and what its match costs. */
export type CostedSet = { set: KnownSet; cost: number }

/** The sets of the catalog as one reader sees them, for one search. */
export type SeenSets = {
  /** Any set by its number, visible or not. */
  setOf: (no: number) => KnownSet | undefined
  /** A bit for the number of each visible set. */
  visible: Uint8Array
  /** What a set costs as a match of the first of some atoms, the cheapest first. Undefined if it matches none. */
  costOf: (set: KnownSet, atoms: (SetAtom & { cost: number })[]) => number | undefined
  /** The visible sets that match any of the atoms. */
  matching: (atoms: SetAtom[]) => Set<KnownSet>
  /** The same with the lowest costs, in the order of cost and number. */
  costed: (atoms: (Atom & SetAtom)[]) => CostedSet[]
}

/** What a condition names, by id. */
type Listed = { ids: string[] }

/** The sets that a reader of a level sees. */
export const seenSets = (known: KnownSets, level: number): SeenSets => {
  const families = new Map<Listed, Set<KnownSet>>()
  const idSets = new Map<Listed, Set<string>>()
  const isVisible = (set: KnownSet) => set.audience >= level
  const setsCalled = (ids: string[]) =>
    ids.flatMap((id) => {
      const one = known.get(id)
      return one?.type === 'sets' ? [one] : []
    })
  /** Sets with all sets below them, as far as each step is visible. */
  const familyOf = ({ ids }: Listed) => {
    const family = new Set<KnownSet>()
    let next = setsCalled(ids).filter(isVisible)
    for (let depth = 0; depth <= deepest && next.length > 0; depth++) {
      const below: KnownSet[] = []
      for (const set of next) family.add(set)
      for (const { id } of next)
        for (const set of known.under(id)) if (isVisible(set) && !family.has(set)) below.push(set)
      next = below
    }
    return family
  }
  const family = (listed: Listed) => families.getOrInsertComputed(listed, familyOf)
  const idsIn = (listed: Listed) => idSets.getOrInsertComputed(listed, ({ ids }) => new Set(ids))
  const matches = (set: KnownSet, atom: SetAtom): boolean => {
    if (atom.of === 'any') return true
    if (atom.of === 'kind') return set.kind === atom.kind
    if (atom.of === 'every') return atom.terms.every((some) => some.some((one) => matches(set, one)))
    if (atom.column === 'family') return family(atom.named).has(set)
    const id = atom.column === 'id' ? set.id : set[atom.column]
    return id !== null && idsIn(atom.named).has(id)
  }
  const all = (atom: SetAtom): Iterable<KnownSet> => {
    if (atom.of === 'any') return known.sets()
    if (atom.of === 'kind') return [...known.sets()].filter((set) => matches(set, atom))
    if (atom.of === 'every') {
      const [rarest = [], ...others] = atom.terms.toSorted((a, b) => cardsOfAll(a) - cardsOfAll(b))
      return [...matching(rarest)].filter((set) => matches(set, { of: 'every', terms: others }))
    }
    if (atom.column === 'family') return family(atom.named)
    if (atom.column === 'id') return setsCalled(atom.named.ids)
    return atom.named.ids.flatMap((id) => [...known.under(id)])
  }
  const matching = (atoms: SetAtom[]) => {
    const some = new Set<KnownSet>()
    for (const atom of atoms) for (const set of all(atom)) if (isVisible(set)) some.add(set)
    return some
  }
  const costOf: SeenSets['costOf'] = (set, atoms) => atoms.find((atom) => matches(set, atom))?.cost
  /** What a set costs that matches an atom. */
  const costingOf = (atom: Atom & SetAtom): ((set: KnownSet) => number) => {
    if (atom.of !== 'every') return () => atom.cost
    const terms = atom.terms.map((some) => some.toSorted(byCost))
    return (set) => terms.reduce((sum, some) => sum + (costOf(set, some) ?? 0), atom.cost)
  }
  return {
    setOf: known.setOf,
    visible: known.visible(level),
    costOf,
    matching,
    costed: (atoms) => {
      const costs = new Map<KnownSet, number>()
      for (const atom of atoms) {
        const costIn = costingOf(atom)
        for (const set of matching([atom])) costs.set(set, Math.min(costs.get(set) ?? Infinity, costIn(set)))
      }
      return [...costs].map(([set, cost]) => ({ set, cost })).sort((a, b) => a.cost - b.cost || a.set.no - b.set.no)
    },
  }
}

/** The order of ways to match, the cheapest first. */
export const byCost = (a: { cost: number }, b: { cost: number }) => a.cost - b.cost
