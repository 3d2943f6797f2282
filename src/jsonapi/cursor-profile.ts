import { sizes } from '../limits.ts'
import { ApiError, invalidParameter, quoteSent } from './errors.ts'
import { jsonApi } from './negotiate.ts'

/** The cursor pagination profile of jsonapi.org. */
const cursorProfile = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'

/** The Content-Type of a page with this profile. */
export const cursorPageType = `${jsonApi}; profile="${cursorProfile}"`

/** How many records a page holds, by default and at most. */
export const pageSizes = sizes.page

const typed = (error: ApiError, type: string, meta?: Record<string, unknown>) =>
  new ApiError(
    error.status,
    error.errors.map((one) => ({ ...one, links: { type: `${cursorProfile}/${type}` }, ...(meta ? { meta } : {}) })),
  )

/** 400: the list can't be sorted by this key. An empty one is missing. */
export const unsupportedSort = (key: string, known: string[]) => {
  const what = key === '' ? 'A sort key is missing' : `${quoteSent(key)} is not a sort key here`
  return typed(invalidParameter('sort', `${what}. Use ${known.join(', ')}.`), 'unsupported-sort')
}

/** 400: the page is too large. `meta.page.maxSize` is the limit. */
export const pageTooLarge = (most: number) =>
  typed(invalidParameter('page[size]', `Must be an integer from 1 to ${most}.`), 'max-size-exceeded', {
    page: { maxSize: most },
  })

/** 400: the cursor doesn't belong to this list, with these filters and this sort. */
export const invalidCursor = (parameter: 'page[after]' | 'page[before]') =>
  invalidParameter(
    parameter,
    'This cursor does not belong to this list with these filters and this sort. Start without a cursor.',
  )

type PageLinks = { first: string; last: string; prev: string | null; next: string | null }

/** What a page's links need: the cursors of its ends, and whether there is more on either side. */
type PageEnds = { first?: string; last?: string; hasBefore: boolean; hasAfter: boolean; end: string }

/**
 * The links of a page, with the other parameters as they were. Null for pages that don't exist. From an empty page, `prev`
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
