import { mapInTurns } from '../../../lib/turn.ts'
import { type Finding, type KnownPerson, type PersonType, personTypes } from '../known/known-people.ts'
import type { Known } from '../known/news.ts'
import type { Node, Pattern, TermNode } from '../language/query.ts'
import type { NameQuery } from '../name-query.ts'
import { exactlyNamed, nearlyNamed } from '../sets/named.ts'
import { type NearWords, namesOf } from '../words.ts'
import { rankedMost } from './atoms.ts'
import { type Counts, type FoundName, type Listed, lookUp, type NameType } from './lookup.ts'
import { meantBy } from './near-words.ts'
import {
  type Fit,
  fitAmong,
  isPlain,
  nearest,
  nearQueryOf,
  noneNear,
  queryOf,
  splitQueryOf,
  withSplits,
  withSplitTerms,
  wordsIn,
} from './pattern.ts'
import { type Persons, personQuery, personsAmong, personsQuery, wholeOf } from './persons.ts'

/** What a term asks for among names: the records of some tables whose names have a pattern, or a similar one if it is loose. */
export type AskedName = { term: TermNode; types: readonly NameType[]; pattern: Pattern; isLoose: boolean }

/** What was found. `cut` has a key for each lookup and type with more exact matches than are listed. */
type Names = { found: FoundName[]; cut: Set<string>; persons: Persons[] }

/** What the names of a query find. `complete` finishes once the cards of the players and teams with these `ids` are counted. */
type LookedUp = { ids: string[]; complete: (counts: Counts) => Names }

/** The most records of a type that are listed for one term. If more match exactly, there are too many. */
const namedMost = { exact: 200, near: 50 }

/** The most players or teams that are listed for a whole query. Of more exact matches, as many as `exact` have their cards counted. */
const personsMost = { exact: 200, ordered: 1000, near: 400 }

/** How many players or teams stand for all, if there are too many: the others are assumed to have as many cards as these on average. */
const examples = 30

/** How many players or teams with similar names are compared. */
const comparedMost = 500

/** If more records than this have a word exactly, it is spelled right, and near misses aren't searched. */
const rightFrom = 50

/** A player or team with how well their name fits. */
type Fitting = { person: KnownPerson; fit: Fit }

/**
 * Looks up the names of a query, and near misses of words that few names have. Players and teams that match the whole query are those of
 * its term if it has only one. Without `asksForPersons`, near misses of the whole query aren't looked up.
 */
