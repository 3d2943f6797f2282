import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { asRefused, type Refused } from './api.ts'

/** The state of a read. The last value stays until the next one arrives. A failure keeps only a value of the same `key`. */
export type Loaded<T> = { value?: T; failure?: Refused; isLoading: boolean; reload: () => void }

/** `old` is the value for the previous `key`, kept until this one has a value. */
type State<T> = { key: string; value?: T; old?: T; failure?: Refused; isLoading: boolean }

/**
 * Reads something when the component appears and whenever `key` changes. Outdated answers are dropped. If the result is already
 * `given`, the first read is skipped.
 */
export const useLoaded = <T>(
  read: (signal: AbortSignal) => Promise<T>,
  key: string,
  given?: Pick<Loaded<T>, 'value' | 'failure'>,
): Loaded<T> => {
  const [state, setState] = useState<State<T>>({ key, isLoading: !given, ...given })
  const isGiven = useRef(given !== undefined)
  const [turn, setTurn] = useState(0)
  const reader = useRef(read)
  reader.current = read
  useEffect(() => {
    if (isGiven.current) {
      isGiven.current = false
      return
    }
    const controller = new AbortController()
    setState((last) => ({
      ...(last.key === key ? last : { key, old: last.value ?? last.old }),
      isLoading: true,
    }))
    reader.current(controller.signal).then(
      (value) => controller.signal.aborted || setState({ key, value, isLoading: false }),
      (error) =>
        controller.signal.aborted ||
        setState(({ value }) => ({ key, value, failure: asRefused(error), isLoading: false })),
    )
    return () => controller.abort()
  }, [key, turn])
  const reload = useCallback(() => setTurn((one) => one + 1), [])
  return { ...state, value: state.value === undefined ? state.old : state.value, reload }
}
