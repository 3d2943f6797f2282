import { mergeErrors } from '../../../jsonapi/errors.ts'
import { readSize } from '../../../jsonapi/list-query.ts'
import {
  namesIn,
  type ReadParameter,
  type RefuseParameter,
  readFields,
  readParameters,
} from '../../../jsonapi/parameter.ts'
import { lifetimes, sizes } from '../../../limits.ts'
import { fieldsOf } from '../../model/fields.ts'
import { resourceInV2, resourcesInV2 } from '../../model/v2.ts'

/** How many changes a page has by default, and at most. */
export const feedSizes = sizes.changesPage

/** How long a request may wait for a change, in seconds. */
export const longestWait = lifetimes.longPoll.seconds

/** The fields of changes, and of every type that a page can include. */
export const feedFields: Record<string, string[]> = {
  changes: ['action', 'changed_at', 'resource'],
  ...fieldsOf(resourceInV2('cards')),
}

/** The types of records in the feed. */
export const feedTypes: string[] = resourcesInV2.map(({ type }) => type)

export type FeedQuery = {
  /** A cursor, or `now`, or undefined for the oldest change that is kept. */
  after?: string
  size: number
  types?: string[]
  waitSeconds: number
  includesResource: boolean
  /** The requested fields of changes and of included records. */
  fields: Map<string, Set<string>>
}

/** Reads the query of the feed (decisions.md §9). A single 400 lists all faults. */
export const readFeedQuery = (search: URLSearchParams): FeedQuery => {
  const query: FeedQuery = { size: feedSizes.usual, waitSeconds: 0, includesResource: false, fields: new Map() }
  const error = mergeErrors(readParameters(search, isList, (...one) => readOne(query, ...one)))
  if (error) throw error
  return query
}

const isList = (name: string) => name === 'filter[type]' || name === 'include' || name.startsWith('fields[')

/** Reads one parameter. False if there is none of that name. */
const readOne = (query: FeedQuery, ...[name, values, refuse]: Parameters<ReadParameter>): boolean => {
  const [value = ''] = values
  const type = /^fields\[(.+)\]$/.exec(name)?.[1] ?? ''
  if (type && Object.hasOwn(feedFields, type))
    query.fields.set(type, readFields(values, feedFields[type] ?? [], refuse))
  else if (name === 'page[after]') query.after = value
  else if (name === 'page[size]') query.size = readSize(value, feedSizes.most, refuse)
  else if (name === 'wait') query.waitSeconds = readWait(value, refuse)
  else if (name === 'filter[type]') {
    query.types = [...new Set(values.flatMap((one) => one.split(',')))]
    if (!query.types.every((one) => feedTypes.includes(one)))
      refuse(`Must be one of ${feedTypes.join(', ')}, or several separated by commas.`)
  } else if (name === 'include') {
    const names = namesIn(values)
    query.includesResource = names.includes('resource')
    if (names.some((one) => one !== 'resource')) refuse('Only resource can be included.')
  } else return false
  return true
}

const readWait = (value: string, refuse: RefuseParameter) => {
  const seconds = /^\d{1,2}$/.test(value) ? Number(value) : Number.NaN
  if (!(seconds <= longestWait)) refuse(`Must be an integer from 0 to ${longestWait}.`)
  return seconds
}
