import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Refused } from './api.ts'

/** What is being read: the last value stays while another is on its way. */
export type Loaded<T> = { value?: T; failure?: Refused; isLoading: boolean; reload: () => void }

/** Reads something when the component appears and whenever `key` changes; what came too late is dropped. */
export const useLoaded = <T>(read: (signal: AbortSignal) => Promise<T>, key: string): Loaded<T> => {
  const [state, setState] = useState<{ value?: T; failure?: Refused; isLoading: boolean }>({ isLoading: true })
  const [turn, setTurn] = useState(0)
  const reader = useRef(read)
  reader.current = read
  useEffect(() => {
    const controller = new AbortController()
    setState(({ value }) => ({ value, isLoading: true }))
    reader.current(controller.signal).then(
      (value) => controller.signal.aborted || setState({ value, isLoading: false }),
      (failure: Refused) =>
        controller.signal.aborted || setState(({ value }) => ({ value, failure, isLoading: false })),
    )
    return () => controller.abort()
  }, [key, turn])
  return { ...state, reload: useCallback(() => setTurn((one) => one + 1), []) }
}

/** Calls something every so many milliseconds while `isOn`, and not while the page is hidden. */
export const useEvery = (milliseconds: number, isOn: boolean, call: () => void) => {
  const caller = useRef(call)
  caller.current = call
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(() => document.hidden || caller.current(), milliseconds)
    return () => clearInterval(timer)
  }, [milliseconds, isOn])
}
