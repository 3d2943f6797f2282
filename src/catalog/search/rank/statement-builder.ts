import { arrayOfTexts } from '../../../../db/arrays.ts'
import { type Arguments, newArguments } from '../../list/statement.ts'
import { queryOf, selectAllByName, sequenceCondition } from '../match/pattern.ts'
import { type Named, rankedMost, type TooManyNames } from '../match/term-matches.ts'
import { tsqueryOf } from '../name-query.ts'
import { byCost, type SeenSets } from '../sets/seen-sets.ts'

/** A statement being built for one reader: its arguments, and the tables that its parts use. */
export type Builder = {
  level: number
  sets: SeenSets
  args: Arguments
  /** Tables for `with`, in order of creation. */
  tables: string[]
  /** The name of a table with this select. The same select gives the same table. */
  table: (select: string) => string
}

/** Starts the statement of one search, for a reader of this level who sees these sets. */
export const newBuilder = (level: number, sets: SeenSets): Builder => {
  const values = newArguments()
  const known = new Map<string, string>()
  const names = new Map<string, string>()
  const tables: string[] = []
  // Equal values share an argument, so that equal conditions are equal texts.
  const add = (value: unknown, type: string) => {
    const one = Array.isArray(value) ? arrayOfTexts(value) : value
    return known.getOrInsertComputed(`${type} ${typeof one} ${one}`, () => values.add(one, type))
  }
  const table = (select: string) => {
    const name = names.get(select) ?? `named_${names.size}`
    if (!names.has(select)) tables.push(`${name} as materialized (${select})`)
    names.set(select, name)
    return name
  }
  return { level, sets, args: { values: values.values, add }, tables, table }
}

/** The name of a table with the ids of the records that a pattern finds. */
const tableOf = ({ table, pattern }: TooManyNames, { level, args, table: named }: Builder) => {
  const sequence = (column: string) => sequenceCondition(pattern, column, args.add)
  return named(
    selectAllByName(table, 't.id', args.add(tsqueryOf(queryOf(pattern)), 'tsquery'), level, rankedMost + 1, sequence),
  )
}

/** Ids as one argument, so that the statement's text doesn't depend on how many there are. */
export const listOf = (ids: string[], { args }: Builder) => args.add(ids, 'uuid[]')

/** The condition that the bit with a column's number is on. */
export const hasBit = (bits: Uint8Array, column: string, { args }: Builder) => {
  const bytes = `(select decode(${args.add(bits.toHex(), 'text')}, 'hex'))`
  return `case when ${column} < ${args.add(8 * bits.length, 'int')} then get_bit(${bytes}, ${column}) = 1 else false end`
}

/** Ids with their shares, as a table. */
export const sharesOf = (ids: string[], shares: Map<string, number>, builder: Builder) =>
  `unnest(${listOf(ids, builder)}, ${sharesIn(ids, shares, builder)})`

const sharesIn = (ids: string[], shares: Map<string, number>, builder: Builder) =>
  numbersOf(
    ids.map((id) => shares.get(id) ?? 0),
    builder,
  )

const numbersOf = (numbers: number[], { args }: Builder) => args.add(numbers.map(String), 'float8[]')

/** The people of some atoms with their shares and what they cost, as a table. Of very many, as many as have enough cards together. */
export const costedPeople = (
  atoms: { named: Named; cost: number }[],
  shares: Map<string, number>,
  enough: number,
  builder: Builder,
) => {
  let rest = enough
  const people = atoms.toSorted(byCost).flatMap(({ named, cost }) => {
    const { ids, cards } = named.cut?.withCards(rest) ?? { ids: named.ids, cards: 0 }
    rest = Math.max(0, rest - cards)
    return ids.map((id) => ({ id, cost }))
  })
  const ids = people.map(({ id }) => id)
  const costs = people.map(({ cost }) => cost)
  return `unnest(${listOf(ids, builder)}, ${sharesIn(ids, shares, builder)}, ${numbersOf(costs, builder)})`
}

/** A select of the ids of named records. */
export const idsOf = ({ ids, cut }: Named, builder: Builder) =>
  cut ? `select id from ${tableOf(cut, builder)}` : `select unnest(${listOf(ids, builder)})`
