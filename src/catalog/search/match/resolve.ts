import type { Database } from '../../../../db/client.ts'
import { mapInTurns } from '../../../lib/yield-to-event-loop.ts'
import { type NameField, type Node, type Pattern, type TermNode, termsOf, type Wanted } from '../language/query.ts'
import { centuries } from '../language/spoken-years.ts'
import type { KnownPeople, PersonType } from '../name-cache/known-people.ts'
import type { KnownSets } from '../name-cache/known-sets.ts'
import { followCatalog } from '../name-cache/refresh.ts'
import { cardsOf } from '../sets/named.ts'
import { cardLookupOf } from './card-lookup.ts'
import { lookUpNow, readFacts } from './first-statement.ts'
import { asNames, findIdentified } from './identified.ts'
import { atomsOf, markPattern } from './meaning.ts'
import { type AskedName, cutKey, isNamed, lookUpNames } from './names.ts'
import { type Persons, personsById } from './persons.ts'
import { countSpread } from './scattered-counts.ts'
import type { Atom, FoundName, NameType, TooManyNames } from './term-matches.ts'
import { findLikelyTitles } from './titles.ts'

/** What each term of a query can mean in this catalog, and the players and teams that match the whole query. */
export type Resolved = {
  meanings: Map<TermNode, Atom[]>
  persons: Persons[]
  /** The sets and labels of the catalog, and its players and teams. */
  sets: KnownSets
  people: KnownPeople
  /** About how many cards there are. */
  all: number
}

/** The tables that each field searches. Words without a field search all of them. */
const typesOf: Record<NameField, readonly NameType[]> = {
  player: ['players'],
  team: ['teams'],
  set: ['sets'],
  brand: ['brands'],
  manufacturer: ['manufacturers'],
  genre: ['genres'],
  year: ['years'],
}
const allTypes: readonly NameType[] = ['players', 'teams', 'sets', 'brands', 'manufacturers', 'genres', 'years']

type Role = 'names' | 'years' | 'marked'
type Asked = AskedName & { role: Role }

/** Who asks, and in which state the catalog was when they were admitted, if known. */
export type Reader = { db: Database; level: number; state: string | undefined }

/**
 * Looks up the terms of a query in the catalog as a reader sees it, always in a few statements. `asksForPersons`: whether players and
 * teams may be hits themselves.
 */
export const resolve = async ({ db, level, state }: Reader, node: Node, asksForPersons: boolean): Promise<Resolved> => {
  const terms = termsOf(node)
  const asked = terms.flatMap(lookupsOf)
  const lookups = terms.map(({ wanted }) => cardLookupOf(wanted))
  const cardLookups = lookups.flatMap((lookup, no) => {
    const { codes: _, called: __, ...onCard } = lookup ?? {}
    return Object.keys(onCard).length > 0 ? [{ no, ...onCard }] : []
  })
  const following = followCatalog(db, state)
  const {
    known,
    found: names,
    read,
  } = await lookUpNow(
    following,
    (some) => lookUpNames(some, { node, asked, asksForPersons }, level),
    async (select) => {
      const [facts, identified, spread] = await Promise.all([
        readFacts(db, { onCards: cardLookups, select }, level),
        findIdentified(db, terms, level),
        countSpread(db, termsOf(node, false), level),
      ])
      return { ...facts, identified, spread }
    },
  )
  const { sets, people } = known
  const { onCards, all, identified, spread } = read
  const found = Map.groupBy(names.found, ({ no }) => no)
  const termsOfPeople = ofPeople(asked, names.found)
  const byTerm = new Map(onCards.map((one) => [one.no, one]))
  const likely = await findLikelyTitles(db, known.titles, { terms, onCards: byTerm }, level)
  const meanings = await mapInTurns(terms, (term, no) => {
    const of = (role: Role) => {
      const places = asked.flatMap((one, place) => (one.term === term && one.role === role ? [place] : []))
      return {
        found: places.flatMap((place) => found.get(place) ?? []),
        cutOf: (table: PersonType, pattern: Pattern): TooManyNames | undefined => {
          const withCards = places.flatMap((place) => names.cut.get(cutKey(place, table)) ?? [])[0]
          const among = (ids: string[]) => ids.filter((id) => isNamed(people.get(id), pattern))
          return withCards && { table, pattern, among, withCards }
        },
      }
    }
    const years = [...of('years').found, ...yearsIn(term.wanted, sets, level)]
    const own = of('names')
    const named = { ...own, found: [...own.found, ...asNames(identified.get(term) ?? [])] }
    const cards = (identified.get(term) ?? []).flatMap(({ type, id }) => (type === 'cards' ? [id] : []))
    const { codes, called } = lookups[no] ?? {}
    const findings = {
      names: named,
      marked: of('marked'),
      years,
      cards,
      onCards: byTerm.get(no),
      likelyTitles: likely.get(term) ?? [],
      codes: codes ? known.codes.among(codes, level) : [],
      called: called ? known.codes.called(called, level) : [],
      spread: spread.get(term),
      cardsOfKind: (kind: string) => cardsOfKind(sets, kind, level),
      cardsOfIds: (ids: string[]) => cardsOfIds(sets, ids, level),
      all,
    }
    return [term, atomsOf(term.wanted, { ...findings, isOfPerson: termsOfPeople.has(term) })] as const
  })
  const byId = node.op === 'term' ? identified.get(node) : undefined
  return {
    meanings: new Map(meanings),
    persons: byId ? await personsById(db, byId, level) : names.persons,
    sets,
    people,
    all,
  }
}

