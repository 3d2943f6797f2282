import { type Loaded, useLoaded } from './load.ts'

/** Looks up a text that is being typed when typing pauses for `restMilliseconds`. Null while nothing is typed. */
export const useTyped = <T>(
  typed: string,
  find: (typed: string, signal: AbortSignal) => Promise<T>,
  restMilliseconds = 150,
): Loaded<T | null> =>
  useLoaded(async (signal) => {
    if (!typed) return null
    await new Promise((rested) => setTimeout(rested, restMilliseconds))
    signal.throwIfAborted()
    return find(typed, signal)
  }, typed)
