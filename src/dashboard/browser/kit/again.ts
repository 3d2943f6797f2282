import { useEffect } from 'preact/hooks'
import type { Loaded } from './load.ts'

/**
 * Reads something again at an interval while `isOn`, counted from the last answer, so that it waits for a slow one; not while
 * the page is hidden.
 */
export const useAgain = ({ isLoading, reload }: Loaded<unknown>, milliseconds: number, isOn: boolean) => {
  useEffect(() => {
    if (!isOn || isLoading) return
    const timer = setInterval(() => document.hidden || reload(), milliseconds)
    return () => clearInterval(timer)
  }, [milliseconds, isOn, isLoading, reload])
}
