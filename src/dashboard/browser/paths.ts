/** The part of the pages that a path belongs to; each is a script of its own, loaded when it is first needed. */
export type Part = 'catalog' | 'account' | 'operations'

/** Every page's path, and its part: the service answers these with the pages' shell, and the browser's router knows them. */
export const pagePaths = {
  '/': 'catalog',
  '/search': 'catalog',
  '/sets': 'catalog',
  '/sets/:id': 'catalog',
  '/sets/:id/print': 'catalog',
  '/players/:id': 'catalog',
  '/teams/:id': 'catalog',
  '/cards/:id': 'catalog',
  '/signup': 'account',
  '/verify': 'account',
  '/signin': 'account',
  '/forgot-password': 'account',
  '/reset-password': 'account',
  '/confirm-email': 'account',
  '/getting-started': 'account',
  '/account': 'account',
  '/account/clients': 'account',
  '/account/tokens': 'account',
  '/account/settings': 'account',
  '/operations': 'operations',
  '/operations/:view': 'operations',
  '/operations/:view/:id': 'operations',
} as const satisfies Record<string, Part>

export type PagePath = keyof typeof pagePaths
