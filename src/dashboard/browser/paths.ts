import type { ComponentType } from 'preact'

/** Paths that start alike, so that scripts have the start once. */
const below = <Start extends string, Rest extends string>(start: Start, rests: Rest[]) =>
  rests.map((rest): `${Start}${Rest}` => `${start}${rest}`)

/** Every page's path, by the part of the pages it belongs to. Each part is its own script, loaded when first needed. */
export const pathsOf = {
  catalog: ['/', '/search', '/sets', '/sets/:id', '/cards/:id'],
  extras: ['/cards/:id/rainbow', '/players/:id', '/teams/:id', '/search/syntax', '/sets/:id/print'],
  collection: ['/collection', '/collection/wants'],
  account: [
    '/signup',
    '/verify',
    '/signin',
    '/forgot-password',
    '/reset-password',
    '/confirm-email',
    '/undo-email',
    '/getting-started',
    ...below('/account', ['', '/clients', '/tokens', '/webhooks', '/webhooks/:id', '/settings']),
  ],
  operations: below('/operations', [
    '',
    '/board',
    '/sets/:id',
    '/workflows',
    '/workflows/:id',
    '/duplicates',
    '/merges',
    '/merge',
    '/split/:id',
    '/deleted',
    '/imports',
    '/imports/:id',
    '/batches',
    '/batches/:id',
    '/jobs',
    '/people',
    '/invites',
    '/clients',
    '/clients/:id',
    '/webhooks',
    '/webhooks/:id',
    '/audit-log',
    '/audit-log/:id',
    '/usage',
    '/readiness',
  ]),
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
