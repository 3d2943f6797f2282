import type { Views } from './main.tsx'
import { Overview } from './operations/overview.tsx'
import { View } from './operations/view.tsx'

/** The pages of the operator console. */
export const views: Views = { '/operations': Overview, '/operations/:view': View, '/operations/:view/:id': View }
