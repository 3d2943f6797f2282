import { namesOf, wordsOf } from '../../../lib/words.ts'
import { mapInTurns } from '../../../lib/yield-to-event-loop.ts'
import type { Node, Pattern, TermNode } from '../language/query.ts'
import type { Known } from '../name-cache/feed-delta.ts'
import {
  type Finding,
  type Findings,
  type FoundPerson,
  type PersonType,
  personTypes,
} from '../name-cache/known-people.ts'
import { type NameQuery, tsqueryOf } from '../name-query.ts'
import { exactlyNamed, nearlyNamed } from '../sets/named.ts'
import type { NearWords } from '../words.ts'
import { lookUpPersons, onceEach, personsMost, rightFrom } from './look-up-persons.ts'
import { meantBy } from './near-words.ts'
import {
  distanceFrom,
  type Fit,
  fitAmong,
  isPlain,
  nearQueryOf,
  noneNear,
  queryOf,
  splitQueryOf,
  withSplits,
  wordsIn,
} from './pattern.ts'
import type { Persons } from './persons.ts'
import { cardsOfAll, type FoundName, type NameType, rankedMost, type TooManyNames } from './term-matches.ts'

/** What a term asks for among names: the records of some tables whose names have a pattern, or a similar one if it is loose. */
export type AskedName = { term: TermNode; types: readonly NameType[]; pattern: Pattern; isLoose: boolean }

/** What was found. `cut` has those of each lookup and type with more exact matches than are listed, by a key. */
type Names = { found: FoundName[]; cut: Map<string, TooManyNames['withCards']>; persons: Persons[] }

/** The most records of a type that are listed for one term. If more match exactly, there are too many. */
const namedMost = { exact: 1000, near: 50 }

/** How many players or teams stand for all, if there are too many: the others are assumed to have as many cards as these on average. */
const examples = 30

/** How many players or teams with similar names are compared. */
const comparedMost = 120

/** How many players or teams match a term exactly, and those that are listed. */
type Listed = { type: PersonType; count: number; some: FoundPerson[] }

/** A player or team with how well their name fits. */
type Fitting = { person: FoundPerson; fit: Fit }

/**
 * Looks up the names of a query, and near misses of words that few names have. Players and teams that match the whole query are those of
 * its term if it has only one. Without `asksForPersons`, near misses of the whole query aren't looked up.
 */
export const lookUpNames = async (
  known: Known,
  { node, asked, asksForPersons }: { node: Node; asked: AskedName[]; asksForPersons: boolean },
  level: number,
): Promise<Names> => {
  const { sets, people } = known
  const single = singleOf(node)
  // Terms and the whole query often look for the same.
  const findings = new Map<string, Findings>()
  const find = (query: NameQuery) => findings.getOrInsertComputed(tsqueryOf(query), () => people.find(query, level))
  const listed = (types: readonly NameType[], query: NameQuery, most: number, shown = most): Listed[] => {
    const found = find(query)
    return personTypes
      .filter((type) => types.includes(type))
      .map((type) => {
        const { count, first } = found[type]
        return { type, count, some: first(count > most ? shown : most) }
      })
  }

  const exact = await mapInTurns(asked, ({ types, pattern }) =>
    listed(types, queryOf(pattern), namedMost.exact, isPlain(pattern) ? examples : namedMost.exact),
  )
  const ofSets = await mapInTurns(asked, ({ types, pattern }, no) => exactlyNamed(sets, { no, types, pattern, level }))
  const countOf = (no: number, type: NameType) =>
    exact[no]?.find((one) => one.type === type)?.count ??
    ofSets[no]?.reduce((count, one) => count + Number(one.type === type), 0) ??
    0
  const isRight = (no: number) => asked[no]?.types.some((type) => countOf(no, type) > rightFrom) ?? false
  const right = new Set(asked.flatMap(({ term }, no) => (isRight(no) ? [term] : [])))
  const isLoose = asked.map((one, no) => one.isLoose && !isRight(no))
  const meantIn = (some: AskedName[]) =>
    meantBy(
      known,
      some.flatMap(({ pattern }) => wordsIn(pattern)),
    )
  const { near, split } = await meantIn(asked.filter((_, no) => isLoose[no]))
  const inTwo = asked.map((one, no) => (isLoose[no] ? { ...one, pattern: withSplits(one.pattern, split) } : one))
  const similar = await mapInTurns(inTwo, ({ term, types, pattern }, no): Fitting[][] => {
    if (!isLoose[no]) return []
    const queries = [splitQueryOf(pattern), nearQueryOf(pattern, near)]
    const most = term === single ? personsMost.near : namedMost.near
    const found = queries.flatMap((query) => (query ? find(query) : []))
    return personTypes
      .filter((type) => types.includes(type))
      .map((type) => {
        const all = onceEach(found.flatMap((one) => one[type].best(comparedMost)))
        return nearestOf(fitting(all, pattern, near), pattern, near, most)
      })
  })
  const similarSets = await mapInTurns(inTwo, (one, no) =>
    isLoose[no] ? nearlyNamed(sets, { no, level, ...one }, near) : [],
  )

  const ofSingle = asked.flatMap(({ term }, no) => (term === single ? (similar[no] ?? []) : []))
  const persons = await lookUpPersons({
    node,
    find,
    meant: { near, split },
    right,
    asksForPersons,
    isAllPlain: asked.every(({ pattern }) => isPlain(pattern)),
    similar: single ? ofSingle.flat().map(({ person }) => person) : undefined,
    meantByAll: () => meantIn(asked.filter((one) => one.isLoose)),
  })

  return {
    found: inTwo.flatMap(({ pattern }, no) => [
      ...(exact[no] ?? []).flatMap((one) => exactlyFound(no, one, pattern)),
      ...(ofSets[no] ?? []),
      ...(similar[no] ?? [])
        .flat()
        .map(({ person: { type, id, name, cards }, fit }) => ({ no, type, id, name, fit, cards })),
      ...(similarSets[no] ?? []),
    ]),
    cut: new Map(
      asked.flatMap(({ pattern }, no) =>
        personTypes.flatMap((type) =>
          countOf(no, type) > namedMost.exact
            ? [[cutKey(no, type), withCards(find(queryOf(pattern))[type], pattern)] as const]
            : [],
        ),
      ),
    ),
    persons,
  }
}

