import { type Atom, isOfSet, rankedMost, type SetAtom } from '../find/atoms.ts'
import type { Persons } from '../find/persons.ts'
import { type TermNode, termsOf } from '../language/query.ts'
import type { Builder } from './builder.ts'
import { cardsOf, cardsOfPage, cardsOfSets, firstCards, isInOrder, setsOf } from './candidates.ts'
import { compile, driverOf } from './compile.ts'
import { cardIs } from './conditions.ts'
import { meantSerials } from './meant-serials.ts'
import { keysOf, numberOf, selectFirst } from './order.ts'
import type { RankRequest } from './request.ts'
import { bases } from './score.ts'
import { type People, peopleOf, scoredCards } from './scored-cards.ts'

/**
 * How many candidates to rank if even the rarest of several terms has more than `rankedMost` cards, and each candidate
 * costs a lookup for the other terms. Those that match all terms by one name or set come first.
 */
const rankedOfMany = 1000

/** How many are sorted where another order than relevance is asked for. */
const sortedMost = 50_000

/**
 * The cards' part of an answer: tables for `with`, a select of the number of hits (`count`), and one of a page's rows. `of`
 * selects how many candidates were read for that; if it reaches `most`, the total is that share of the estimate `cards`.
 */
export type CardHits = {
  tables: string[]
  count: string
  of: string
  rows: string
  cards: number
  most: number
  /** Whether the cards can be read in checklist order instead, if there are more than the ranking limit. */
  canWalk: boolean
}

type Attempt = RankRequest & { isFilled: boolean; isOverfull: boolean }

/**
 * Cards that match a query. If a single term has very many cards, only those of the page are read, and none are counted.
 * `isOverfull`: a first attempt found more cards than the ranking limit, despite the estimate.
 */
export const cardHits = (request: Attempt, hasSets: boolean, free: string, builder: Builder): CardHits | undefined => {
  const { node, resolved, isOverfull } = request
  const atomsOf = (term: TermNode) => resolved.meanings.get(term) ?? []
  const found = driverOf(node, atomsOf, resolved.all)
  if (!found) return undefined
  const terms = found === 'all' ? [] : found.terms
  const atoms: Atom[] = found === 'all' ? [{ of: 'any', cards: rankedMost + 1, cost: 0 }] : found.atoms
  const isOnly = node.op === 'term'
  const known = found === 'all' ? rankedMost + 1 : found.cards
  // Several atoms may count the same cards, so a query of one term checks each atom separately.
  const isMany = isOverfull || (isOnly ? atoms.some(({ cards }) => cards > rankedMost) : known > rankedMost)
  const cards = isOverfull ? Math.max(known, rankedMost + 1) : known
  const driver: Driver = { terms, atoms, cards, isMany }
  const exact = atoms.filter(({ isNear }) => !isNear)
  const canWalk =
    isOnly &&
    request.order === 'relevance' &&
    request.facets.length === 0 &&
    (request.isFilled || exact.every(isWalked))
  if (canWalk && isMany) return walkedHits(driver, request, builder)
  return { ...rankedHits(driver, request, hasSets, free, builder), canWalk }
}

type Driver = { terms: TermNode[]; atoms: Atom[]; cards: number; isMany: boolean }

/** Whether the cards of an atom can be read in checklist order from anywhere. */
const isWalked = (atom: Atom) => (isOfSet(atom) || isInOrder(atom)) && !('named' in atom && atom.named.cut)

/** Whether a term asks only for a card's number and its set, which every candidate carries. */
const isQuick = (atoms: Atom[]) => atoms.every((atom) => isOfSet(atom) || atom.of === 'number' || atom.of === 'numbers')

/** Cards of a single term in checklist order, without near misses: the exact matches are more than anyone pages through. */
const walkedHits = ({ atoms, cards }: Driver, page: Attempt, builder: Builder): CardHits => {
  const counted = { tables: [], count: '0', of: '0', cards, most: 0, canWalk: false }
  if (page.isFilled) return { ...counted, rows: 'null::json' }
  const group = numberOf('cards')
  const hits = classesOf(atoms.filter(({ isNear }) => !isNear)).map((some, no, all) => {
    const score = bases.card - Math.min(...some.map(({ cost }) => cost))
    const span = cardsOfPage(page, score, group, builder.args)
    const earlier = all.slice(0, no).flat().filter(isOfSet)
    const sources =
      earlier.length > 0
        ? [
            cardsOfSets(
              `(select id, no, 0 as cost from (${setsOf(some as SetAtom[], builder)} except ${setsOf(earlier, builder)}) n)`,
              span,
            ),
          ]
        : cardsOf(some, span, builder)
    return `select ${score}::float8 as score, set_no, number_key, id from (${sources.map((select) => `(select id, set_no, number_key from (${select}) d)`).join(' union ')}) d`
  })
  const from = `(${hits.join(' union all ')}) h`
  const parts = `json_build_object('base', ${bases.card})`
  const keys = { first: 'score', group, a: 'set_no', b: 'number_key' }
  return { ...counted, rows: selectFirst({ from, parts }, 'cards', keys, page, builder.args) }
}

