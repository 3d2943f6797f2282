import type { Condition } from '../../jsonapi/list-filters.ts'
import { likePattern } from '../../jsonapi/query.ts'
import { commonCriteria } from '../model/criteria.ts'
import { isLong } from '../model/filters.ts'
import type { Criterion, Resource } from '../model/resource.ts'
import type { Arguments } from './statement.ts'

/** Every filter of a resource's list in /v2, by name. */
export const criteriaOf = (resource: Resource): Record<string, Criterion> => ({
  ...commonCriteria,
  ...resource.criteria,
})

/** The type of the arguments that a criterion is compared with. */
export const argumentType = ({ kind }: Criterion) =>
  ({ uuid: 'uuid', text: 'text', code: 'text', choice: 'text', time: 'timestamptz', date: 'date', integer: 'int4' })[
    kind
  ]

/** A filter as a condition on the row `t` (decisions.md §11): `ne` includes what has no value, a list under it is none of. */
export const conditionText = (criterion: Criterion, { operator, values }: Condition, args: Arguments): string => {
  const { column, key = column } = criterion
  const [value = ''] = values
  if (operator === 'eq') return isOneOf(criterion, values, args)
  if (operator === 'ne') return `(${isOneOf(criterion, values, args)}) is not true`
  if (operator === 'null') return `${column} is ${value === 'true' ? '' : 'not '}null`
  if (operator === 'like')
    return isLong(value)
      ? `${key} like lower(${args.add(likePattern(value), 'text')})`
      : `strpos(${key}, lower(${args.add(value, 'text')})) > 0`
  if (operator === 'prefix') return beginsWith(key, value, args)
  const sign = { gt: '>', gte: '>=', lt: '<', lte: '<=' }[operator]
  return `${column} ${sign} ${args.add(value, argumentType(criterion))}`
}

/** A beginning: a piece of the index first, which ends before the last of all characters. */
const beginsWith = (key: string, value: string, args: Arguments) => {
  const [text, pattern] = [args.add(value, 'text'), args.add(likePattern(value).slice(1), 'text')]
  return `(${key} collate "C" >= lower(${text}) and ${key} collate "C" <= lower(${text}) || chr(1114111)
    and ${key} like lower(${pattern}))`
}

const isOneOf = (criterion: Criterion, values: string[], args: Arguments) => {
  const type = argumentType(criterion)
  const [value] = values
  if (values.length > 1) return criterion.equals(`any(${args.add(values, `${type}[]`)})`)
  const argument = args.add(value, type)
  return criterion.finds ? `${criterion.finds(argument)} and ${criterion.equals(argument)}` : criterion.equals(argument)
}
