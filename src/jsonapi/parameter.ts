import { type ApiError, invalidParameter } from './errors.ts'
import { isUnstorable } from './text-faults.ts'

const noSuchParameter = 'There is no such parameter here.'

/** What is wrong with a parameter that was given again, and takes one value. */
export const givenOnce = 'Must be given once.'

/** What is wrong with a second name of a parameter that stands beside it. */
export const secondName = (first: string) => `Is another name of ${first}: give one of them.`

/** Whether a value of the query is no text that could be looked for. */
export const isBroken = (value: string) => isUnstorable(value) || value.includes('\ufffd')

/** A fault of the parameter that is read: a sentence, or a whole refusal of its own. */
export type RefuseParameter = (fault: string | ApiError) => void

/** Takes the values that a parameter was given, and answers false where there is no such parameter. */
export type ReadParameter = (name: string, values: string[], refuse: RefuseParameter) => boolean

/**
 * Reads each parameter of a query, and answers what is wrong with them. One that takes a list is one list, however often
 * it was given; any other that was given twice is at fault. `others` are read elsewhere, and only counted here.
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
    if (isUnstorable(name) || values.some(isBroken)) return [fault('The value is no valid text.')]
    const found: ApiError[] = []
    const refuse: RefuseParameter = (one) => void found.push(typeof one === 'string' ? fault(one) : one)
    if (!read(name, values, refuse)) return [fault(noSuchParameter)]
    return values.length > 1 && !isList(name) ? [fault(givenOnce)] : found
  })

/** The names in lists, each once. */
export const namesIn = (values: string[]) =>
  [...new Set(values.flatMap((value) => value.split(',')).map((one) => one.trim()))].filter(Boolean)

/** The fields that values of `fields[type]` name, of those that the type has. */
export const readFields = (values: string[], known: string[], refuse: RefuseParameter) => {
  const names = namesIn(values)
  for (const name of names) if (!known.includes(name)) refuse(`There is no field ${name}.`)
  return new Set(names)
}
