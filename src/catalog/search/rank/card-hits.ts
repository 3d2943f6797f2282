import { firstFew } from '../../../lib/first-few.ts'
import { type TermNode, termsOf } from '../language/query.ts'
import type { Persons } from '../match/persons.ts'
import { type Atom, cardsOfAll, isOfSet, rankedMost } from '../match/term-matches.ts'
import type { Distances } from '../sets/distances.ts'
import { cardsOf, cardsOfPage, cardsOfSets, costedSets, firstCards, isInOrder, listedSets } from './candidates.ts'
import { driverOf } from './compile.ts'
import { type CountedCards, countedApart, countedHits } from './counted-cards.ts'
import { type Found, matchingCards } from './matching-cards.ts'
import { numberOf, selectFirst } from './order.ts'
import { printRunCandidates } from './print-run-candidates.ts'
import type { RankRequest } from './request.ts'
import { bases } from './score.ts'
import { type People, peopleOf, selectCards } from './scored-cards.ts'
import type { SetHit } from './set-hits.ts'
import type { Builder } from './statement-builder.ts'

/**
 * How many candidates are ranked if even the rarest of several terms has more than `rankedMost` cards and each candidate needs a
 * lookup for the other terms. Candidates whose person or set matches the whole query come first.
 */
const rankedOfMany = 1000

/** The most candidates that are sorted in an order other than relevance. If there are more, only `rankedMost` of them are. */
const sortedMost = 50_000

/**
 * The cards' part of an answer: tables for `with`, a select of the number of hits (`count`), and a select of the `rows` that a page
 * needs (`CardRow`). `of` selects how many candidates were read. If that reaches `most`, the total is an estimate: the share of hits
 * among them, times `cards`.
 */
export type CardHits = {
  tables: string[]
  count: string
  of: string
  rows: string
  cards: number
  most: number
  /** Whether cards beyond the ranking limit can be read in checklist order instead. */
  canWalk: boolean
  /** The cards that facets count. */
  counted: () => CountedCards
}

type Attempt = RankRequest & { isFilled: boolean; isOverfull: boolean }

/**
 * The cards that match a query. If a single term has very many, only the page's cards are read, and none are counted. `isOverfull`: a
 * first attempt found more cards than the ranking limit, despite the estimate.
 */
export const cardHits = (
  request: Attempt,
  sets: SetHit[],
  distances: Distances,
  builder: Builder,
): CardHits | undefined => {
  const { node, resolved, isOverfull } = request
  const atomsOf = (term: TermNode) => resolved.meanings.get(term) ?? []
  const found = driverOf(node, atomsOf, resolved.all)
  if (!found) return undefined
  const terms = found === 'all' ? [] : found.terms
  const atoms: Atom[] = found === 'all' ? [{ of: 'any', cards: rankedMost + 1, cost: 0 }] : found.atoms
  const isOnly = node.op === 'term'
  const known = found === 'all' ? Math.max(resolved.all, rankedMost + 1) : found.cards
  // Atoms may count the same cards, so with a single term each atom is checked on its own.
  const isMany = isOverfull || (isOnly ? atoms.some(({ cards }) => cards > rankedMost) : known > rankedMost)
  const cards = isOverfull ? Math.max(known, rankedMost + 1) : known
  const driver: Found = { terms, atoms, cards, isMany }
  const exact = atoms.filter(({ isNear }) => !isNear)
  const walked = exact.length > 0 ? exact : atoms
  // A few exact matches with very many near misses: these are ranked, so that the exact ones come first.
  const areAll = walked.length === atoms.length || cardsOfAll(walked) > rankedMost
  const canWalk = isOnly && request.order === 'relevance' && (request.isFilled || (areAll && walked.every(isWalked)))
  if (canWalk && isMany) return walkedHits({ ...driver, atoms: walked }, request, builder)
  return { ...rankedHits(driver, request, sets, distances, builder), canWalk: canWalk && request.facets.length === 0 }
}

/** Whether the cards of an atom can be read in checklist order from anywhere. */
const isWalked = (atom: Atom) => isOfSet(atom) || (isInOrder(atom) && !(atom.of === 'subject' && atom.named.cut))

/** Whether a term only asks for a card's number or set, which every candidate has at hand. */
const isQuick = (atoms: Atom[]) => atoms.every((atom) => isOfSet(atom) || atom.of === 'number' || atom.of === 'numbers')

