/** The part of the pages that a path belongs to; each is a script of its own, loaded when it is first needed. */
export type Part = 'catalog' | 'extras' | 'account' | 'operations'

/** Every page's path, and its part: the service answers these with the pages' shell, and the browser's router knows them. */
export const pagePaths = {
  '/': 'catalog',
  '/search': 'catalog',
  '/search/syntax': 'extras',
  '/sets': 'catalog',
  '/sets/:id': 'catalog',
  '/sets/:id/print': 'extras',
  '/players/:id': 'catalog',
  '/teams/:id': 'catalog',
  '/cards/:id': 'catalog',
  '/signup': 'account',
  '/verify': 'account',
  '/signin': 'account',
  '/forgot-password': 'account',
  '/reset-password': 'account',
  '/confirm-email': 'account',
  '/undo-email': 'account',
  '/getting-started': 'account',
  '/account': 'account',
  '/account/clients': 'account',
  '/account/tokens': 'account',
  '/account/settings': 'account',
  '/operations': 'operations',
  '/operations/board': 'operations',
  '/operations/sets/:id': 'operations',
  '/operations/workflows': 'operations',
  '/operations/workflows/:id': 'operations',
  '/operations/duplicates': 'operations',
  '/operations/merges': 'operations',
  '/operations/merge': 'operations',
  '/operations/split/:id': 'operations',
  '/operations/imports': 'operations',
  '/operations/imports/:id': 'operations',
  '/operations/batches': 'operations',
  '/operations/batches/:id': 'operations',
  '/operations/jobs': 'operations',
  '/operations/invites': 'operations',
  '/operations/clients': 'operations',
  '/operations/clients/:id': 'operations',
  '/operations/audit-log': 'operations',
  '/operations/audit-log/:id': 'operations',
  '/operations/usage': 'operations',
  '/operations/readiness': 'operations',
} as const satisfies Record<string, Part>

export type PagePath = keyof typeof pagePaths

/** Whether an address can be read; one with a malformed escape is that of no page. */
export const isReadable = (pathname: string): boolean => {
  try {
    decodeURIComponent(pathname)
    return true
  } catch {
    return false
  }
}
