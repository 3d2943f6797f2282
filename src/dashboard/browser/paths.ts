import type { ComponentType } from 'preact'

/** Every page's path, by the part of the pages it belongs to. Each part is its own script, loaded when first needed. */
export const pathsOf = {
  catalog: ['/', '/search', '/sets', '/sets/:id', '/players/:id', '/teams/:id', '/cards/:id'],
  extras: ['/search/syntax', '/sets/:id/print'],
  account: [
    '/signup',
    '/verify',
    '/signin',
    '/forgot-password',
    '/reset-password',
    '/confirm-email',
    '/undo-email',
    '/getting-started',
    '/account',
    '/account/clients',
    '/account/tokens',
    '/account/webhooks',
    '/account/webhooks/:id',
    '/account/settings',
  ],
  operations: [
    '/operations',
    '/operations/board',
    '/operations/sets/:id',
    '/operations/workflows',
    '/operations/workflows/:id',
    '/operations/duplicates',
    '/operations/merges',
    '/operations/merge',
    '/operations/split/:id',
    '/operations/deleted',
    '/operations/imports',
    '/operations/imports/:id',
    '/operations/batches',
    '/operations/batches/:id',
    '/operations/jobs',
    '/operations/people',
    '/operations/invites',
    '/operations/clients',
    '/operations/clients/:id',
    '/operations/webhooks',
    '/operations/webhooks/:id',
    '/operations/audit-log',
    '/operations/audit-log/:id',
    '/operations/usage',
    '/operations/readiness',
  ],
} as const

export type Part = keyof typeof pathsOf
export type PagePath = (typeof pathsOf)[Part][number]

/** What a part's script exports: a component for each of its paths. */
export type Views = Partial<Record<PagePath, ComponentType>>

/** Each path's part. The service serves the pages' shell at these paths, and the browser's router knows them. */
export const pagePaths = Object.fromEntries(
  Object.entries(pathsOf).flatMap(([part, paths]) => paths.map((path) => [path, part])),
) as Record<PagePath, Part>

/** Whether a path can be decoded. One with a malformed escape is not a page. */
export const isReadable = (pathname: string): boolean => {
  try {
    decodeURIComponent(pathname)
    return true
  } catch {
    return false
  }
}
