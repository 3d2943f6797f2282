import { sizes } from '../limits.ts'
import { ApiError, invalidParameter } from './errors.ts'
import { jsonApi } from './negotiate.ts'

/** The cursor pagination profile of jsonapi.org. */
const cursorProfile = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'

/** The Content-Type of a page of the profile. */
export const cursorPageType = `${jsonApi}; profile="${cursorProfile}"`

/** How many records a page holds, by default and at most. */
export const pageSizes = sizes.page

const typed = (error: ApiError, type: string, meta?: Record<string, unknown>) =>
  new ApiError(
    error.status,
    error.errors.map((one) => ({ ...one, links: { type: `${cursorProfile}/${type}` }, ...(meta ? { meta } : {}) })),
  )

/** 400: the list has no such sort key. */
export const unsupportedSort = (key: string, known: string[]) =>
  typed(
    invalidParameter('sort', `${key || 'Nothing'} is no sort key here: take ${known.join(', ')}.`),
    'unsupported-sort',
  )

/** 400: the page is too large; `meta.page.maxSize` is the limit. */
export const pageTooLarge = (most: number) =>
  typed(invalidParameter('page[size]', `Must be an integer from 1 to ${most}.`), 'max-size-exceeded', {
    page: { maxSize: most },
  })

/** 400: a cursor that does not belong to this list, with these filters and this sort. */
export const invalidCursor = (parameter: 'page[after]' | 'page[before]') =>
  invalidParameter(parameter, 'This is not a cursor of this list with these filters and this sort.')

type PageLinks = { first: string; last: string; prev: string | null; next: string | null }

/** What the links of a page need: the cursors of its ends, and whether there is more on either side. */
type PageEnds = { first?: string; last?: string; hasBefore: boolean; hasAfter: boolean; end: string }

/**
 * The links of a page, null if there is no such page, with the other parameters as they were. From an empty page, `prev`
 * starts at the end of the list.
 */
export const cursorLinks = (address: string, search: URLSearchParams, ends: PageEnds): PageLinks => {
  const at = (name?: 'page[after]' | 'page[before]', cursor = '') => {
    const parameters = new URLSearchParams(search)
    parameters.delete('page[after]')
    parameters.delete('page[before]')
    if (name) parameters.set(name, cursor)
    const query = parameters.toString()
    return query ? `${address}?${query}` : address
  }
  return {
    first: at(),
    last: at('page[before]', ends.end),
    prev: ends.hasBefore ? at('page[before]', ends.first ?? ends.end) : null,
    next: ends.hasAfter ? (ends.last ? at('page[after]', ends.last) : at()) : null,
  }
}
