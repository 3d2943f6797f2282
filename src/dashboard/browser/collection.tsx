import { Collection } from './collection/collection.tsx'
import { Wants } from './collection/wants.tsx'
import type { Views } from './paths.ts'

/** The pages of the reader's collection. */
export const views: Views = {
  '/collection': Collection,
  '/collection/wants': Wants,
}
