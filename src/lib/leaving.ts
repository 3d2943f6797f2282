/**
 * Whether this process is shutting down. While it is, every answer asks its client to open the next connection elsewhere, but
 * everything is still served. `/health` says so if the whole service `stops` (decisions.md §12, SHUTDOWN_DELAY_MS), but not if
 * another process takes its place.
 */
export type Leaving = { readonly hasBegun: boolean; readonly stops: boolean; begin: (stops: boolean) => void }

/** The state of a process that is not shutting down yet. */
export const openLeaving = (): Leaving => {
  let [hasBegun, isTheEnd] = [false, false]
  return {
    get hasBegun() {
      return hasBegun
    },
    get stops() {
      return isTheEnd
    },
    begin: (stops) => {
      hasBegun = true
      isTheEnd = stops
    },
  }
}
