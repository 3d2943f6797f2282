import { CardPage } from './catalog/card.tsx'
import { Home } from './catalog/home.tsx'
import { Search } from './catalog/search.tsx'
import { SetPage } from './catalog/set.tsx'
import { Sets } from './catalog/sets.tsx'
import type { Views } from './paths.ts'

/** The pages of the catalog browser. */
export const views: Views = {
  '/': Home,
  '/search': Search,
  '/sets': Sets,
  '/sets/:id': SetPage,
  '/cards/:id': CardPage,
}
