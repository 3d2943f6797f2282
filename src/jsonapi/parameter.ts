import { type ApiError, invalidParameter } from './errors.ts'
import { isUnstorable } from './text-faults.ts'

const noSuchParameter = 'This endpoint has no such parameter.'

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
    return values.length > 1 && !isList(name) ? [fault(givenOnce)] : found
  })

/** The distinct names in lists. */
export const namesIn = (values: string[]) =>
  [...new Set(values.flatMap((value) => value.split(',')).map((one) => one.trim()))].filter(Boolean)

/** The fields in `fields[type]`, which the type must have. */
export const readFields = (values: string[], known: string[], refuse: RefuseParameter) => {
  const names = namesIn(values)
  for (const name of names) if (!known.includes(name)) refuse(`There is no field ${name}.`)
  return new Set(names)
}
