import type { Database } from '../../../../db/client.ts'
import { lists } from '../../model/counts.ts'
import type { Node, Pattern, TermNode } from '../language/query.ts'
import { type NearWords, wordsOf } from '../words.ts'
import type { Identified } from './identified.ts'
import { type NameRow, tallied } from './lookup.ts'
import { costs } from './meaning.ts'
import { bestFit, type Fit, nearQueryOf, splitQueryOf, tsqueryOf } from './pattern.ts'

export type PersonType = 'players' | 'teams'

/** A player or team whose name has the whole query: what its near misses cost, and whether the query is the whole name. */
type Person = { id: string; key: string; cost: number; isWhole: boolean; cards: number }

/** The players or teams that match a whole query; if too many match exactly, the query that finds them. */
export type Persons = { type: PersonType; some: Person[]; cut?: { query: string; name: string } }

/** How many match exactly before they are too many to list. */
export const personsListed = 200

export const personTypes = ['players', 'teams'] as const

const fieldOf = { players: 'player', teams: 'team' } as const

/** The players and teams that `id:` asks for by itself. */
export const personsById = async (db: Database, some: Identified[], level: number): Promise<Persons[]> =>
  Promise.all(
    personTypes.map(async (type) => {
      const ids = some.filter((one) => one.type === type).map(({ id }) => id)
      if (ids.length === 0) return { type, some: [] }
      const rows = await db.sql.unsafe<Omit<Person, 'cost' | 'isWhole'>[]>(
        `select t.id, t.name_key as key, ${tallied(lists.cards)(level)} as cards from ${type} t
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

/** The players or teams among some rows whose names have what a query asks for. */
export const personsOf = (
  node: Node,
  type: PersonType,
  rows: NameRow[],
  near: NearWords,
  isCut: boolean,
): Persons[] => {
  const exact = personQuery(node, type)
  if (!exact) return []
  const wanted = wholeOf(node)
  const some = new Map<string, Person>()
  for (const [, of, id, name, key, aliases, cards] of rows) {
    if (of !== type || some.has(id)) continue
    const names = [name, ...(aliases?.split('\n') ?? [])]
    const cost = costOf(node, type, names, near)
    const isWhole = names.some((one) => wanted.includes(wordsOf(one).join(' ')))
    if (cost !== undefined) some.set(id, { id, key, cost, cards: cards ?? 0, isWhole })
  }
  const found = [...some.values()]
  if (!isCut && found.filter(({ cost }) => cost === 0).length <= personsListed) return [{ type, some: found }]
  const query = [exact, ...excludedBy(node, type)].join(' & ')
  return [{ type, some: found.filter(({ cost }) => cost > 0), cut: { query, name: wanted[0] ?? '' } }]
}

/**
 * The `tsquery` of the names that may match a query, with what is near the terms for which `nearOf` gives words; undefined
 * where none can.
 */
export const personQuery = (
  node: Node,
  type: PersonType,
  nearOf: (term: TermNode) => NearWords | undefined = () => undefined,
): string | undefined =>
  queryOf(node, type, (pattern, isLoose, term) => looseOf(pattern, isLoose ? nearOf(term) : undefined))

/** What names must not have, for those that are too many to look at one by one. */
const excludedBy = (node: Node, type: PersonType): string[] => {
  if (node.op === 'term') return []
  if (node.op !== 'not') return node.op === 'and' ? node.of.flatMap((one) => excludedBy(one, type)) : []
  const query = personQuery(node.of, type)
  return query ? [`!(${query})`] : []
}

/** A term's words, any or nearly. */
const looseOf = (pattern: Pattern, near: NearWords | undefined) => {
  const loose = near && nearQueryOf(pattern, near)
  const splitQuery = splitQueryOf(pattern)
  // Without its last part, which leaves out what matches exactly.
  const ways = [...(loose ? [loose.slice(0, loose.lastIndexOf(' & !('))] : []), ...(splitQuery ? [splitQuery] : [])]
  return [...ways, tsqueryOf(pattern)].map((one) => `(${one})`).join(' | ')
}

type Way = (pattern: Pattern, isLoose: boolean, term: TermNode) => string

/** The `tsquery` of the names that may match; undefined where none can. */
const queryOf = (node: Node, type: PersonType, way: Way): string | undefined => {
  if (node.op === 'term') {
    const asked = patternOf(node, type)
    return asked && `(${way(asked.pattern, asked.isLoose, node)})`
  }
  // What is excluded is left out afterwards, by its whole words in their order.
  if (node.op === 'not') return undefined
  const parts = node.of.filter(({ op }) => op !== 'not').map((one) => queryOf(one, type, way))
  const some = parts.filter((part) => part !== undefined)
  if (some.length === 0 || (node.op === 'and' && some.length < parts.length)) return undefined
  return `(${some.join(node.op === 'and' ? ' & ' : ' | ')})`
}

const patternOf = ({ wanted }: TermNode, type: PersonType): { pattern: Pattern; isLoose: boolean } | undefined => {
  if (wanted.kind === 'name')
    return wanted.isPerson && type === 'teams' ? undefined : { pattern: wanted.pattern, isLoose: wanted.isPerson }
  if (wanted.kind !== 'words' || (wanted.field !== undefined && wanted.field !== fieldOf[type])) return undefined
  return { pattern: wanted.pattern, isLoose: !wanted.isQuoted }
}

/** Whether somebody with these names has exactly what a query asks for. */
export const isNamedExactly = (node: Node, type: PersonType, names: string[]) =>
  costOf(node, type, names, new Map()) === 0

/** What a name costs as an answer to a query; undefined where it is none. */
const costOf = (node: Node, type: PersonType, names: string[], near: NearWords): number | undefined => {
  if (node.op === 'term') {
    const asked = patternOf(node, type)
    const [name = '', ...aliases] = names
    const known = aliases.length > 0 ? aliases.join('\n') : null
    const fit: Fit | undefined = asked && bestFit(asked.pattern, name, known, asked.isLoose ? near : new Map())
    if (asked && !asked.isLoose && fit !== 'exact') return undefined
    return fit && costs.fit[fit]
  }
  if (node.op === 'not') return costOf(node.of, type, names, new Map()) === 0 ? undefined : 0
  const all = node.of.map((one) => costOf(one, type, names, near))
  const some = all.filter((cost) => cost !== undefined)
  if (node.op === 'or') return some.length > 0 ? Math.min(...some) : undefined
  return some.length < all.length ? undefined : some.reduce((sum, cost) => sum + cost, 0)
}

/** The whole names that a query may be: its words in their order, or those that a nickname stands for. */
const wholeOf = (node: Node): string[] => {
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
