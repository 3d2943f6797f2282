/**
 * The path and query of a request, behind a host that means nothing: what a client writes there (`Host: [::1`, nothing at
 * all in HTTP/1.0) must neither break an answer nor appear in one.
 */
export const readUrl = ({ url }: Request): URL => {
  const scheme = url.indexOf('://')
  const path = url.startsWith('/') ? 0 : url.indexOf('/', scheme < 0 ? 0 : scheme + 3)
  return new URL(`http://cardstock${path < 0 ? '/' : url.slice(path)}`)
}
