import type { Database } from '../../../../db/client.ts'
import { wordsOf } from '../../../lib/words.ts'
import { lists, tallied } from '../../model/counts.ts'
import type { Node, Pattern, TermNode } from '../language/query.ts'
import { type Finding, type FoundPerson, type PersonType, personTypes } from '../name-cache/known-people.ts'
import { anyOf, type NameQuery } from '../name-query.ts'
import type { NearWords } from '../words.ts'
import type { Identified } from './identified.ts'
import { costs } from './meaning.ts'
import { fitAmong, nearQueryOf, noneNear, queryOf, splitQueryOf } from './pattern.ts'
import { rankedMost } from './term-matches.ts'

/** A player or team whose name matches the whole query: what its near misses cost, and whether the query is the whole name. */
export type Person = { id: string; key: string; cost: number; isWhole: boolean; cards: number }

/**
 * The players or teams that match a whole query. If too many match exactly, only those with just this name are in `some`. There are `count`
 * in all. `best` and `ordered` list those with the most cards, and `all` as many as are ranked.
 */
export type Persons = { type: PersonType; some: Person[]; many?: Many }

type Many = Record<'best' | 'ordered', (most: number) => Person[]> & { count: number; all: () => Person[] }

/** Too many players or teams. `matching` compares some of them with the query. */
export const manyOf = (found: Finding, matching: (some: FoundPerson[]) => Person[]): Many => ({
  count: found.count,
  best: (most) => matching(found.best(most)),
  ordered: (most) => matching(found.ordered(most)),
  all: () => matching(found.first(rankedMost)),
})

const fieldOf = { players: 'player', teams: 'team' } as const

/** The players and teams found by `id:`, if that is the whole query. */
export const personsById = async (db: Database, some: Identified[], level: number): Promise<Persons[]> =>
  Promise.all(
    personTypes.map(async (type) => {
      const ids = some.filter((one) => one.type === type).map(({ id }) => id)
      if (ids.length === 0) return { type, some: [] }
      const rows = await db.sql.unsafe<Omit<Person, 'cost' | 'isWhole'>[]>(
        `select t.id, t.name_key as key, ${tallied(lists.cards, level)} as cards from ${type} t
        where t.audience >= ${level} and t.id = any($1::uuid[])`,
        [`{${ids.join(',')}}`],
        { prepare: true },
      )
      return {
        type,
        some: rows.map(({ id, key, cards }) => ({ id, key, cards: Number(cards), cost: 0, isWhole: true })),
      }
    }),
  )

/** Those among some players or teams whose names match a query. */
export const personsAmong = (
  people: FoundPerson[],
  { node, type, near }: { node: Node; type: PersonType; near: NearWords },
): Person[] => {
  const wanted = wholeOf(node)
  return people.flatMap(({ id, name, key, aliases, cards }): Person[] => {
    const names = [name, ...(aliases?.split('\n') ?? [])]
    const cost = costOf(node, type, names, near)
    const isWhole = names.some((one) => wanted.includes(wordsOf(one).join(' ')))
    return cost === undefined ? [] : [{ id, key, cost, cards, isWhole }]
  })
}

/**
 * Looks for names that may match a query, including similar words for the terms that `nearOf` returns some for. Undefined if no name can
 * match.
 */
export const personQuery = (
  node: Node,
  type: PersonType,
  nearOf: (term: TermNode) => NearWords | undefined = () => undefined,
): NameQuery | undefined =>
  queryFor(node, type, (pattern, isLoose, term) => looseOf(pattern, isLoose ? nearOf(term) : undefined))

/** The same without the names that the query excludes. */
export const personsQuery = (node: Node, type: PersonType): NameQuery | undefined => {
  const query = personQuery(node, type)
  const excluded = excludedBy(node, type)
  return query && excluded.length > 0 ? { all: [query], except: anyOf(excluded) } : query
}

const excludedBy = (node: Node, type: PersonType): NameQuery[] => {
  if (node.op === 'term') return []
  if (node.op !== 'not') return node.op === 'and' ? node.of.flatMap((one) => excludedBy(one, type)) : []
  const query = personQuery(node.of, type)
  return query ? [query] : []
}

/** Looks for a term's words, or similar ones. */
const looseOf = (pattern: Pattern, near: NearWords | undefined): NameQuery => {
  const ways = [near && nearQueryOf(pattern, near), splitQueryOf(pattern), queryOf(pattern)]
  return anyOf(ways.filter((one) => one !== undefined))
}

type Way = (pattern: Pattern, isLoose: boolean, term: TermNode) => NameQuery

const queryFor = (node: Node, type: PersonType, way: Way): NameQuery | undefined => {
  if (node.op === 'term') {
    const asked = patternOf(node, type)
    return asked && way(asked.pattern, asked.isLoose, node)
  }
  if (node.op === 'not') return undefined
  const parts = node.of.filter(({ op }) => op !== 'not').map((one) => queryFor(one, type, way))
  const some = parts.filter((part) => part !== undefined)
  if (some.length === 0 || (node.op === 'and' && some.length < parts.length)) return undefined
  return node.op === 'and' ? { all: some } : anyOf(some)
}

const patternOf = ({ wanted }: TermNode, type: PersonType): { pattern: Pattern; isLoose: boolean } | undefined => {
  if (wanted.kind === 'name')
    return wanted.isPerson && type === 'teams' ? undefined : { pattern: wanted.pattern, isLoose: wanted.isPerson }
  if (wanted.kind !== 'words' || (wanted.field !== undefined && wanted.field !== fieldOf[type])) return undefined
  return { pattern: wanted.pattern, isLoose: !wanted.isQuoted }
}

/** What a name costs as a match for a query. Undefined if it doesn't match. */
const costOf = (node: Node, type: PersonType, names: string[], near: NearWords): number | undefined => {
  if (node.op === 'term') {
    const asked = patternOf(node, type)
    const fit = asked && fitAmong(asked.pattern, names.map(wordsOf), asked.isLoose ? near : noneNear)
    if (asked && !asked.isLoose && fit !== 'exact') return undefined
    return fit && costs.fit[fit]
  }
  if (node.op === 'not') return costOf(node.of, type, names, noneNear) === 0 ? undefined : 0
  const all = node.of.map((one) => costOf(one, type, names, near))
  const some = all.filter((cost) => cost !== undefined)
  if (node.op === 'or') return some.length > 0 ? Math.min(...some) : undefined
  return some.length < all.length ? undefined : some.reduce((sum, cost) => sum + cost, 0)
}

/** The whole names that a query may be: its words in order, or the names that its nicknames stand for. */
export const wholeOf = (node: Node): string[] => {
  if (node.op === 'not') return []
  if (node.op === 'term') {
    const { wanted } = node
    if (wanted.kind !== 'words' && wanted.kind !== 'name') return []
    return wanted.pattern.any.map((words) => words.map(({ word }) => word).join(' '))
  }
  const parts = node.of.filter(({ op }) => op !== 'not').map(wholeOf)
  if (node.op === 'or') return parts.flat()
  const joined = (all: string[], part: string[]) => all.flatMap((one) => part.map((other) => `${one} ${other}`))
  return parts.reduce((all, part) => joined(all, part).slice(0, mostWhole), ['']).map((one) => one.trim())
}

const mostWhole = 20