export const lookUpNames = async (
  known: Known,
  { node, asked, asksForPersons }: { node: Node; asked: AskedName[]; asksForPersons: boolean },
  level: number,
): Promise<LookedUp> => {
  const { sets, people } = known
  const single = singleOf(node)
  const { near, split } = await meantBy(
    known,
    asked.flatMap(({ isLoose, pattern }) => (isLoose ? wordsIn(pattern) : [])),
  )
  const whole = withSplitTerms(node, split)
  const inTwo = asked.map((one) => (one.isLoose ? { ...one, pattern: withSplits(one.pattern, split) } : one))
  const listed = (types: readonly NameType[], query: NameQuery | undefined, most: number, shown = most): Listed[] => {
    const some = personTypes.filter((type) => types.includes(type))
    return query && some.length > 0 ? lookUp(people, { types: some, query, most, shown }, level) : []
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
  const similar = await mapInTurns(inTwo, ({ term, types, pattern }, no): Fitting[][] => {
    if (!isLoose[no]) return []
    const queries = [splitQueryOf(pattern), nearQueryOf(pattern, near)]
    const most = term === single ? personsMost.near : 2 * namedMost.near
    const some = Map.groupBy(
      queries.flatMap((query) => listed(types, query, comparedMost)),
      ({ type }) => type,
    )
    return [...some.values()].map((lists) => {
      const all = onceEach(lists.flatMap((one) => one.some))
      return nearestOf(fitting(all, pattern, near), pattern, near, most)
    })
  })
  const similarSets = await mapInTurns(inTwo, (one, no) =>
    isLoose[no] ? nearlyNamed(sets, { no, level, ...one }, near) : [],
  )

  const isAllPlain = asked.every(({ pattern }) => isPlain(pattern))
  const persons = await mapInTurns([...personTypes], (type): PersonsFound => {
    const query = personsQuery(node, type)
    const found = query && people.find(query, level)[type]
    if (!found) return { type, some: [] }
    const isMany = isAllPlain && found.count > personsMost.exact
    const some = isMany
      ? [...found.called(wholeOf(node)[0] ?? '').slice(0, personsMost.ordered), ...found.best(personsMost.exact)]
      : found.first(personsMost.ordered)
    if (single) {
      const places = asked.flatMap(({ term }, no) => (term === single ? [no] : []))
      const others = places.flatMap((no) => (similar[no] ?? []).flatMap((of) => of.map(({ person }) => person)))
      return {
        type,
        some: onceEach([...some, ...others.filter((one) => one.type === type)]),
        found: isMany ? found : undefined,
      }
    }
    const loosely = personQuery(whole, type, (term) => (found.count === 0 || !right.has(term) ? near : undefined))
    const areOthers = asksForPersons && found.count <= rightFrom && loosely
    const others = areOthers ? people.find(loosely, level)[type].best(personsMost.near) : []
    return { type, some: onceEach([...some, ...others]), found: isMany ? found : undefined }
  })

  const complete = (counts: Counts): Names => ({
    found: inTwo.flatMap(({ pattern }, no) => [
      ...(exact[no] ?? []).flatMap((one) => exactlyFound(no, one, pattern, counts)),
      ...(ofSets[no] ?? []),
      ...(similar[no] ?? []).flatMap((some) => nearlyFound(no, some, { pattern, near, counts })),
      ...(similarSets[no] ?? []),
    ]),
    cut: new Set(
      asked.flatMap((_, no) =>
        personTypes.flatMap((type) => (countOf(no, type) > namedMost.exact ? [cutKey(no, type)] : [])),
      ),
    ),
    persons: persons.map(({ type, some, found }) => ({
      type,
      some: personsAmong(some, { node: whole, type, near }, counts),
      ...(found ? { many: { count: found.count, others: () => othersOf(found, some) } } : {}),
    })),
  })
  const all = [
    ...[...exact.flat(), ...persons].flatMap(({ some }) => some),
    ...similar.flat(2).map(({ person }) => person),
  ]
  return { ids: [...new Set(all.map(({ id }) => id))], complete }
}

/** The only term of a query, apart from excluded ones. */
const singleOf = (node: Node): TermNode | undefined => {
  if (node.op !== 'and') return node.op === 'term' ? node : undefined
  const [only, ...more] = node.of.filter(({ op }) => op !== 'not')
  return only?.op === 'term' && more.length === 0 ? only : undefined
}

const onceEach = (people: KnownPerson[]) => [...new Map(people.map((one) => [one.id, one])).values()]

/** Players or teams that match a whole query, before their cards are counted: those that are listed, and if there are too many, all that were `found`. */
type PersonsFound = { type: PersonType; some: KnownPerson[]; found?: Finding }

/** Those who are found and not listed. Their cards aren't counted. */
const othersOf = (found: Finding, listed: KnownPerson[]) => {
  const ids = new Set(listed.map(({ id }) => id))
  return found
    .first(rankedMost)
    .filter(({ id }) => !ids.has(id))
    .map(({ id, key }) => ({ id, key, cost: 0, cards: 0, isWhole: false }))
}

/** The players or teams whose names are similar to a pattern, or start with it. */
const fitting = (some: KnownPerson[], pattern: Pattern, near: NearWords): Fitting[] =>
  some.flatMap((person) => {
    const fit = fitAmong(pattern, namesOf(person.name, person.aliases), near)
    return fit && fit !== 'exact' ? [{ person, fit }] : []
  })

const nearestOf = (some: Fitting[], pattern: Pattern, near: NearWords, most: number): Fitting[] => {
  const named = some.map((one) => ({ one, id: one.person.id, name: one.person.name, cards: 0 }))
  return nearest(named, pattern, near, most).map(({ one }) => one)
}

/** The players or teams that match a term exactly. If not all are listed, each stands for several. */
const exactlyFound = (no: number, { count, some }: Listed, pattern: Pattern, counts: Counts): FoundName[] => {
  const stoodFor = Math.max(1, count / some.length)
  return some.flatMap(({ type, id, name, aliases }) => {
    const fit = isPlain(pattern) ? 'exact' : fitAmong(pattern, namesOf(name, aliases), noneNear)
    return fit === 'exact' ? [{ no, type, id, name, fit, cards: Math.round((counts.get(id) ?? 0) * stoodFor) }] : []
  })
}

type Nearly = { pattern: Pattern; near: NearWords; counts: Counts }

/** The players or teams that a term nearly names: the nearest of them, and of equally near ones those with the most cards. */
const nearlyFound = (no: number, some: Fitting[], { pattern, near, counts }: Nearly): FoundName[] => {
  const found = some.map(({ person: { type, id, name }, fit }) => ({
    no,
    type,
    id,
    name,
    fit,
    cards: counts.get(id) ?? 0,
  }))
  return nearest(found, pattern, near, namedMost.near)
}

/** The key in `cut` of a lookup's number and a type. */
export const cutKey = (no: number, type: PersonType) => `${no} ${type}`