/** Ways to match one behind the other, the best first, where all are conditions on sets; otherwise all at once. */
const classesOf = (atoms: Atom[]): Atom[][] =>
  atoms.every(isOfSet)
    ? [...Map.groupBy(atoms, ({ cost }) => cost)].toSorted(([a], [b]) => a - b).map(([, some]) => some)
    : [atoms]

const rankedHits = (
  driver: Driver,
  request: Attempt,
  hasSets: boolean,
  free: string,
  builder: Builder,
): Omit<CardHits, 'canWalk'> => {
  const { node, resolved, order } = request
  const { isMany, atoms, terms } = driver
  const isSingle = node.op === 'term'
  const asked = termsOf(node, false)
  const isCheap = asked.every((term) => isQuick(resolved.meanings.get(term) ?? []))
  const isSample = isMany && !isCheap && request.facets.length === 0
  const most = order !== 'relevance' ? sortedMost : isSample ? rankedOfMany : rankedMost + 1
  const span = firstCards(most)
  const hasBest = isMany && !isSingle
  const first = hasBest ? preferred(resolved.persons) : []
  const best = [
    ...cardsOf(first, span, builder),
    ...(hasBest ? meantSerials(driver, request, span, builder) : []),
    ...(hasBest && hasSets ? [cardsOfSets('(select h.id, h.no, 0 as cost from set_hits h)', span)] : []),
  ]
  const people = peopleOf(node, resolved.meanings)
  const hasShares = people !== undefined && best.length === 0 && areAllIn(atoms, people)
  const driven = cardsOf(atoms, span, builder, hasShares ? people : undefined)
  const selects = [...best, ...driven].map(
    (from, no) => `(select id, set_no, number_key, cost, share, ${no >= best.length} as driven from (${from}) d)`,
  )
  const [only, ...more] = atoms
  const looked = {
    candidates: Math.min(driver.cards, most),
    numberKeys: more.length === 0 && !isMany && only?.of === 'number' ? only.keys : undefined,
  }
  const [term] = terms
  const { where, cost } = compile(node, {
    meanings: resolved.meanings,
    fitting: (atom) => atom,
    anyOf: (some) => cardIs(some, builder, looked),
    // Looking each candidate up again for what found it would double the lookups.
    ...(term && terms.length === 1
      ? { found: { term, cost: 'c.cost', ...(best.length > 0 ? { which: 'c.driven' } : {}) } }
      : {}),
  })
  const setAt = /\bs\./.test(`${where} ${cost}`)
    ? `cross join lateral (
        select s.id, s.brand_id, s.manufacturer_id, s.genre_id, s.year_id, s.kind from sets s where s.no = c.set_no offset 0
      ) s`
    : ''
  const hits = `select c.id, c.set_no, c.number_key, (${cost})::float8 as cost, c.share from candidates c ${setAt} where ${where}`
  const isOnce = selects.length === 1 && atoms.every(findsOnce)
  const known = { ...looked, people: hasShares ? undefined : people }
  const scored = request.isFilled ? undefined : scoredCards(request, free, known, builder)
  const keys = keysOf(order, 'cards', { first: 'score', group: numberOf('cards'), a: 'set_no', b: 'number_key' })
  return {
    ...{ cards: driver.cards, most },
    tables: [
      `candidates as materialized (${selects.join(' union all ')} limit ${most})`,
      `card_hits as materialized (${
        isOnce
          ? hits
          : `select id, set_no, number_key, min(cost) as cost, max(share) as share from (${hits}) h group by 1, 2, 3`
      })`,
      ...(scored?.tables ?? []),
    ],
    count: '(select count(*) from card_hits)',
    of: '(select count(*) from candidates)',
    rows: scored ? selectFirst(scored, 'cards', keys, request, builder.args) : 'null::json',
  }
}

/** Whether no card comes twice from a way to find it: two of several players may be on one card. */
const findsOnce = (atom: Atom) =>
  atom.of === 'attribute'
    ? atom.ids.length === 1
    : atom.of !== 'subject' || (!atom.named.cut && atom.named.ids.length === 1)

/** Whether all of some people are among those by whom the candidates are found. */
const areAllIn = (atoms: Atom[], { column, shares }: People) => {
  const found = new Set(
    atoms.flatMap((atom) => (atom.of === 'subject' && atom.column === column && !atom.named.cut ? atom.named.ids : [])),
  )
  return [...shares.keys()].every((id) => found.has(id))
}

/** The players or teams that match every term of the query exactly. */
const preferred = (persons: Persons[]): Atom[] =>
  persons.flatMap(({ type, some }): Atom[] => {
    const ids = some.filter(({ cost }) => cost === 0).map(({ id }) => id)
    const column = type === 'players' ? 'player_id' : 'team_id'
    return ids.length > 0 ? [{ of: 'subject', column, named: { ids }, cards: 0, cost: 0 }] : []
  })
