import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { asRefused, type Refused } from './api.ts'

/** The state of a read: the last answer stays until the next one; beside a failure stands only a value of the same question. */
export type Loaded<T> = { value?: T; failure?: Refused; isLoading: boolean; reload: () => void }

/** `old` is the answer to the last question, which stays until this one has an answer. */
type State<T> = { key: string; value?: T; old?: T; failure?: Refused; isLoading: boolean }

/**
 * Reads something when the component appears and whenever `key` changes; late answers are dropped. What is `given`
 * is not read.
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
