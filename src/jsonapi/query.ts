import { sizes } from '../limits.ts'
import { mergeErrors, quoteSent } from './errors.ts'
import { isUuid } from './fields.ts'
import { isOfPage, isOldPageName, type OldPageName, readOfPage } from './page-query.ts'
import {
  namesIn,
  type ReadParameter,
  type RefuseParameter,
  readFields,
  readParameters,
  secondName,
} from './parameter.ts'

export type FilterShape = {
  kind: 'uuid' | 'text' | 'matching'
  /** Whether `null` is a value, too. */
  orNull?: true
  values?: string[]
  /** A bare second name, which is deprecated unless `aliasStays`. */
  alias?: string
  aliasStays?: true
}

/** The query parameters of a read. Everything else is refused. */
export type QueryShape = {
  paginated?: boolean
  /** The page size, if it differs from the usual one. */
  pageSize?: { usual: number; most: number }
  /** The deprecated page parameters that the list takes. */
  oldPageNames?: readonly OldPageName[]
  include: string[]
  /** The fields of each type, for `fields[type]`. */
  fields: Record<string, string[]>
  filters: Record<string, FilterShape>
  options?: Record<string, { values: string[] }>
  /** Parameters that the room reads itself, each sent only once. */
  others?: readonly string[]
}

export type ReadQuery = {
  page: number
  perPage: number
  include: string[]
  includeGiven: boolean
  fields: Map<string, Set<string>>
  filters: Record<string, { value: string; like: boolean; isNull?: true }>
  options: Record<string, string | undefined>
  /** Whether the request used a deprecated spelling, so that the response's headers say so. */
  deprecated: boolean
}

/** Reads the query of a catalog read (interface.md, Conventions). Every fault is an error object of one 400. */
export const readQuery = (search: URLSearchParams, shape: QueryShape): ReadQuery => {
  const query: ReadQuery = {
    page: 1,
    perPage: (shape.pageSize ?? sizes.page).usual,
    include: [],
    includeGiven: false,
    fields: new Map(),
    filters: {},
    options: {},
    deprecated: false,
  }
  if (search.size === 0) return query
  const error = mergeErrors(readParameters(search, isList, readerOf(query, search, shape), shape.others))
  if (error) throw error
  return query
}

/** The parameters that accept lists. */
const isList = (name: string) => name === 'include' || name.startsWith('fields[')

/** Reads one parameter into the query. False if it is unknown. */
const readerOf = (query: ReadQuery, search: URLSearchParams, shape: QueryShape): ReadParameter => {
  const pageSize = shape.pageSize ?? sizes.page
  const aliases = new Map(
    Object.entries(shape.filters).flatMap(([name, { alias }]) => (alias ? [[alias, name] as const] : [])),
  )
  return (name, values, refuse) => {
    const [value = ''] = values
    const filter = /^filter\[(.+)\]$/.exec(name)?.[1] ?? ''
    const type = /^fields\[(.+)\]$/.exec(name)?.[1] ?? ''
    if (shape.paginated && isOfPage(name, shape.oldPageNames)) {
      Object.assign(query, readOfPage(search, name, value, pageSize.most, refuse))
      query.deprecated ||= isOldPageName(name, shape.oldPageNames)
    } else if (name === 'include') {
      query.include = readInclude(values, shape, refuse)
      query.includeGiven = true
    } else if (type && Object.hasOwn(shape.fields, type))
      query.fields.set(type, readFields(values, shape.fields[type] ?? [], refuse))
    else if (filter && Object.hasOwn(shape.filters, filter)) readFilter(query, filter, value, shape, refuse)
    else if (aliases.has(name)) {
      const canonical = aliases.get(name) as string
      if (search.has(`filter[${canonical}]`)) refuse(secondName(`filter[${canonical}]`))
      else readFilter(query, canonical, value, shape, refuse)
      query.deprecated ||= !shape.filters[canonical]?.aliasStays
    } else if (shape.options && Object.hasOwn(shape.options, name)) {
      const known = shape.options[name]?.values ?? []
      if (known.includes(value)) query.options[name] = value
      else refuse(`Must be one of ${known.join(', ')}.`)
    } else return false
    return true
  }
}

const readInclude = (values: string[], shape: QueryShape, refuse: RefuseParameter) => {
  const names = namesIn(values)
  const unknown = names.filter((name) => !shape.include.includes(name))
  if (unknown.length > 0)
    refuse(
      shape.include.length > 0
        ? `${quoteSent(unknown.join(', '))} cannot be included. Use ${shape.include.join(', ')}.`
        : `Nothing can be included here.`,
    )
  return names
}

const readFilter = (query: ReadQuery, name: string, value: string, shape: QueryShape, refuse: RefuseParameter) => {
  const { kind, values, orNull } = shape.filters[name] as FilterShape
  const like = value.startsWith('like:')
  if (orNull && value === 'null') query.filters[name] = { value, like: false, isNull: true }
  else if (kind === 'uuid' && !isUuid(value)) refuse(orNull ? 'Must be a UUID or null.' : 'Must be a UUID.')
  else if (kind === 'text' && like) refuse('Needs an exact value. like: is not possible here.')
  else if (values && !values.includes(value)) refuse(`Must be one of ${values.join(', ')}.`)
  else if (kind === 'uuid') query.filters[name] = { value: value.toLowerCase(), like: false }
  else
    query.filters[name] = like && kind === 'matching' ? { value: value.slice(5), like: true } : { value, like: false }
}

/** The pattern for a `like:` value, which matches any part of the text. `%` and `_` in it are literal. */
export const likePattern = (value: string) => `%${value.replace(/[\\%_]/g, '\\$&')}%`

/** Refuses unknown and repeated parameters, with an error object for each. */
export const refuseUnknown = (search: URLSearchParams, known: readonly string[] = []) => {
  const nothing = () => false
  const error = mergeErrors(readParameters(search, nothing, nothing, known))
  if (error) throw error
}
