import type { Condition } from '../../jsonapi/list-filters.ts'
import { likePattern } from '../../jsonapi/query.ts'
import { criterionOf } from '../model/criteria.ts'
import type { Criterion, Resource } from '../model/resource.ts'
import { type Arguments, allOf } from './statement.ts'

/** The SQL type of the values that a criterion is compared with. */
export const argumentType = ({ kind }: Criterion) =>
  ({ uuid: 'uuid', text: 'text', code: 'text', choice: 'text', time: 'timestamptz', date: 'date', integer: 'int4' })[
    kind
  ]

/**
 * A filter as a condition on the row `t` (decisions.md §11). `ne` also matches rows without a value. With a list, it means none of them.
 * `walks`: the list is walked along another index, so parts of names don't use the trigram index.
 */
export const conditionText = (
  resource: Resource,
  condition: Condition,
  level: number,
  args: Arguments,
  walks = false,
): string => {
  const criterion = criterionOf(resource, condition.name)
  const { operator, values } = condition
  const { column, key = column } = criterion
  const [value = ''] = values
  const isOne = () => allOf([isOneOf(criterion, values, args), ...isShown(criterion, level)])
  if (operator === 'eq') return isOne()
  if (operator === 'ne') return `(${isOne()}) is not true`
  if (operator === 'null') return `${value === 'true' ? '' : 'not '}${hasNone(criterion, level)}`
  if (operator === 'like') return hasPart(criterion, value, args, walks)
  if (operator === 'prefix') return beginsWith(key, value, args)
  const sign = { gt: '>', gte: '>=', lt: '<', lte: '<=' }[operator]
  return `${column} ${sign} ${args.add(value, argumentType(criterion))}`
}

const hasNone = ({ column, hidden }: Criterion, level: number) => {
  const isHidden = hidden?.(level)
  return isHidden ? `(${column} is null or ${isHidden})` : `(${column} is null)`
}

/** The condition that the reader sees the record by which a row is found, unless every reader of the row does. */
export const isShown = ({ hidden }: Criterion, level: number): string[] => {
  const isHidden = hidden?.(level)
  return isHidden ? [`not (${isHidden})`] : []
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
  const text = args.add(value, 'text')
  const pattern = args.add(likePattern(value).slice(1), 'text')
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
