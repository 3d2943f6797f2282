import type { Content } from '../browser/catalog/content.ts'
import type { PagePath } from '../browser/paths.ts'
import type { Ask } from './ask.ts'
import { cardContent } from './card.ts'
import { homeContent } from './home.ts'
import { printContent } from './print.ts'
import { rainbowContent } from './rainbow.ts'
import { searchContent } from './search.ts'
import { setContent } from './set.ts'
import { setsContent } from './sets.ts'
import { subjectContent } from './subject.ts'
import { syntaxContent } from './syntax.ts'

/** Reads what each page of the catalog shows. */
export const contents: Partial<Record<PagePath, (ask: Ask) => Promise<Content>>> = {
  '/': homeContent,
  '/search': searchContent,
  '/search/syntax': syntaxContent,
  '/sets': setsContent,
  '/sets/:id': setContent,
  '/sets/:id/print': printContent,
  '/cards/:id': cardContent,
  '/cards/:id/rainbow': rainbowContent,
  '/players/:id': subjectContent('players'),
  '/teams/:id': subjectContent('teams'),
}
