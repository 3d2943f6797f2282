import { useEffect } from 'preact/hooks'
import type { Loaded } from './load.ts'

/**
 * Reads something again at an interval while `isOn` and the page is visible. The interval starts with each answer, so slow ones
 * don't pile up.
 */
export const useAgain = ({ isLoading, reload }: Loaded<unknown>, milliseconds: number, isOn: boolean) => {
  useEffect(() => {
    if (!isOn || isLoading) return
    const timer = setInterval(() => document.hidden || reload(), milliseconds)
    return () => clearInterval(timer)
  }, [milliseconds, isOn, isLoading, reload])
}
