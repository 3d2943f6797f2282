import { PrintPage } from './catalog/print.tsx'
import { Syntax } from './catalog/syntax.tsx'
import type { Views } from './paths.ts'

/** Catalog pages that few readers open. */
export const views: Views = {
  '/search/syntax': Syntax,
  '/sets/:id/print': PrintPage,
}
