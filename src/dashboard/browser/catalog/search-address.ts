import { useLocation } from 'preact-iso/router'
import { at } from '../kit/settings.ts'

/** The address of a search with something changed in the one that is shown. */
export const useSearchAddress = () => {
  const { query } = useLocation()
  return (change: Record<string, string>) => {
    const { after: _, ...rest } = query
    const given = Object.entries({ ...rest, ...change }).filter(([, value]) => value)
    return `${at('/search')}?${new URLSearchParams(given)}`
  }
}
