import { createContext } from 'preact'

/** What a page of the catalog shows, and a way to read it again: what edits a part of it in its place starts from that. */
export const Shown = createContext<{ value: unknown; reload: () => void }>({ value: undefined, reload: () => {} })
