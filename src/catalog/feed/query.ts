import { pageTooLarge } from '../../jsonapi/cursor-profile.ts'
import { type ApiError, invalidParameter, mergeErrors } from '../../jsonapi/errors.ts'
import { readFields } from '../../jsonapi/list-query.ts'
import { isUnstorable } from '../../jsonapi/text-faults.ts'
import { fieldsOf } from '../parameters.ts'
import { resourceInV2, resourcesInV2 } from '../resources/v2.ts'

/** How many changes a page holds: where the request does not say, and at most. */
export const feedSizes = { default: 100, most: 1000 }

/** How long a request may wait for a change, in seconds. */
export const longestWait = 30

/** The fields of changes, and of every type that they may bring along. */
export const feedFields: Record<string, string[]> = {
  changes: ['action', 'changed_at', 'resource'],
  ...fieldsOf(resourceInV2('cards')),
}

/** The types that the feed tells of. */
export const feedTypes = resourcesInV2.map(({ type }) => type)

export type FeedQuery = {
  /** A cursor, `now`, or undefined for the oldest change that is kept. */
  after?: string
  size: number
  types?: string[]
  waitSeconds: number
  includesResource: boolean
  /** The fields of changes, and of what they bring along, that were asked for. */
  fields: Map<string, Set<string>>
}

/** Reads the query of the feed (decisions.md §9); every fault is an error object of one 400. */
export const readFeedQuery = (search: URLSearchParams): FeedQuery => {
  const errors: ApiError[] = []
  const refuse = (name: string, detail: string) => void errors.push(invalidParameter(name, detail))
  const query: FeedQuery = { size: feedSizes.default, waitSeconds: 0, includesResource: false, fields: new Map() }
  for (const name of new Set(search.keys())) {
    const [value = '', ...more] = search.getAll(name)
    if (isUnstorable(name) || isUnstorable(value)) refuse(name.toWellFormed(), 'The value is no valid text.')
    else if (more.length > 0) refuse(name, 'Must be given once.')
    else if (name === 'page[after]') query.after = value
    else if (fieldsIn(name)) query.fields.set(...readFieldsOf(name, value, errors))
    else if (name === 'page[size]') query.size = readSize(value, errors)
    else if (name === 'wait') {
      query.waitSeconds = /^\d{1,2}$/.test(value) ? Number(value) : Number.NaN
      if (!(query.waitSeconds <= longestWait)) refuse(name, `Must be an integer from 0 to ${longestWait}.`)
    } else if (name === 'filter[type]') {
      query.types = [...new Set(value.split(','))]
      const unknown = query.types.find((type) => !feedTypes.includes(type))
      if (unknown !== undefined) refuse(name, `Must be one of ${feedTypes.join(', ')}, or several with commas between.`)
    } else if (name === 'include') {
      query.includesResource = value === 'resource'
      if (value !== '' && value !== 'resource') refuse(name, 'Only resource can be included.')
    } else refuse(name, 'There is no such parameter here.')
  }
  const error = mergeErrors(errors)
  if (error) throw error
  return query
}

const fieldsIn = (name: string) => {
  const type = /^fields\[(.+)\]$/.exec(name)?.[1]
  return type !== undefined && Object.hasOwn(feedFields, type) ? type : undefined
}

const readFieldsOf = (name: string, value: string, errors: ApiError[]): [string, Set<string>] => {
  const type = fieldsIn(name) ?? ''
  return [type, readFields(name, value, feedFields[type] ?? [], (error) => void errors.push(error))]
}

const readSize = (value: string, errors: ApiError[]) => {
  const size = /^\d{1,15}$/.test(value) ? Number(value) : 0
  if (size > feedSizes.most) errors.push(pageTooLarge(feedSizes.most))
  else if (size < 1) errors.push(invalidParameter('page[size]', `Must be an integer from 1 to ${feedSizes.most}.`))
  return size
}
