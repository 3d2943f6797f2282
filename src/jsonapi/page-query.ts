import { type RefuseParameter, secondName } from './parameter.ts'

/** The two forms of the page parameters. A request uses only one of them. */
const plain = ['page', 'per_page', 'limit']
const bracketed = ['page[number]', 'page[size]']

/** Page parameters of clients of a hosted service (decisions.md §21): another name for `per_page`, and one that does nothing. */
export type OldPageName = 'limit' | 'pageName'

/** Whether a parameter is about the page. Lists have none or some of the old ones. */
export const isOfPage = (name: string, olds: readonly OldPageName[] = []) =>
  bracketed.includes(name) || (plain.includes(name) && name !== 'limit') || isOldPageName(name, olds)

/** Whether a parameter is an old one that the list has. */
export const isOldPageName = (name: string, olds: readonly string[] = []) => olds.includes(name)

/** The last page that is an exact number. Every list ends before it, so larger numbers are read as this one. */
const lastPage = 2 ** 53 - 1

/** Reads a page parameter, with `most` as the largest page size. Using both forms at once is a fault. */
export const readOfPage = (
  search: URLSearchParams,
  name: string,
  value: string,
  most: number,
  refuse: RefuseParameter,
): { page?: number; perPage?: number } => {
  const other = bracketed.includes(name) && plain.find((one) => search.has(one))
  if (other) refuse(`Cannot be combined with ${other}. Use one form for both.`)
  else if (name === 'limit' && search.has('per_page')) refuse(secondName('per_page'))
  else if (name === 'pageName') {
    if (value !== 'page') refuse('Must be page, or be left out. It does nothing.')
  } else if (name === 'page' || name === 'page[number]')
    return { page: Math.min(readNumber(value, Infinity, refuse), lastPage) }
  else return { perPage: readNumber(value, most, refuse) }
  return {}
}

/** The name of the page number in the form that the request uses. */
export const pageName = (search: URLSearchParams) =>
  bracketed.some((name) => search.has(name)) ? 'page[number]' : 'page'

const readNumber = (value: string, most: number, refuse: RefuseParameter) => {
  const number = /^\d+$/.test(value) ? Number(value) : 0
  if (number >= 1 && number <= most) return number
  refuse(most < Infinity ? `Must be an integer from 1 to ${most}.` : 'Must be an integer of 1 or more.')
  return 1
}
