/**
 * The path and query of a request, under a made-up host: the host that a client sends (`Host: [::1`, or none in HTTP/1.0) must
 * neither break an answer nor appear in one. Both are percent-encoded as RFC 3986 requires, so that links made from them are
 * valid even if the client sent raw characters.
 */
export const readUrl = ({ url }: Request): URL => {
  const scheme = url.indexOf('://')
  const start = url.startsWith('/') ? 0 : url.indexOf('/', scheme < 0 ? 0 : scheme + 3)
  const read = new URL(`http://cardstock${start < 0 ? '/' : url.slice(start)}`)
  if (foreignInQuery.test(read.search)) read.search = encoded(read.search, foreignInQuery)
  if (foreignInPath.test(read.pathname)) read.pathname = encoded(read.pathname, foreignInPath)
  return read
}

/** The characters that can't appear in a URI's path or query. In a query, also a `%` that doesn't begin an octet. */
const foreignInPath = /[^\w.~!$&'()*+,;=:@/%-]/
const foreignInQuery = /[^\w.~!$&'()*+,;=:@/?%-]|%(?![\dA-Fa-f]{2})/

const encoded = (text: string, foreign: RegExp) => text.replace(new RegExp(foreign, 'g'), encodeURIComponent)

/** The id of a request: its own `X-Request-ID` if that is 1–128 of `A-Za-z0-9._-`, otherwise a new one. */
export const readRequestId = (headers: Headers): string => {
  const given = headers.get('x-request-id')
  return given && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : Bun.randomUUIDv7()
}
