import type { Database } from '../../../../db/client.ts'
import { mapInTurns } from '../../../lib/turn.ts'
import { newArguments } from '../../list/statement.ts'
import type { Node, Pattern, TermNode } from '../language/query.ts'
import type { KnownSets } from '../known/known-sets.ts'
import { exactlyNamed, nearlyNamed } from '../sets/named.ts'
import { type NearWords, namesOf, type SplitWords } from '../words.ts'
import {
  type FoundName,
  type Lookup,
  type NameRow,
  type NameType,
  type PersonType,
  personTypes,
  selectNames,
} from './lookup.ts'
import {
  fitAmong,
  isPlain,
  nearest,
  nearQueryOf,
  noneNear,
  splitQueryOf,
  tsqueryOf,
  withSplits,
  withSplitTerms,
} from './pattern.ts'
import { type Persons, personQuery, personsListed, personsOf } from './persons.ts'
import { readTogether } from './together.ts'

/** What a term asks for among names: the records of some tables whose names have a pattern, or a similar one if it is loose. */
export type AskedName = { term: TermNode; types: readonly NameType[]; pattern: Pattern; isLoose: boolean }

/** What was found. `cut` has a key for each lookup and type with more exact matches than are read. */
type Names = { found: FoundName[]; cut: Set<string>; persons: Persons[] }

/** The words similar to a query's, and the words that may be two. */
type Words = { near: NearWords; split: SplitWords }

/** The most records of a table that are read for one term. If one more matches exactly, there are too many. */
const namedMost = { exact: 200, near: 50 }

/** The most players or teams that are read for a whole query. */
const personsMost = { exact: personsListed, near: 400 }

/** For how many records of a lookup the cards are counted. The others are assumed to have the average. */
const countedMost = 30

/** If more records than this have a word exactly, it is spelled right, and near misses aren't searched. */
const rightFrom = 50

/** Players and teams that may be hits themselves all have their cards counted. */
const countedPersons = personsMost.exact + personsMost.near

/** A lookup of players and teams in the database for the name number `no`, or for the whole query if there is no such name. */
type Numbered = { no: number; lookup: Lookup }

/**
 * Looks up names in two steps. `exact` has the lookups for exact matches among players and teams, which run with everything else a query
 * needs. `complete` adds sets and labels, and near misses of words that few names have. Players and teams that match the whole query come
 * from the same rows if a single term names them. Without `asksForPersons`, near misses of the whole query aren't read.
 */
export const nameLookups = (node: Node, asked: AskedName[], asksForPersons: boolean) => {
  const single = singleOf(node)
  const isAllPlain = asked.every(({ pattern }) => isPlain(pattern))
  const persons = single
    ? []
    : personTypes.flatMap((type) =>
        personLookup(type, personQuery(node, type), personsMost.exact + 1, isAllPlain ? countedMost : undefined),
      )
  const exact: Numbered[] = [
    ...asked.flatMap(({ term, types, pattern }, no) => {
      const [query, most] = [tsqueryOf(pattern), namedMost.exact + 1]
      const shown = isPlain(pattern) ? countedMost : most
      const counted = term === single ? countedPersons : countedMost
      return lookupsAmong(types, no, { query, most, shown, counted })
    }),
    ...persons.map(({ lookup }, at) => ({ no: asked.length + at, lookup })),
  ]
  const complete = async (
    db: Database,
    known: KnownSets,
    answered: NameRow[],
    words: Words,
    level: number,
  ): Promise<Names> => {
    const { near, split } = words
    const whole = withSplitTerms(node, split)
    const inTwo = asked.map((one) => (one.isLoose ? { ...one, pattern: withSplits(one.pattern, split) } : one))
    const exactly = Map.groupBy(numbered(answered, exact), ([no]) => no)
    const remembered = await mapInTurns(asked, ({ types, pattern }, no) =>
      exactlyNamed(known, { no, types, pattern, level }),
    )
    const countOf = (no: number, type: NameType) =>
      exactly.get(no)?.find((row) => row[1] === type)?.[7] ??
      remembered[no]?.reduce((count, one) => count + Number(one.type === type), 0) ??
      0
    const isRight = (no: number) => asked[no]?.types.some((type) => countOf(no, type) > rightFrom) ?? false
    const right = new Set(asked.flatMap(({ term }, no) => (isRight(no) ? [term] : [])))
    const isSearchedLoosely = (no: number) => asked[no]?.isLoose && !isRight(no)
    const loose = inTwo.flatMap(({ term, types, pattern }, no) => {
      const queries = isSearchedLoosely(no) ? [splitQueryOf(pattern), nearQueryOf(pattern, near)] : []
      const most = term === single ? personsMost.near : 2 * namedMost.near
      const counted = term === single ? countedPersons : countedMost
      return queries.flatMap((query) => (query ? lookupsAmong(types, no, { query, most, shown: most, counted }) : []))
    })
    const loosePersons = persons.flatMap(({ type }, at) => {
      const found = countOf(asked.length + at, type)
      if (found > rightFrom || !asksForPersons) return []
      const query = personQuery(whole, type, (term) => (found === 0 || !right.has(term) ? near : undefined))
      return query === personQuery(node, type)
        ? []
        : personLookup(type, query, personsMost.near).map(({ lookup }) => ({ no: asked.length + at, lookup }))
    })
    const nearly = Map.groupBy(await readNear(db, [...loose, ...loosePersons], level), ([no]) => no)
    const found = await mapInTurns(inTwo, (one, no) => [
      ...foundOf(no, one, exactly.get(no) ?? [], near, { isExact: true }),
      ...(remembered[no] ?? []),
      ...foundOf(no, one, onceEach(nearly.get(no) ?? []), near, { isExact: false }),
      ...(isSearchedLoosely(no) ? nearlyNamed(known, { no, level, ...one }, near) : []),
    ])
    const cut = asked.flatMap((_, no) =>
      personTypes.flatMap((type) => (countOf(no, type) > namedMost.exact ? [cutKey(no, type)] : [])),
    )
    const places = single
      ? asked.flatMap(({ term }, no) => (term === single ? [no] : []))
      : [...persons.keys()].map((at) => asked.length + at)
    // Rows that are too many were only read in part.
    const isCut = (type: PersonType) => isAllPlain && places.some((no) => countOf(no, type) > personsMost.exact)
    const both = places.flatMap((no) => [...(exactly.get(no) ?? []), ...(nearly.get(no) ?? [])])
    return {
      found: found.flat(),
      cut: new Set(cut),
      persons: personTypes.flatMap((type) => personsOf(whole, type, both, near, isCut(type))),
    }
  }
  return { exact: exact.map(({ lookup }) => lookup), complete }
}

