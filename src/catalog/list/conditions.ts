import type { Condition } from '../../jsonapi/list-filters.ts'
import { likePattern } from '../../jsonapi/query.ts'
import { criterionOf } from '../model/criteria.ts'
import type { Criterion, Resource } from '../model/resource.ts'
import type { Arguments } from './statement.ts'

/** The SQL type of the values that a criterion is compared with. */
export const argumentType = ({ kind }: Criterion) =>
  ({ uuid: 'uuid', text: 'text', code: 'text', choice: 'text', time: 'timestamptz', date: 'date', integer: 'int4' })[
    kind
  ]

/**
 * A filter as a condition on the row `t` (decisions.md §11). `ne` also matches rows without a value. With a list, it means none of them.
 * `walks`: the list is walked along another index, so parts of names don't use the trigram index.
 */
export const conditionText = (resource: Resource, condition: Condition, args: Arguments, walks = false): string => {
  const criterion = criterionOf(resource, condition.name)
  const { operator, values } = condition
  const { column, key = column } = criterion
  const [value = ''] = values
  if (operator === 'eq') return isOneOf(criterion, values, args)
  if (operator === 'ne') return `(${isOneOf(criterion, values, args)}) is not true`
  if (operator === 'null') return `${column} is ${value === 'true' ? '' : 'not '}null`
  if (operator === 'like') return hasPart(criterion, value, args, walks)
  if (operator === 'prefix') return beginsWith(key, value, args)
  const sign = { gt: '>', gte: '>=', lt: '<', lte: '<=' }[operator]
  return `${column} ${sign} ${args.add(value, argumentType(criterion))}`
}

/** The trigram index finds parts of at least three characters. Anything shorter would scan all of it. */
const hasPart = ({ column, key = column, parts = key }: Criterion, part: string, args: Arguments, walks: boolean) => {
  const has = () => `strpos(${key}, (select lower(${args.add(part, 'text')}))) > 0`
  if (walks || [...part].length < 3) return has()
  const found = `${parts} like lower(${args.add(likePattern(part), 'text')})`
  return parts === key ? found : `(${found} and ${has()})`
}

/** A prefix: a range of the index that ends at the highest character, then the exact check. */
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
