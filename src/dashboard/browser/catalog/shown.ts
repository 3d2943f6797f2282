import { createContext } from 'preact'

/** What a catalog page shows, and a way to reload it. Inline editors start from that. */
export const Shown = createContext<{ value: unknown; reload: () => void }>({ value: undefined, reload: () => {} })