/** The only term of a query, apart from excluded ones. */
const singleOf = (node: Node): TermNode | undefined => {
  if (node.op !== 'and') return node.op === 'term' ? node : undefined
  const [only, ...more] = node.of.filter(({ op }) => op !== 'not')
  return only?.op === 'term' && more.length === 0 ? only : undefined
}

/** The players or teams whose names are similar to a pattern, or start with it. */
const fitting = (some: FoundPerson[], pattern: Pattern, near: NearWords): Fitting[] =>
  some.flatMap((person) => {
    const fit = fitAmong(pattern, namesOf(person.name, person.aliases), near)
    return fit && fit !== 'exact' ? [{ person, fit }] : []
  })

/** Those with the nearest names. Of equally near ones, those with more cards, who come first. */
const nearestOf = (some: Fitting[], pattern: Pattern, near: NearWords, most: number): Fitting[] => {
  if (some.length <= most) return some
  return some
    .map((one) => ({ one, distance: distanceFrom(pattern, wordsOf(one.person.name), near) }))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ one }) => one)
}

/** The players or teams that match a term exactly. If not all are listed, each stands for several. */
const exactlyFound = (no: number, { count, some }: Listed, pattern: Pattern): FoundName[] => {
  const stoodFor = Math.max(1, count / some.length)
  return some.flatMap((one) => {
    const { type, id, name, cards } = one
    const isExact = isPlain(pattern) || isNamed(one, pattern)
    return isExact ? [{ no, type, id, name, fit: 'exact', cards: Math.round(cards * stoodFor) }] : []
  })
}

/** Lists as many of those with a pattern as have some number of cards together. */
const withCards = (found: Finding, pattern: Pattern): TooManyNames['withCards'] => {
  if (isPlain(pattern)) return found.withCards
  return () => {
    const some = found.first(rankedMost + 1).filter((one) => isNamed(one, pattern))
    return { ids: some.map(({ id }) => id), cards: cardsOfAll(some) }
  }
}

/** Whether a player or team has a name with a pattern. */
export const isNamed = (person: Pick<FoundPerson, 'name' | 'aliases'> | undefined, pattern: Pattern) =>
  person !== undefined && fitAmong(pattern, namesOf(person.name, person.aliases), noneNear) === 'exact'

/** The key in `cut` of a lookup's number and a type. */
export const cutKey = (no: number, type: PersonType) => `${no} ${type}`