/** The cards of a single term, in checklist order. */
const walkedHits = (found: Found, page: Attempt, builder: Builder): CardHits => {
  const { atoms, cards } = found
  const counted = () => countedApart(found, page, builder)
  const uncounted = { tables: [], count: '0', of: '0', cards, most: 0, canWalk: false, counted }
  if (page.isFilled) return { ...uncounted, rows: 'null::json' }
  const group = numberOf('cards')
  const hits = classesOf(atoms).map((some, no, all) => {
    const cost = Math.min(...some.map(({ cost }) => cost))
    const score = bases.card - cost
    const span = cardsOfPage(page, score, group, builder.args)
    const own = some.filter(isOfSet)
    const earlier = all.slice(0, no).flat().filter(isOfSet)
    const ids = (sets: typeof own) => `select n.id, n.no from ${costedSets(sets, builder)} n`
    const sources =
      earlier.length > 0
        ? [cardsOfSets(`(select id, no, 0 as cost from (${ids(own)} except ${ids(earlier)}) n)`, span)]
        : cardsOf(some, span, builder)
    return `select ${score}::float8 as score, ${cost}::float8 as cost, set_no, number_key, id from (${sources.map((select) => `(select id, set_no, number_key from (${select}) d)`).join(' union ')}) d`
  })
  const keys = { first: 'score', group, a: 'set_no', b: 'number_key' }
  const first = selectFirst(
    { from: `(${hits.join(' union all ')}) h`, columns: 'set_no, number_key, cost, score' },
    keys,
    page,
    builder.args,
  )
  const rows = `(select json_agg(json_build_array(f.id, f.set_no, f.number_key, f.cost, 0, f.score)) from (${first}) f)`
  return { ...uncounted, rows }
}

/** Ways to match, grouped by cost with the best first, if all are conditions on sets. Otherwise a single group. */
const classesOf = (atoms: Atom[]): Atom[][] =>
  atoms.every(isOfSet)
    ? [...Map.groupBy(atoms, ({ cost }) => cost)].toSorted(([a], [b]) => a - b).map(([, some]) => some)
    : [atoms]

const rankedHits = (
  driver: Found,
  request: Attempt,
  sets: SetHit[],
  distances: Distances,
  builder: Builder,
): Omit<CardHits, 'canWalk'> => {
  const { node, resolved, order } = request
  const { isMany, atoms } = driver
  const isCheap = termsOf(node, false).every((term) => isQuick(resolved.meanings.get(term) ?? []))
  const isSample = isMany && !isCheap && order === 'relevance'
  const isSorted = order !== 'relevance' && driver.cards <= sortedMost
  const most = isSorted ? sortedMost : isSample ? rankedOfMany : rankedMost + 1
  const span = firstCards(most)
  const hasBest = isMany && node.op !== 'term'
  const first = hasBest ? preferred(resolved.persons) : []
  const best = [
    ...cardsOf(first, span, builder),
    ...(hasBest ? printRunCandidates(driver, request, span, builder) : []),
    ...(hasBest && sets.length > 0 ? [cardsOfSets(`(${listedSets(firstSets(sets), builder)})`, span)] : []),
  ]
  const people = peopleOf(node, resolved.meanings)
  const hasShares = people !== undefined && best.length === 0 && areAllIn(atoms, people)
  const { table, hits, counts, areOnce, areAll, candidateFacts } = matchingCards(
    { found: driver, request, name: 'candidates', most, best, firsts: first, people: hasShares ? people : undefined },
    builder,
  )
  const counted = () => (isSample ? countedApart(driver, request, builder) : countedHits(most, request))
  if (request.isFilled && request.facets.length === 0)
    return {
      cards: driver.cards,
      most,
      counted,
      tables: counts,
      rows: 'null::json',
      count: '(select hits from counts)',
      of: '(select candidates from counts)',
    }
  const known = { ...candidateFacts, people: hasShares ? undefined : people }
  const kept = areOnce && areAll ? 'not materialized' : 'materialized'
  return {
    cards: driver.cards,
    most,
    counted,
    tables: [table, `card_hits as ${kept} (${hits})`],
    count: '(select count(*) from card_hits)',
    of: '(select count(*) from candidates)',
    rows: request.isFilled ? 'null::json' : selectCards(request, known, distances, builder),
  }
}

/** How many sets that match the whole query give their cards before others do. */
const firstSetsMost = 1000

const firstSets = (hits: SetHit[]) =>
  firstFew(hits, firstSetsMost, (a, b) => b.score - a.score || a.set.no - b.set.no).map(({ set }) => ({ set, cost: 0 }))

/** Whether the candidates are found through all of these people. */
const areAllIn = (atoms: Atom[], { column, shares }: People) => {
  const found = new Set(
    atoms.flatMap((atom) => (atom.of === 'subject' && atom.column === column && !atom.named.cut ? atom.named.ids : [])),
  )
  return [...shares.keys()].every((id) => found.has(id))
}

/** How many players or teams are preferred if very many match. */
const preferredMost = 200

/** The players or teams that match every term of the query exactly. */
const preferred = (persons: Persons[]): Atom[] =>
  persons.flatMap(({ type, some, many }): Atom[] => {
    const exact = [...some.filter(({ cost }) => cost === 0), ...(many?.best(preferredMost) ?? [])]
    const ids = [...new Set(exact.map(({ id }) => id))]
    const column = type === 'players' ? 'player_id' : 'team_id'
    return ids.length > 0 ? [{ of: 'subject', column, named: { ids }, cards: 0, cost: 0 }] : []
  })
