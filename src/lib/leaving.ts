/**
 * Whether this process was told to stop. From then on `/health` says so, and every answer asks its client to open the next
 * connection elsewhere, while all is served (decisions.md §12, SHUTDOWN_DELAY_MS).
 */
export type Leaving = { readonly hasBegun: boolean; begin: () => void }

/** The state of a process that nobody has told to stop yet. */
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