/** The terms that are part of a player's name together with another term. */
const ofPeople = (asked: Asked[], found: FoundName[]): Set<TermNode> => {
  const terms = new Set<TermNode>()
  const firstOf = new Map<string, TermNode>()
  for (const { no, type, id, fit } of found) {
    const { term, role } = asked[no] ?? {}
    if (type !== 'players' || fit !== 'exact' || !term || role !== 'names') continue
    const first = firstOf.getOrInsert(id, term)
    if (first !== term) terms.add(first).add(term)
  }
  return terms
}

const lookupsOf = (term: TermNode): Asked[] => {
  const { wanted } = term
  const mark = wanted.kind === 'mark' ? wanted.mark : wanted.kind === 'words' ? wanted.mark : undefined
  const named = mark ? markPattern(mark) : undefined
  const marked: Asked[] =
    named && named.any.length > 0 ? [{ term, role: 'marked', types: ['sets'], pattern: named, isLoose: false }] : []
  if (wanted.kind === 'name') {
    const types = wanted.isPerson ? typesOf.player : allTypes
    return [{ term, role: 'names', types, pattern: wanted.pattern, isLoose: wanted.isPerson }]
  }
  if (wanted.kind === 'shortYear') {
    const pattern: Pattern = { any: centuries.map((century) => [{ word: `${century}${wanted.digits}` }]) }
    return [{ term, role: 'years', types: ['years'], pattern, isLoose: false }]
  }
  if (wanted.kind !== 'words') return marked
  const { pattern, field, isQuoted, years } = wanted
  return [
    { term, role: 'names', types: field ? typesOf[field] : allTypes, pattern, isLoose: !isQuoted },
    ...(years ? [{ term, role: 'years', types: ['years'], pattern: years, isLoose: false } as const] : []),
    ...marked,
  ]
}

/** The years whose first year is in a range. Names without a year match no range. */
const yearsIn = (wanted: Wanted, sets: KnownSets, level: number): FoundName[] => {
  if (wanted.kind !== 'years') return []
  const { from = 0, to = 9999, except } = wanted.range
  return sets.labels('years').flatMap((year) => {
    const { id, name, audience } = year
    const first = Number(/^\d{4}/.exec(name.trim())?.[0] ?? Number.NaN)
    const isIn = audience >= level && first >= from && first <= to && first !== except
    return isIn ? [{ no: -1, type: 'years', id, name, fit: 'exact', cards: cardsOf(sets, year, level) } as const] : []
  })
}

const cardsOfIds = (sets: KnownSets, ids: string[], level: number) =>
  ids.reduce((cards, id) => {
    const one = sets.get(id)
    return cards + (one ? cardsOf(sets, one, level) : 0)
  }, 0)

const cardsOfKind = (sets: KnownSets, kind: string, level: number) => {
  let cards = 0
  for (const set of sets.sets()) if (set.kind === kind && set.audience >= level) cards += set.cards
  return cards
}
