import { type MarkName, markCalled } from '../../../lib/search-language.ts'
import { wordsOf } from '../../../lib/words.ts'
import { numberKey } from '../../model/card-number.ts'
import { asksForCard, type Pattern, type Wanted } from '../language/query.ts'
import type { FoundCode } from '../name-cache/known-codes.ts'
import type { PersonType } from '../name-cache/known-people.ts'
import type { FoundOnCards } from './on-cards.ts'
import { type Fit, fitAmong, noneNear } from './pattern.ts'
import {
  type Atom,
  cardsOfAll,
  type FoundName,
  type LikelyTitles,
  type NameType,
  type SetColumn,
  type TooManyNames,
} from './term-matches.ts'

/**
 * What each way to match a term costs in score. A name on the card and a year cost nothing. A word found only in the set ranks after
 * one on the card, a manufacturer after a brand, a set named like a mark after the mark, and a set named like a person after the
 * person. Anything else ranks after a year or number in the query.
 */
export const costs = {
  inSet: 0.03,
  manufacturer: 0.06,
  notTheMark: 0.08,
  number: 0.02,
  notTheNumber: 0.1,
  notTheYear: 0.12,
  notThePerson: 0.05,
  notTheTeam: 0.3,
  fit: { exact: 0, beginning: 0.06, near: 0.3 } satisfies Record<Fit, number>,
} as const

/** Records that were found by name, and the cut of the players or teams if they are too many to list. */
type FoundNames = { found: FoundName[]; cutOf: (table: PersonType, pattern: Pattern) => TooManyNames | undefined }

const noCut = () => undefined

/** What the lookups of one term found. */
type Findings = {
  /** By the term's words, by years that it is short for, and by the words for its mark in set names. */
  names: FoundNames
  years: FoundName[]
  marked: FoundNames
  /** The ids of cards found by `id:`. */
  cards: string[]
  onCards?: FoundOnCards
  likelyTitles: LikelyTitles[]
  /** The codes that a term is, and those whose name it has. */
  codes: FoundCode[]
  called: FoundCode[]
  /** How many cards a term has if they are spread all over the catalog. Undefined if there are very many. */
  spread?: number
  /** Whether the term is part of a person's name, and the query has another part of it. */
  isOfPerson: boolean
  /** About how many cards the sets of a kind have, and those of some sets or labels by id. */
  cardsOfKind: (kind: string) => number
  cardsOfIds: (ids: string[]) => number
  /** About how many cards there are in total. */
  all: number
}

/** The ways for a card or a set to match a term. */
export const atomsOf = (wanted: Wanted, findings: Findings): Atom[] => {
  const { names, years, cards, onCards, likelyTitles, codes, called, spread, cardsOfKind, all } = findings
  const numbers = (spellings: string[], cost: number): Atom[] => [
    { of: 'number', keys: [...new Set(spellings.map(numberKey))], cards: onCards?.numbers ?? 0, cost },
  ]
  const attributes = (cost: number): Atom[] =>
    codes.length > 0 ? [{ of: 'attribute', ids: codes.map(({ id }) => id), cards: cardsOfAll(codes), cost }] : []
  const byCodeName = (pattern: Pattern, cost: number): Atom[] =>
    fits.flatMap((fit) => {
      const some = called.filter(({ name }) => fitAmong(pattern, [wordsOf(name)], noneNear) === fit)
      const at = { cards: cardsOfAll(some), cost: cost + costs.fit[fit], isNear: fit !== 'exact' }
      return some.length > 0 ? [{ of: 'attribute', ids: some.map(({ id }) => id), ...at }] : []
    })
  switch (wanted.kind) {
    case 'words': {
      const { pattern, spellings, mark } = wanted
      const isYear = years.length > 0 || names.found.some(({ type }) => type === 'years')
      const belowYear = (atoms: Atom[]) =>
        isYear && wanted.field === undefined ? atoms.map((atom) => withCost(atom, costs.notTheYear)) : atoms
      const isOnCard = wanted.field === undefined
      // A bare number means the card's number, before one in a title or a set's name.
      const isDigits = isOnCard && /^\d{1,3}$/.test(wanted.text)
      const numberPenalty = isDigits && onCards?.numbers ? costs.notTheNumber : 0
      return [
        ...named(findings.names, pattern).filter(isOfYear),
        ...named({ found: years, cutOf: noCut }, pattern),
        ...(asksForCard(wanted) && spread !== 0
          ? [{ of: 'called', name: wanted.text, cards: spread ?? all, cost: 0 } as const]
          : []),
        ...belowYear([
          ...named(findings.names, pattern)
            .filter((atom) => !isOfYear(atom))
            .map((atom) => withCost(atom, mark ? costs.notTheMark : numberPenalty))
            .map((atom) => (findings.isOfPerson && isFamily(atom) ? withCost(atom, costs.notThePerson) : atom)),
          ...(mark ? markedBy(mark, findings, attributes) : attributes(0)),
          ...(isOnCard ? byCodeName(pattern, mark ? costs.notTheMark : costs.inSet) : []),
          ...(spellings && onCards?.numbers ? numbers(spellings, isDigits ? 0 : costs.number) : []),
          ...(isOnCard && onCards?.titles
            ? [{ of: 'text', column: 'title', pattern, cards: onCards.titles, cost: numberPenalty } as const]
            : []),
          ...likely(likelyTitles, numberPenalty),
        ]),
      ]
    }
    case 'name':
      return named(names, wanted.pattern)
    case 'years':
    case 'shortYear':
      return named({ found: years, cutOf: noCut }, { any: [] })
    case 'number':
      return numbers(wanted.spellings, 0)
    case 'numbers':
      return [
        {
          of: 'numbers',
          bounds: wanted.bounds.map(({ comparison, number }) => ({ comparison, key: numberKey(number) })),
          cards: spread ?? all,
          cost: 0,
        },
      ]
    case 'serial':
      return [{ of: 'serial', range: wanted.range, cards: onCards?.serials ?? 0, cost: 0 }]
    case 'mark':
      return markedBy(wanted.mark, findings, attributes)
    case 'has':
      return [{ of: 'has', has: wanted.has, cards: spread ?? all, cost: 0 }]
    case 'code':
      return attributes(0)
    case 'setKind':
      return wanted.kinds.map((kind) => ({ of: 'kind', kind, cards: cardsOfKind(kind), cost: 0 }))
    case 'text': {
      const [column, texts] =
        wanted.field === 'title' ? (['title', onCards?.titles] as const) : (['notes', onCards?.notes] as const)
      const own: Atom[] = texts ? [{ of: 'text', column, pattern: wanted.pattern, cards: texts, cost: 0 }] : []
      return [...own, ...likely(likelyTitles, 0)]
    }
    case 'identifier': {
      const own: Atom[] = cards.length > 0 ? [{ of: 'record', ids: cards, cards: cards.length, cost: 0 }] : []
      return [...own, ...named(names, { any: [] })]
    }
    case 'label': {
      const column = wanted.label === 'set' ? 'id' : (`${wanted.label}_id` as const)
      return [{ of: 'set', column, named: { ids: wanted.ids }, cards: findings.cardsOfIds(wanted.ids), cost: 0 }]
    }
  }
}

