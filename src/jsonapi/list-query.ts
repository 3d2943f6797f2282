import { pageSizes, pageTooLarge, unsupportedSort } from './cursor-profile.ts'
import { mergeErrors, quoteSent } from './errors.ts'
import { type Condition, type CriterionShape, readCondition } from './list-filters.ts'
import {
  namesIn,
  type ReadParameter,
  type RefuseParameter,
  readFields,
  readParameters,
  secondName,
} from './parameter.ts'

/** The query parameters of a /v2 list. Everything else is refused. */
export type ListShape = {
  /** The sort keys. None if the list has a fixed order. */
  sorts: string[]
  criteria: Record<string, CriterionShape>
  /** Every path that can be included, at most two names deep. */
  include: string[]
  /** The fields of each type, for `fields[type]`. */
  fields: Record<string, string[]>
  /** Whether the answer is a list with pages, sorts and filters. */
  paginated: boolean
  /** Another name of `page[size]`. Both together are refused. */
  sizeName?: string
}

/** A list that can't be sorted or filtered and includes nothing: only its pages and the fields of its types. */
export const pagesWith = (fields: ListShape['fields']): ListShape => ({
  ...{ sorts: [], criteria: {}, include: [], paginated: true },
  fields,
})

export type SortKey = { name: string; descending: boolean }

export type ListQuery = {
  /** How many records the page holds. */
  size: number
  after?: string
  before?: string
  sort: SortKey[]
  conditions: Condition[]
  include: string[]
  includeGiven: boolean
  fields: Map<string, Set<string>>
}

/** Reads the query of a /v2 read (decisions.md §9, §11). Every fault is an error object of one 400. */
export const readListQuery = (search: URLSearchParams, shape: ListShape): ListQuery => {
  const query: ListQuery = {
    size: search.has('page[after]') && search.has('page[before]') ? pageSizes.most : pageSizes.usual,
    sort: [],
    conditions: [],
    include: [],
    includeGiven: false,
    fields: new Map(),
  }
  const error = mergeErrors(
    readParameters(search, isList, (name, values, refuse) => {
      if (name !== shape.sizeName) return readOne(query, shape, name, values, refuse)
      if (search.has('page[size]')) refuse(secondName('page[size]'))
      return readOne(query, shape, 'page[size]', values, refuse)
    }),
  )
  if (error) throw error
  return query
}

/** The parameters that accept lists. */
const isList = (name: string) =>
  name === 'include' || name === 'sort' || /^fields\[/.test(name) || /^filter\[[^[\]]+\](\[ne\])?$/.test(name)

/** Reads one parameter. False if it is unknown. */
const readOne = (query: ListQuery, shape: ListShape, ...[name, values, refuse]: Parameters<ReadParameter>): boolean => {
  const [value = ''] = values
  const type = /^fields\[(.+)\]$/.exec(name)?.[1] ?? ''
  if (type && Object.hasOwn(shape.fields, type)) {
    query.fields.set(type, readFields(values, shape.fields[type] ?? [], refuse))
    return true
  }
  if (name === 'include') {
    query.include = readInclude(values, shape.include, refuse)
    query.includeGiven = true
    return true
  }
  if (!shape.paginated) return false
  if (name === 'page[size]') query.size = readSize(value, pageSizes.most, refuse)
  else if (name === 'page[after]') query.after = value
  else if (name === 'page[before]') query.before = value
  else if (name === 'sort' && shape.sorts.length > 0) query.sort = readSort(values, shape.sorts, refuse)
  else return readFilter(query, shape, name, values, refuse)
  return true
}

const readFilter = (
  query: ListQuery,
  { criteria }: ListShape,
  ...[parameter, values, refuse]: Parameters<ReadParameter>
) => {
  const [, name = '', operator = 'eq'] = /^filter\[([^[\]]+)\](?:\[([a-z]+)\])?$/.exec(parameter) ?? []
  const criterion = Object.hasOwn(criteria, name) ? criteria[name] : undefined
  const known = criterion?.operators.find((one) => one === operator)
  if (!criterion || !known || parameter.endsWith('[eq]')) return false
  const condition = readCondition(name, known, criterion, values)
  if (typeof condition === 'string') refuse(condition)
  else query.conditions.push(condition)
  return true
}

/** Reads `page[size]`, which is at most `most`. */
export const readSize = (value: string, most: number, refuse: RefuseParameter) => {
  const size = /^\d+$/.test(value) ? Number(value) : 0
  if (size > most) refuse(pageTooLarge(most))
  else if (size < 1) refuse(`Must be an integer from 1 to ${most}.`)
  return Math.min(Math.max(size, 1), most)
}

const readSort = (values: string[], known: string[], refuse: RefuseParameter): SortKey[] => {
  const keys = values
    .flatMap((value) => value.split(','))
    .map((one) => ({ name: one.replace(/^-/, ''), descending: one.startsWith('-') }))
  const names = keys.map(({ name }) => name)
  for (const name of new Set(names)) if (!known.includes(name)) refuse(unsupportedSort(name, known))
  const found = names.filter((name) => known.includes(name))
  if (new Set(found).size < found.length) refuse('Must name each key only once.')
  return keys
}

const readInclude = (values: string[], known: string[], refuse: RefuseParameter) => {
  const paths = namesIn(values)
  const unknown = paths.filter((path) => !known.includes(path))
  if (unknown.length > 0) refuse(`${quoteSent(unknown.join(', '))} cannot be included.`)
  return paths
}