/** A lookup among the players and teams of some types of names, if there are any. */
const lookupsAmong = (types: readonly NameType[], no: number, lookup: Omit<Lookup, 'types'>): Numbered[] => {
  const some = personTypes.filter((type) => types.includes(type))
  return some.length > 0 ? [{ no, lookup: { ...lookup, types: some } }] : []
}

/** Rows with the numbers of names instead of lookups. */
const numbered = (rows: NameRow[], lookups: Numbered[]): NameRow[] =>
  rows.map(([at, ...row]) => [lookups[at]?.no ?? at, ...row])

/** The only term of a query, apart from excluded ones. */
const singleOf = (node: Node): TermNode | undefined => {
  if (node.op !== 'and') return node.op === 'term' ? node : undefined
  const [only, ...more] = node.of.filter(({ op }) => op !== 'not')
  return only?.op === 'term' && more.length === 0 ? only : undefined
}

const personLookup = (type: PersonType, query: string | undefined, most: number, shown = most) =>
  query ? [{ type, lookup: { types: [type], query, most, shown, counted: countedPersons } satisfies Lookup }] : []

const readNear = async (db: Database, some: Numbered[], level: number): Promise<NameRow[]> => {
  if (some.length === 0) return []
  const args = newArguments()
  const lookups = some.map(({ lookup }) => lookup)
  const { rows } = await readTogether<{ rows: NameRow[] | null }>(db, { rows: selectNames(lookups, level, args) }, args)
  return numbered(rows ?? [], some)
}

const onceEach = (rows: NameRow[]) => [...new Map(rows.map((row) => [row[2], row])).values()]

/** The players and teams that match a term exactly, or its nearest near misses. */
const foundOf = (
  no: number,
  { pattern }: AskedName,
  rows: NameRow[],
  near: NearWords,
  { isExact }: { isExact: boolean },
): FoundName[] =>
  [...Map.groupBy(rows, ([, type]) => type).values()].flatMap((some) => {
    const counted = some.flatMap(([, , , , , , cards]) => cards ?? [])
    const average = counted.reduce((sum, cards) => sum + cards, 0) / Math.max(1, counted.length)
    // Records that weren't read are assumed to have as many cards each.
    const unread = isExact ? Math.max(1, (some[0]?.[7] ?? 0) / some.length) : 1
    const found = some.flatMap(([, type, id, name, , aliases, cards]): FoundName[] => {
      const fit =
        isExact && isPlain(pattern) ? 'exact' : fitAmong(pattern, namesOf(name, aliases), isExact ? noneNear : near)
      if (fit === undefined || (isExact && fit !== 'exact')) return []
      return [{ no, type, id, name, fit, cards: Math.round((cards ?? average) * unread) }]
    })
    return isExact ? found : nearest(found, pattern, near, namedMost.near)
  })

/** The key in `cut` of a lookup's number and a type. */
export const cutKey = (no: number, type: PersonType) => `${no} ${type}`
