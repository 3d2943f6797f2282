import { type Atom, isOfSet, rankedMost } from './atoms.ts'
import type { Builder } from './builder.ts'
import {
  cardsOf,
  cardsOfPage,
  cardsOfSets,
  firstCards,
  isInOrder,
  nearOf,
  rarest,
  type Span,
  setAt,
} from './candidates.ts'
import { cardIs } from './conditions.ts'
import { nearFactor, type PageOfHits, scores, selectFirst } from './order.ts'
import type { Meaning, Persons, Resolved } from './resolve.ts'

/**
 * How many candidates to rank if even the rarest of several terms has more than `rankedMost` cards, and each candidate
 * costs a lookup for the other terms. Those that match all terms by one name or set come first.
 */
const rankedOfMany = 1000

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

/**
 * Cards that match every term. If a single term has very many cards, only those of the page are read, and none are counted.
 * `isOverfull`: a first attempt found more cards than the ranking limit, despite the estimate.
 */
export const cardHits = (
  resolved: Resolved,
  hasSets: boolean,
  page: PageOfHits & { isFilled: boolean; isOverfull: boolean },
  builder: Builder,
): CardHits | undefined => {
  const rare = rarest(resolved.meanings, () => true)
  if (!rare) return undefined
  const { exact, near } = rare.meaning
  const isOnly = resolved.meanings.length === 1
  // Several atoms may count the same cards, so a query of one term checks each atom separately.
  const isMany =
    page.isOverfull || (isOnly ? [...exact, ...near].some(({ cards }) => cards > rankedMost) : rare.cards > rankedMost)
  const driver = { ...rare, isMany, cards: page.isOverfull ? Math.max(rare.cards, rankedMost + 1) : rare.cards }
  const canWalk = isOnly && (page.isFilled || exact.every(isWalked))
  if (canWalk && isMany) return walkedHits(driver, hasSets, page, builder)
  return { ...rankedHits(resolved, driver, hasSets, page, builder), canWalk }
}

type Driver = { meaning: Meaning; cards: number; isMany: boolean }

/** Whether the cards of an atom can be read in checklist order from anywhere. */
const isWalked = (atom: Atom) => (isOfSet(atom) || isInOrder(atom)) && !('named' in atom && atom.named.cut)

/** Whether a term asks only for a card's number and its set, which every candidate carries. */
const isQuick = ({ exact, near }: Meaning) => [...exact, ...near].every((atom) => isOfSet(atom) || atom.of === 'number')

/** Cards of a single term in checklist order, without near misses: the exact matches are more than anyone pages through. */
const walkedHits = (
  { meaning, cards }: Driver,
  hasSets: boolean,
  page: PageOfHits & { isFilled: boolean },
  builder: Builder,
): CardHits => {
  const counted = { tables: [], count: '0', of: '0', cards, most: 0, canWalk: false }
  if (page.isFilled) return { ...counted, rows: 'null::json' }
  const span = cardsOfPage(page, builder.args)
  const sources = sourcesOf(meaning.exact, 0, hasSets, span, builder)
  const all = sources.map((select) => `(select id, set_no, number_key from (${select}) d)`).join(' union ')
  const hits = `(select ${scores.card}::float8 as score, set_no as a, number_key as b, id from (${all}) d) h`
  return { ...counted, rows: selectFirst(hits, 'cards', page, builder.args) }
}

/** Selects of cards that match a term; those of its sets come from `set_hits`, if that is the only term. */
const sourcesOf = (atoms: Atom[], near: number, isOfSetHits: boolean, span: Span, builder: Builder) =>
  isOfSetHits
    ? [
        ...ofSetHits(near, span),
        ...cardsOf(
          atoms.filter((atom) => !isOfSet(atom)),
          span,
          builder,
        ),
      ]
    : cardsOf(atoms, span, builder)

const ofSetHits = (near: number, span: Span) => [
  cardsOfSets(`(select h.id, h.no from set_hits h where h.near = ${near})`, span),
]

const rankedHits = (
  { meanings, persons }: Resolved,
  driver: Driver,
  hasSets: boolean,
  page: PageOfHits,
  builder: Builder,
): Omit<CardHits, 'canWalk'> => {
  const { isMany } = driver
  const { exact, near } = driver.meaning
  const most = isMany && !meanings.every(isQuick) ? rankedOfMany : rankedMost + 1
  const span = firstCards(most)
  const isSingle = meanings.filter(({ excludes }) => !excludes).length === 1
  const isOfSetHits = isSingle && hasSets
  const select = (from: string, nearness: number) =>
    `(select d.id, d.set_no, d.number_key, d.by, ${nearness} as near from (${from}) d)`
  const hasBest = isMany && !isSingle
  const first = hasBest ? preferred(persons) : []
  const best = [...cardsOf(first, span, builder), ...(hasBest && hasSets ? ofSetHits(0, span) : [])]
  const selects = [
    ...[...best, ...sourcesOf(exact, 0, isOfSetHits, span, builder)].map((from) => select(from, 0)),
    ...sourcesOf(near, 1, isOfSetHits, span, builder).map((from) => select(from, 1)),
  ]
  const [only, ...more] = [...exact, ...near]
  const subjects = [...exact, ...near].filter((atom) => atom.of === 'subject')
  const isFoundByNamed =
    best.length === 0 && subjects.length === more.length + 1 && subjects.every(({ named }) => !named.cut)
  const looked = {
    foundBy: isFoundByNamed ? subjects : undefined,
    isByPlayers: [...subjects, ...first].every((atom) => 'column' in atom && atom.column === 'player_id'),
    candidates: Math.min(driver.cards, most),
    numberKey: more.length === 0 && !isMany && only?.of === 'number' ? only.key : undefined,
  }
  const others = nearOf(
    meanings,
    driver.meaning,
    (atoms) => cardIs(atoms, builder, looked),
    () => true,
  )
  const asksSets = /\bs\./.test(others.where)
  const hits = `select c.id, c.set_no, c.number_key, ${others.near ? `c.near${others.near}` : 'c.near'} as near
    from candidates c ${asksSets ? setAt('s.no = c.set_no') : ''} where ${others.where}`
  const isOnce = selects.length === 1 && [...exact, ...near].every(({ of }) => of !== 'subject' && of !== 'attribute')
  return {
    ...{ cards: driver.cards, most },
    tables: [
      `candidates as materialized (${selects.join(' union all ')} limit ${most})`,
      `card_hits as materialized (${isOnce ? hits : `select id, set_no, number_key, min(near) as near from (${hits}) h group by 1, 2, 3`})`,
    ],
    count: '(select count(*) from card_hits)',
    of: '(select count(*) from candidates)',
    rows: selectFirst(
      `(select ${scores.card} * ${nearFactor('near')} as score, set_no as a, number_key as b, id from card_hits) h`,
      'cards',
      page,
      builder.args,
    ),
  }
}

/** The players or teams that match every term of the query exactly. */
const preferred = (persons: Persons[]): Atom[] =>
  persons.flatMap(({ type, some }): Atom[] => {
    const ids = some.filter(({ near }) => near === 0).map(({ id }) => id)
    const column = type === 'players' ? 'player_id' : 'team_id'
    return ids.length > 0 ? [{ of: 'subject', column, named: { ids, names: [] }, cards: 0 }] : []
  })
