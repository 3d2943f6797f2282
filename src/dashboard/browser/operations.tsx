import type { Views } from './main.tsx'
import { Overview } from './operations/overview.tsx'

/** The pages of the operator console. */
export const views: Views = { '/operations': Overview }
