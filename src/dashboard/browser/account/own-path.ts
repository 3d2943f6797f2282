/**
 * The path that a sign-in goes on to, if it is one on this host (decisions.md §22). It is read as a browser would, which passes
 * over tabs and line breaks, and takes `/.//host` for `//host`.
 */
export const ownPath = (next: string | undefined, here: string): string | undefined => {
  if (!next || !/^\/(?![/\\])/.test(next) || !URL.canParse(next, here)) return undefined
  const { origin, pathname, search, hash } = new URL(next, here)
  return origin === here && !pathname.startsWith('//') ? pathname + search + hash : undefined
}
