import type { Views } from './main.tsx'

/** The pages of the catalog browser. */
export const views: Views = {}
