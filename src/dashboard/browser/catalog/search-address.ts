import { useLocation } from 'preact-iso/router'
import { at } from '../kit/settings.ts'

/** The URL of the current search with some parameters changed. */
export const useSearchAddress = () => {
  const { query } = useLocation()
  return (change: Record<string, string>) => {
    const { after: _, ...rest } = query
    const given = Object.entries({ ...rest, ...change }).filter(([, value]) => value)
    return `${at('/search')}?${new URLSearchParams(given)}`
  }
}
