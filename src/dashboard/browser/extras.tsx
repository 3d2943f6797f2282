import { PrintPage } from './catalog/print.tsx'
import { RainbowPage } from './catalog/rainbow.tsx'
import { PlayerPage, TeamPage } from './catalog/subject.tsx'
import { Syntax } from './catalog/syntax.tsx'
import type { Views } from './paths.ts'

/** Catalog pages that are opened from others, so that those load less. */
export const views: Views = {
  '/cards/:id/rainbow': RainbowPage,
  '/players/:id': PlayerPage,
  '/teams/:id': TeamPage,
  '/search/syntax': Syntax,
  '/sets/:id/print': PrintPage,
}