const likely = (titles: LikelyTitles[], cost: number): Atom[] =>
  titles.map(({ fit, pattern, cards }) => ({
    of: 'text',
    column: 'title',
    pattern,
    cards,
    cost: cost + costs.fit[fit],
    isNear: true,
  }))

const withCost = (atom: Atom, cost: number): Atom => ({ ...atom, cost: atom.cost + cost })

const isFamily = (atom: Atom) => atom.of === 'set' && atom.column === 'family'

const isOfYear = (atom: Atom) => atom.of === 'set' && atom.column === 'year_id'

const markedBy = (
  name: MarkName,
  { marked, onCards, cardsOfKind }: Findings,
  attributes: (cost: number) => Atom[],
): Atom[] => {
  const { kind, serial } = markCalled(name)
  const limit = serial === 1 ? { from: 1, to: 1 } : {}
  return [
    ...attributes(0),
    ...(kind ? [{ of: 'kind', kind, cards: cardsOfKind(kind), cost: 0 } as const] : []),
    ...(serial ? [{ of: 'serial', range: limit, cards: onCards?.serials ?? 0, cost: 0 } as const] : []),
    ...named(marked, markPattern(name)),
  ]
}

/** The words for a mark in a set's name. */
export const markPattern = (name: MarkName): Pattern => ({
  any: (markCalled(name).named ?? []).map((words) => words.split(' ').map((word) => ({ word }))),
})

type Place =
  | { of: 'set'; column: SetColumn; cost: number }
  | { of: 'subject'; column: 'player_id' | 'team_id'; cost: number }

/** What each type of name applies to: the card, its set, or a set above it. */
const places: Record<NameType, Place> = {
  players: { of: 'subject', column: 'player_id', cost: 0 },
  teams: { of: 'subject', column: 'team_id', cost: 0 },
  sets: { of: 'set', column: 'family', cost: costs.inSet },
  brands: { of: 'set', column: 'brand_id', cost: costs.inSet },
  manufacturers: { of: 'set', column: 'manufacturer_id', cost: costs.manufacturer },
  genres: { of: 'set', column: 'genre_id', cost: costs.inSet },
  years: { of: 'set', column: 'year_id', cost: 0 },
}

const fits = ['exact', 'beginning', 'near'] as const

const named = ({ found, cutOf }: FoundNames, pattern: Pattern): Atom[] => {
  const groups = Map.groupBy(found, ({ type, fit }) => `${type} ${fit}`)
  return (Object.entries(places) as [NameType, Place][]).flatMap(([type, { cost, ...place }]) =>
    fits.flatMap((fit) => {
      const some = groups.get(`${type} ${fit}`)
      if (!some) return []
      const cut = fit === 'exact' && (type === 'players' || type === 'teams') ? cutOf(type, pattern) : undefined
      const ids = some.map(({ id }) => id)
      const counts = some.map((one) => one.cards)
      const cards = cardsOfAll(some)
      return [
        {
          ...place,
          named: { ids, counts, cut },
          cards,
          cost: cost + costs.fit[fit],
          isNear: fit !== 'exact',
        } as Atom,
      ]
    }),
  )
}
