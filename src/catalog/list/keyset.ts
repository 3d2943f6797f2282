import type { Place } from '../../jsonapi/cursor.ts'
import type { SortKey } from '../../jsonapi/list-query.ts'
import { firstSort, sortsOf } from '../model/criteria.ts'
import type { Resource, SortColumn } from '../model/resource.ts'
import type { Arguments } from './statement.ts'

/** A column of an order, with its sort key and direction. The last column is always the id. */
export type Key = SortColumn & { sort: string; descending: boolean }

/** The names of an order's columns in the rows of a page. */
export const keyName = (index: number) => `k${index}`

/** The reversed order. Nulls come last ascending and first descending, as in PostgreSQL. */
export const reversed = (keys: Key[]): Key[] => keys.map((key) => ({ ...key, descending: !key.descending }))

/** An `order by`, with each column as `of` names it. */
export const orderText = (keys: Key[], of: (index: number) => string): string =>
  keys.map(({ descending }, index) => `${of(index)}${descending ? ' desc' : ''}`).join(', ')

/** A range of the rows after a position: for each column of the order, its condition or none. */
export type Range = (string | undefined)[]

/**
 * The rows after a position, as disjoint ranges. The nearest ones come first: those that share the most columns with the position.
 * Each is a range of an index in the order. Without a position it is everything, and after the end of a list nothing.
 */
export const rangesAfter = (keys: Key[], place: Place | undefined, args: Arguments, expressions: string[]): Range[] => {
  if (!place) return [[]]
  if (place.length === 0) return []
  const [equal, after]: [string[], string[][]] = [[], []]
  for (const [index, key] of keys.entries()) {
    const expression = expressions[index] as string
    const value = place[index] ?? null
    const argument = value === null ? undefined : args.add(value, key.type)
    equal.push(argument ? `${expression} = ${argument}` : `${expression} is null`)
    after.push(conditionsAfter(key, expression, argument))
  }
  return keys
    .flatMap((_, depth) => (after[depth] as string[]).map((condition): Range => [...equal.slice(0, depth), condition]))
    .toReversed()
}

/** The rows after one value of a column. After a null that sorts last, there are none. */
const conditionsAfter = ({ descending, nullable }: Key, expression: string, argument: string | undefined) => {
  if (argument) {
    const beyond = `${expression} ${descending ? '<' : '>'} ${argument}`
    return nullable && !descending ? [beyond, `${expression} is null`] : [beyond]
  }
  return descending ? [`${expression} is not null`] : []
}

/** The conditions of a range as a list. */
export const conditionsOf = (range: Range): string[] => range.filter((one) => one !== undefined)

/** The rows before a position, as one condition. It bounds a page between two cursors. */
export const before = (keys: Key[], place: Place, args: Arguments, expressions: string[]): string => {
  if (place.length === 0) return 'true'
  const ranges = rangesAfter(reversed(keys), place, args, expressions)
  return ranges.length > 0
    ? `(${ranges.map((range) => `(${conditionsOf(range).join(' and ')})`).join(' or ')})`
    : 'false'
}

/** The sort of a request: its own, or the list's first key, ascending. */
export const sortOf = (resource: Resource, sort: SortKey[]): SortKey[] =>
  sort.length > 0 ? sort : [{ name: firstSort(resource), descending: false }]

/** The columns of an order. The id breaks ties, in the direction of the last key. */
export const keysOf = (resource: Resource, sort: SortKey[]): Key[] => {
  const sorts = sortsOf(resource)
  const keys = sort.flatMap(({ name, descending }) =>
    (sorts[name] ?? []).map((column) => ({ ...column, sort: name, descending })),
  )
  return [...keys, { sql: 't.id', type: 'uuid', sort: 'id', descending: sort.at(-1)?.descending ?? false }]
}
