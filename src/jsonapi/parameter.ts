import { editDistance } from '../lib/edit-distance.ts'
import { ApiError, invalidParameter, quoteSent } from './errors.ts'
import { isUnstorable } from './text-faults.ts'

const noSuchParameter = 'This endpoint has no such parameter.'

/** A refusal whose errors about unknown parameters say which one was probably meant, or else which ones there are. */
export const withKnownParameters = (error: unknown, known: string[]): unknown => {
  if (!(error instanceof ApiError) || error.errors.every(({ detail }) => detail !== noSuchParameter)) return error
  const errors = error.errors.map((one) =>
    one.detail === noSuchParameter
      ? { ...one, detail: `${noSuchParameter} ${adviceFor(one.source?.parameter ?? '', known)}` }
      : one,
  )
  return new ApiError(error.status, errors, error.headers, error.meta)
}

const adviceFor = (name: string, known: string[]) => {
  if (known.length === 0) return 'It has none.'
  const nearest = nearestTo(name, known)
  return nearest ? `Did you mean ${nearest}?` : `It has ${known.join(', ')}.`
}

/** The longest name that is looked up: no parameter is nearly as long. */
const longestName = 60

/** The known name that differs by the fewest letters, and by at most a third of them. `genre` is as near to `filter[genre]`. */
const nearestTo = (name: string, known: string[]): string | undefined => {
  if (name.length > longestName) return undefined
  const asked = name.toLowerCase()
  const bare = (one: string) => one.replace(/^filter\[([^[\]]+)\]$/, '$1')
  const distances = known.map((one) => ({
    one,
    distance: Math.min(editDistance(asked, one.toLowerCase()), editDistance(bare(asked), bare(one.toLowerCase()))),
  }))
  const [nearest] = distances.toSorted((a, b) => a.distance - b.distance)
  return nearest && nearest.distance <= Math.floor(name.length / 3) ? nearest.one : undefined
}

/** The fault of a single-value parameter that was sent twice. */
export const givenOnce = 'Must be sent only once.'

/** The fault of sending a parameter under both of its names. */
export const secondName = (first: string) => `This is another name for ${first}. Send only one of them.`

/** Whether a value in a query is a text that the database can't store. */
export const isBroken = (value: string) => isUnstorable(value) || value.includes('\ufffd')

/** Reports what is wrong with the parameter: a sentence, or a whole refusal. */
export type RefuseParameter = (fault: string | ApiError) => void

/** Reads a parameter's values. False if there is no such parameter. */
export type ReadParameter = (name: string, values: string[], refuse: RefuseParameter) => boolean

/**
 * Reads each parameter of a query, and returns what is wrong with them. A list may be sent in several parts, any other
 * parameter only once. `others` are read elsewhere, and here only checked for repetition.
 */
export const readParameters = (
  search: URLSearchParams,
  isList: (name: string) => boolean,
  read: ReadParameter,
  others: readonly string[] = [],
): ApiError[] =>
  [...new Set(search.keys())].flatMap((name) => {
    const values = search.getAll(name)
    const fault = (detail: string) => invalidParameter(name.toWellFormed(), detail)
    if (others.includes(name)) return values.length > 1 ? [fault(givenOnce)] : []
    if (isUnstorable(name) || values.some(isBroken)) return [fault('The value is not valid text.')]
    const found: ApiError[] = []
    const refuse: RefuseParameter = (one) => void found.push(typeof one === 'string' ? fault(one) : one)
    if (!read(name, values, refuse)) return [fault(noSuchParameter)]
    return values.length > 1 && !isList(name) ? [fault(givenOnce)] : found.slice(0, 1)
  })

/** The distinct names in lists. */
export const namesIn = (values: string[]) =>
  [...new Set(values.flatMap((value) => value.split(',')).map((one) => one.trim()))].filter(Boolean)

/** The fields in `fields[type]`, which the type must have. */
export const readFields = (values: string[], known: string[], refuse: RefuseParameter) => {
  const names = namesIn(values)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) refuse(`There is no field ${quoteSent(unknown.join(', '))}.`)
  return new Set(names)
}
