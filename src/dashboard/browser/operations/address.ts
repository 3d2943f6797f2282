import { useLocation } from 'preact-iso/router'
import { at } from '../kit/settings.ts'

/**
 * A view's filters, kept in its URL's query so that they can be shared, and functions that change them. Changing a filter goes
 * back to the first page.
 */
export const useFilters = <T extends Record<string, string>>(path: string, usual: T) => {
  const { query, route } = useLocation()
  const filters = Object.fromEntries(Object.entries(usual).map(([name, value]) => [name, query[name] ?? value])) as T
  const hrefOf = (change: Partial<T>) => {
    const given = Object.entries({ ...filters, page: usual.page, ...change }).filter(
      ([name, value]) => value !== usual[name],
    )
    return at(given.length > 0 ? `${path}?${new URLSearchParams(given as [string, string][])}` : path)
  }
  return { filters, hrefOf, change: (change: Partial<T>) => route(hrefOf(change), true) }
}

/** A query string without the empty values. */
export const queryOf = (values: Record<string, string>) =>
  new URLSearchParams(Object.entries(values).filter(([, value]) => value !== '')).toString()
