import { invalidParameter, mergeErrors } from '../jsonapi/errors.ts'
import { isUuid } from '../jsonapi/fields.ts'
import { namesIn, type ReadParameter, type RefuseParameter, readParameters } from '../jsonapi/parameter.ts'

type AskedShape = {
  /** Parameters that may be given in several parts. */
  lists?: readonly string[]
  /** Parameters that must be given. */
  required?: readonly string[]
}

/** Reads the query of a route that isn't a list. One 400 names everything wrong with it. */
export const readAsked = (
  search: URLSearchParams,
  { lists = [], required = [] }: AskedShape,
  read: ReadParameter,
): void => {
  const errors = readParameters(search, (name) => lists.includes(name), read)
  const isRefused = (name: string) => errors.some((error) => error.errors[0]?.source?.parameter === name)
  const missing = required.filter((name) => !search.get(name) && !isRefused(name))
  const error = mergeErrors([...errors, ...missing.map((name) => invalidParameter(name, 'Must be given.'))])
  if (error) throw error
}

/** The id in a parameter. */
export const idIn = ([value = '']: string[], refuse: RefuseParameter): string => {
  if (!isUuid(value)) refuse('Must be an id.')
  return value.toLowerCase()
}

/** The ids in a parameter. */
export const idsIn = (values: string[], refuse: RefuseParameter): string[] => {
  const ids = namesIn(values).map((id) => id.toLowerCase())
  if (!ids.every(isUuid)) refuse('Must be ids, separated by commas.')
  return ids
}

/** Whether a boolean parameter is true. */
export const flagIn = ([value = '']: string[], refuse: RefuseParameter): boolean => {
  if (!['true', 'false', '1', '0', ''].includes(value)) refuse('Must be true or false.')
  return ['true', '1'].includes(value)
}
