/**
 * Whether this process is shutting down. While it is, `/health` says so, and every answer asks its client to open the next
 * connection elsewhere, but everything is still served (decisions.md §12, SHUTDOWN_DELAY_MS).
 */
export type Leaving = { readonly hasBegun: boolean; begin: () => void }

/** The state of a process that is not shutting down yet. */
export const openLeaving = (): Leaving => {
  let hasBegun = false
  return {
    get hasBegun() {
      return hasBegun
    },
    begin: () => {
      hasBegun = true
    },
  }
}
