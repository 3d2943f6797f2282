import { type ApiError, invalidParameter, mergeErrors } from './errors.ts'
import { isUuid } from './fields.ts'
import { isUnstorable } from './text-faults.ts'

export type FilterShape = {
  kind: 'uuid' | 'text' | 'matching'
  values?: string[]
  /** A bare second name: a deprecated one, unless `aliasStays`. */
  alias?: string
  aliasStays?: true
}

/** What a read takes of the query; everything else is unknown and refused. */
export type QueryShape = {
  paginated?: boolean
  /** How many a page holds: 25, and 100 at most, unless it is said here. */
  pageSize?: { usual: number; most: number }
  /** Whether the deprecated `limit` is a page size here, or a plain second name of `per_page`. */
  limit?: 'plain' | 'deprecated'
  include: string[]
  /** The fields of each type that may come, for `fields[type]`. */
  fields: Record<string, string[]>
  filters: Record<string, FilterShape>
  options?: Record<string, { values: string[] }>
}

export type ReadQuery = {
  page: number
  perPage: number
  include: string[]
  includeGiven: boolean
  fields: Map<string, Set<string>>
  filters: Record<string, { value: string; like: boolean }>
  options: Record<string, string | undefined>
  /** Whether a deprecated spelling was used: the answer then says so in its headers. */
  deprecated: boolean
}

const largestPage = 2 ** 53 - 1
const usualPageSize = { usual: 25, most: 100 }

/** Reads the query of a catalog read (interface.md, Conventions); every fault is an error object of one 400. */
export const readQuery = (search: URLSearchParams, shape: QueryShape): ReadQuery => {
  const errors: ApiError[] = []
  const refuse = (parameter: string, detail: string) => void errors.push(invalidParameter(parameter, detail))
  const pageSize = shape.pageSize ?? usualPageSize
  const query: ReadQuery = {
    page: 1,
    perPage: pageSize.usual,
    include: [],
    includeGiven: false,
    fields: new Map(),
    filters: {},
    options: {},
    deprecated: false,
  }
  const aliases = new Map(
    Object.entries(shape.filters).flatMap(([name, { alias }]) => (alias ? [[alias, name] as const] : [])),
  )
  for (const name of new Set(search.keys())) {
    const value = search.getAll(name).at(-1) ?? ''
    const filter = /^filter\[(.+)\]$/.exec(name)?.[1] ?? ''
    const type = /^fields\[(.+)\]$/.exec(name)?.[1] ?? ''
    if (isUnstorable(name) || isUnstorable(value) || value.includes('\ufffd'))
      refuse(name.toWellFormed(), 'The value is no valid text.')
    else if (shape.paginated && name === 'page') query.page = readNumber(name, value, largestPage, refuse)
    else if (shape.paginated && name === 'per_page') query.perPage = readNumber(name, value, pageSize.most, refuse)
    else if (shape.paginated && shape.limit && name === 'limit') {
      const size = readNumber(name, value, pageSize.most, refuse)
      if (!search.has('per_page')) query.perPage = size
      query.deprecated ||= shape.limit === 'deprecated'
    } else if (name === 'include') {
      query.include = readInclude(value, shape, refuse)
      query.includeGiven = true
    } else if (type && Object.hasOwn(shape.fields, type))
      query.fields.set(type, readFields(name, value, shape.fields[type] ?? [], refuse))
    else if (filter && Object.hasOwn(shape.filters, filter)) readFilter(query, name, filter, value, shape, refuse)
    else if (aliases.has(name)) {
      const canonical = aliases.get(name) as string
      if (!search.has(`filter[${canonical}]`)) readFilter(query, name, canonical, value, shape, refuse)
      query.deprecated ||= !shape.filters[canonical]?.aliasStays
    } else if (shape.options && Object.hasOwn(shape.options, name)) {
      const values = shape.options[name]?.values ?? []
      if (values.includes(value)) query.options[name] = value
      else refuse(name, `Must be one of ${values.join(', ')}.`)
    } else refuse(name, noSuchParameter)
  }
  const error = mergeErrors(errors)
  if (error) throw error
  return query
}

/** Refuses every parameter that is none of the known, with an error object for each. */
export const refuseUnknown = (search: URLSearchParams, known: readonly string[] = []) => {
  const unknown = [...new Set(search.keys())].filter((name) => !known.includes(name))
  const error = mergeErrors(unknown.map((name) => invalidParameter(name.toWellFormed(), noSuchParameter)))
  if (error) throw error
}

const noSuchParameter = 'There is no such parameter here.'

type Refuse = (parameter: string, detail: string) => void

const readNumber = (name: string, value: string, most: number, refuse: Refuse) => {
  const number = /^\d{1,16}$/.test(value) ? Number(value) : 0
  if (number >= 1 && number <= most) return number
  refuse(name, most < largestPage ? `Must be an integer from 1 to ${most}.` : 'Must be an integer from 1.')
  return 1
}

const readInclude = (value: string, shape: QueryShape, refuse: Refuse) => {
  const names = [...new Set(value.split(',').map((one) => one.trim()))].filter(Boolean)
  for (const name of names)
    if (!shape.include.includes(name))
      refuse(
        'include',
        shape.include.length > 0 ? `${name} is none of ${shape.include.join(', ')}.` : `Nothing can be included here.`,
      )
  return names
}

const readFields = (parameter: string, value: string, known: string[], refuse: Refuse) => {
  const names = value
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
  for (const name of names) if (!known.includes(name)) refuse(parameter, `There is no field ${name}.`)
  return new Set(names)
}

const readFilter = (
  query: ReadQuery,
  parameter: string,
  name: string,
  value: string,
  shape: QueryShape,
  refuse: Refuse,
) => {
  const { kind, values } = shape.filters[name] as FilterShape
  const like = value.startsWith('like:')
  if (kind === 'uuid' && !isUuid(value)) refuse(parameter, 'Must be a UUID.')
  else if (kind === 'text' && like) refuse(parameter, 'Takes an exact value: like: is not possible here.')
  else if (values && !values.includes(value)) refuse(parameter, `Must be one of ${values.join(', ')}.`)
  else if (kind === 'uuid') query.filters[name] = { value: value.toLowerCase(), like: false }
  else
    query.filters[name] = like && kind === 'matching' ? { value: value.slice(5), like: true } : { value, like: false }
}

/** The pattern of a `like:` value: any part of the text; `%` and `_` in it are literal. */
export const likePattern = (value: string) => `%${value.replace(/[\\%_]/g, '\\$&')}%`
