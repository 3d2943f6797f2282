/**
 * The path and query of a request, after a made-up host: what a client sends as its host (`Host: [::1`, or nothing at all in
 * HTTP/1.0) must neither break an answer nor appear in one. Both are percent-encoded as RFC 3986 wants, so that links made of
 * them are valid even if the client sent raw characters.
 */
export const readUrl = ({ url }: Request): URL => {
  const scheme = url.indexOf('://')
  const start = url.startsWith('/') ? 0 : url.indexOf('/', scheme < 0 ? 0 : scheme + 3)
  const read = new URL(`http://cardstock${start < 0 ? '/' : url.slice(start)}`)
  if (foreignInQuery.test(read.search)) read.search = encoded(read.search, foreignInQuery)
  if (foreignInPath.test(read.pathname)) read.pathname = encoded(read.pathname, foreignInPath)
  return read
}

/** The characters that a URI's path and query cannot have; in a query, also a `%` that begins no octet. */
const foreignInPath = /[^\w.~!$&'()*+,;=:@/%-]/
const foreignInQuery = /[^\w.~!$&'()*+,;=:@/?%-]|%(?![\dA-Fa-f]{2})/

const encoded = (text: string, foreign: RegExp) => text.replace(new RegExp(foreign, 'g'), encodeURIComponent)

/** The id of a request: its own `X-Request-ID` if that is 1–128 of `A-Za-z0-9._-`, else a new one. */
export const readRequestId = (headers: Headers): string => {
  const given = headers.get('x-request-id')
  return given && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : Bun.randomUUIDv7()
}
