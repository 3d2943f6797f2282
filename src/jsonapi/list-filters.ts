import { sizes } from '../limits.ts'
import { isDate, isTime, isUuid } from './fields.ts'

export type Operator = 'eq' | 'ne' | 'like' | 'prefix' | 'gt' | 'gte' | 'lt' | 'lte' | 'null'

export type CriterionKind = 'uuid' | 'text' | 'code' | 'choice' | 'time' | 'date' | 'integer'

/** The operators and values that a filter accepts. `eq` is the filter without an operator. */
export type CriterionShape = { kind: CriterionKind; operators: Operator[]; values?: string[] }

/** A filter in a request. `eq` and `ne` can have several values, the others only one. */
export type Condition = { name: string; operator: Operator; values: string[] }

const mostValues = sizes.filterValues.most

/** The operators for a kind of filter (decisions.md §11), with `null` if the value may be missing. */
export const operatorsOf = (kind: CriterionKind, nullable = false): Operator[] => [
  'eq',
  'ne',
  ...(kind === 'text' ? (['like', 'prefix'] as const) : []),
  ...(kind === 'time' || kind === 'date' || kind === 'integer' ? (['gt', 'gte', 'lt', 'lte'] as const) : []),
  ...(nullable ? (['null'] as const) : []),
]

/** Whether an operator accepts several values. */
const takesList = (operator: Operator) => operator === 'eq' || operator === 'ne'

/** Reads a filter's value or values, or says what is wrong with them. */
export const readCondition = (
  name: string,
  operator: Operator,
  shape: CriterionShape,
  given: string[],
): Condition | string => {
  const [value = ''] = given
  if (operator === 'null')
    return value === 'true' || value === 'false' ? { name, operator, values: [value] } : 'Must be true or false.'
  if (operator === 'like' || operator === 'prefix') return { name, operator, values: [value] }
  const values = takesList(operator) ? given.flatMap(splitList) : [value]
  if (values.length > mostValues) return `Must have at most ${mostValues} values.`
  const fault = values.map((one) => faultOf(shape, one)).find(Boolean)
  return fault ?? { name, operator, values: [...new Set(values.map((one) => normal(shape, one)))] }
}

/** Splits at commas. `\,` is a literal comma, and there are no other escapes. */
const splitList = (value: string) => value.split(/(?<!\\),/).map((one) => one.replaceAll('\\,', ','))

const normal = ({ kind }: CriterionShape, value: string) => {
  if (kind === 'uuid') return value.toLowerCase()
  if (kind === 'integer') return String(Number(value))
  return kind === 'time' ? new Date(value).toISOString() : value
}

const faultOf = ({ kind, values }: CriterionShape, value: string): string | undefined => {
  if (kind === 'uuid') return isUuid(value) ? undefined : 'Must be a UUID.'
  if (kind === 'choice') return values?.includes(value) ? undefined : `Must be one of ${values?.join(', ')}.`
  if (kind === 'integer') return /^\d{1,9}$/.test(value) ? undefined : 'Must be an integer from 0 to 999999999.'
  if (kind === 'date') return isDate(value) ? undefined : 'Must be a date such as 2026-11-21.'
  if (kind === 'time')
    return isDate(value) || isTime(value)
      ? undefined
      : 'Must be a time in UTC such as 2026-11-21T12:00:00.000Z, or a date.'
  return undefined
}
