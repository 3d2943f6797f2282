import { pageSizes, pageTooLarge, unsupportedSort } from './cursor-profile.ts'
import { type ApiError, invalidParameter, mergeErrors } from './errors.ts'
import { type Condition, type CriterionShape, readCondition } from './list-filters.ts'
import { isUnstorable } from './text-faults.ts'

/** What a list of /v2 takes of the query; everything else is unknown and refused. */
export type ListShape = {
  /** The sort keys; none where the list has one order alone. */
  sorts: string[]
  criteria: Record<string, CriterionShape>
  /** Every path that may be included, at most two names deep. */
  include: string[]
  /** The fields of each type that may come, for `fields[type]`. */
  fields: Record<string, string[]>
  /** Whether the answer is a list: only then there are pages, sorts and filters. */
  paginated: boolean
}

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

/** Reads the query of a read of /v2 (decisions.md §9, §11); every fault is an error object of one 400. */
export const readListQuery = (search: URLSearchParams, shape: ListShape): ListQuery => {
  const errors: ApiError[] = []
  const refuse = (error: ApiError) => void errors.push(error)
  const query: ListQuery = {
    size: search.has('page[after]') && search.has('page[before]') ? pageSizes.most : pageSizes.default,
    sort: [],
    conditions: [],
    include: [],
    includeGiven: false,
    fields: new Map(),
  }
  for (const name of new Set(search.keys())) {
    const [value = '', ...more] = search.getAll(name)
    if (isUnstorable(name) || isUnstorable(value) || value.includes('\ufffd'))
      refuse(invalidParameter(name.toWellFormed(), 'The value is no valid text.'))
    else if (!readOne(query, name, value, shape, refuse))
      refuse(invalidParameter(name, 'There is no such parameter here.'))
    else if (more.length > 0) refuse(invalidParameter(name, 'Must be given once.'))
  }
  const error = mergeErrors(errors)
  if (error) throw error
  return query
}

type Refuse = (error: ApiError) => void

/** Reads one parameter; false where there is no such. */
const readOne = (query: ListQuery, name: string, value: string, shape: ListShape, refuse: Refuse): boolean => {
  const type = /^fields\[(.+)\]$/.exec(name)?.[1] ?? ''
  if (type && Object.hasOwn(shape.fields, type)) {
    query.fields.set(type, readFields(name, value, shape.fields[type] ?? [], refuse))
    return true
  }
  if (name === 'include') {
    query.include = readInclude(value, shape.include, refuse)
    query.includeGiven = true
    return true
  }
  if (!shape.paginated) return false
  if (name === 'page[size]') query.size = readSize(value, refuse)
  else if (name === 'page[after]') query.after = value
  else if (name === 'page[before]') query.before = value
  else if (name === 'sort' && shape.sorts.length > 0) query.sort = readSort(value, shape.sorts, refuse)
  else return readFilter(query, name, value, shape, refuse)
  return true
}

const readFilter = (query: ListQuery, parameter: string, value: string, { criteria }: ListShape, refuse: Refuse) => {
  const [, name = '', operator = 'eq'] = /^filter\[([^[\]]+)\](?:\[([a-z]+)\])?$/.exec(parameter) ?? []
  const criterion = Object.hasOwn(criteria, name) ? criteria[name] : undefined
  const known = criterion?.operators.find((one) => one === operator)
  if (!criterion || !known || parameter.endsWith('[eq]')) return false
  const condition = readCondition(name, known, criterion, value)
  if (typeof condition === 'string') refuse(invalidParameter(parameter, condition))
  else query.conditions.push(condition)
  return true
}

const readSize = (value: string, refuse: Refuse) => {
  const size = /^\d{1,15}$/.test(value) ? Number(value) : 0
  if (size > pageSizes.most) refuse(pageTooLarge())
  else if (size < 1) refuse(invalidParameter('page[size]', `Must be an integer from 1 to ${pageSizes.most}.`))
  return Math.min(Math.max(size, 1), pageSizes.most)
}

const readSort = (value: string, known: string[], refuse: Refuse): SortKey[] => {
  const keys = value.split(',').map((one) => ({ name: one.replace(/^-/, ''), descending: one.startsWith('-') }))
  for (const { name } of keys) if (!known.includes(name)) refuse(unsupportedSort(name, known))
  if (new Set(keys.map(({ name }) => name)).size < keys.length)
    refuse(invalidParameter('sort', 'Must name each key once.'))
  return keys
}

const readInclude = (value: string, known: string[], refuse: Refuse) => {
  const paths = [...new Set(value.split(',').map((one) => one.trim()))].filter(Boolean)
  for (const path of paths)
    if (!known.includes(path)) refuse(invalidParameter('include', `${path} is no relationship that can be included.`))
  return paths
}

/** The fields that a value of `fields[type]` names, of those that the type has. */
export const readFields = (parameter: string, value: string, known: string[], refuse: Refuse) => {
  const names = value
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
  for (const name of names) if (!known.includes(name)) refuse(invalidParameter(parameter, `There is no field ${name}.`))
  return new Set(names)
}
