import { get } from './api.ts'
import { type Loaded, useLoaded } from './load.ts'

/** Reads what the service answers at a path, and again whenever the path changes. */
export const useAnswer = <T>(path: string): Loaded<T> => useLoaded((signal) => get<T>(path, { signal }), path)
