import type { Condition } from '../../jsonapi/list-filters.ts'
import { criterionOf } from '../model/criteria.ts'
import type { AccessPath, Criterion, PathRows, Resource } from '../model/resource.ts'
import { visibleText } from '../show/rows.ts'
import { argumentType, conditionText, isShown } from './conditions.ts'
import { conditionsOf, keyName, type Range } from './keyset.ts'
import type { ListRequest } from './request.ts'
import { type Arguments, allOf } from './statement.ts'

/**
 * Where the ids of a list come from. `select` reads one range in order, at most `limit` rows, as `id` and the order's columns under
 * the names of `keyName`.
 */
export type Source = {
  /** The expressions of the order's columns, and of the id. */
  expressions: string[]
  id: string
  select: (range: Range, bound: string[], order: string, limit: number | string) => string
  /** A table `v (value)` of listed values. The rows of each value are read from the index, then merged. */
  each?: string
  /** Whether several values may yield the same row. */
  repeats?: boolean
  /** The ids that match, for counting: `from … where …`. */
  matches: string
  /** Whether the source goes from one range of an index to the next, so that no index has the order of `matches`. */
  walks?: true
}

type Rows = Omit<Source, 'select' | 'matches'> & { from: string; where: string[]; named?: string }

/** A source of rows that meet conditions. `named` is a select of ids that runs first and is joined as `named n`. */
export const rowsFrom = ({ from, where, named, ...source }: Rows): Source => ({
  ...source,
  select: (range, bound, order, limit) => `
    ${named ? `with named as materialized (${named}) ` : ''}
    select ${source.expressions.map((sql, index) => `${sql} as ${keyName(index)}`).join(', ')}, ${source.id} as id
    from ${named ? 'named n join ' : ''}${from} where ${allOf([...where, ...conditionsOf(range), ...bound])}
    order by ${order} limit ${limit}`,
  matches: `from ${source.each ? `${source.each} cross join ` : ''}${named ? `(${named}) n join ` : ''}${from} where ${allOf(where)}`,
})

/**
 * The rows of a resource's own table in the order of the request. A filter with a list of values is read value by value, so that
 * each is a range of an index in order. `walks`: walk the order's index and check parts of names along the way.
 */
export const ownRows = (resource: Resource, request: ListRequest, args: Arguments, walks = false): Source => {
  const { level, keys, conditions } = request
  const listed = conditions.find(({ operator, values }) => operator === 'eq' && values.length > 1)
  const others = conditions.filter((one) => one !== listed)
  const each = listed && eachValue(criterionOf(resource, listed.name), listed.values, level, args)
  return rowsFrom({
    expressions: keys.map(({ sql }) => sql),
    id: 't.id',
    each: each?.table,
    from: resource.table,
    where: [
      visibleText(resource, level),
      ...others.map((one) => conditionText(resource, one, level, args, walks)),
      ...(each?.conditions ?? []),
    ],
  })
}

const eachValue = (criterion: Criterion, values: string[], level: number, args: Arguments) => ({
  table: `unnest(${args.add(values, `${argumentType(criterion)}[]`)}) v (value)`,
  conditions: [
    ...(criterion.finds ? [criterion.finds('v.value')] : []),
    criterion.equals('v.value'),
    ...isShown(criterion, level),
  ],
})

/** An access path with the filters it serves. */
export type Match = { path: AccessPath & { rows?: PathRows }; served: Condition[] }

/** The rows of a path in its order. Filters that it doesn't serve are conditions on them. */
export const rowsAlong = (
  resource: Resource,
  { path, served }: Match,
  request: ListRequest,
  args: Arguments,
): Source => {
  const rows = path.rows as PathRows
  const others = request.conditions.filter((one) => !served.includes(one))
  const { each, where } = valuesOf(resource, rows, served, args)
  return rowsFrom({
    expressions: rows.expressions,
    id: rows.expressions.at(-1) as string,
    each,
    repeats: Boolean(each && rows.repeats),
    from: others.length > 0 && rows.joinsCards ? `${rows.from} ${rows.joinsCards}` : rows.from,
    where: [
      ...where,
      ...served.flatMap(({ name, operator }) =>
        operator === 'eq' ? isShown(criterionOf(resource, name), request.level) : [],
      ),
      `s.audience >= ${request.level}`,
      ...others.map((one) => conditionText(resource, one, request.level, args)),
    ],
  })
}

/** All rows of a path, sorted. Filters that it doesn't serve are conditions on them. */
export const rowsSorted = (
  resource: Resource,
  { path, served }: Match,
  request: ListRequest,
  args: Arguments,
): Source => {
  const { each, where } = valuesOf(resource, path.rows as PathRows, served, args)
  const { from, expressions } = path.rows as PathRows
  const ids = `select ${expressions.at(-1)} as id from ${each ? `${each} cross join ` : ''}${from} where ${allOf(where)}`
  return sortedBy(resource, ids, served, request, args)
}

/** The rows with some ids, sorted. `served` are the filters that found the ids. */
export const sortedBy = (
  resource: Resource,
  ids: string,
  served: Condition[],
  { level, keys, conditions }: ListRequest,
  args: Arguments,
): Source =>
  rowsFrom({
    expressions: keys.map(({ sql }) => sql),
    id: 't.id',
    named: `select distinct c.id from (${ids}) c`,
    from: `cards t on t.id = n.id join sets s on s.id = t.set_id`,
    where: [
      `s.audience >= ${level}`,
      ...conditions.filter((one) => !served.includes(one)).map((one) => conditionText(resource, one, level, args)),
    ],
  })

/** The conditions that a path serves: a single value of the first filter directly, several as a table, and the set by its number. */
const valuesOf = (resource: Resource, rows: PathRows, [first, set]: Condition[], args: Arguments) => {
  const { name, operator, values } = first as Condition
  const inSet = set
    ? [`${rows.expressions[0]} = (select w.no from sets w where w.id = ${args.add(set.values[0], 'uuid')})`]
    : []
  const keyOf = (value: string | null) => (rows.keyOf ? args.add(rows.keyOf(value), 'text') : '')
  if (operator === 'null') return { each: undefined, where: [...(rows.whereNone?.(keyOf(null)) ?? []), ...inSet] }
  const type = argumentType(criterionOf(resource, name))
  const [value = ''] = values
  if (values.length === 1)
    return { each: undefined, where: [...rows.where(args.add(value, type), keyOf(value)), ...inSet] }
  const keys = rows.keyOf ? [args.add(values.map(rows.keyOf), 'text[]')] : []
  const table = `unnest(${[args.add(values, `${type}[]`), ...keys].join(', ')}) v (value${rows.keyOf ? ', key' : ''})`
  return { each: table, where: [...rows.where('v.value', 'v.key'), ...inSet] }
}
