/**
 * The path and query of a request, behind a host that means nothing: what a client writes there (`Host: [::1`, nothing at
 * all in HTTP/1.0) must neither break an answer nor appear in one. Both are as a URI has them (RFC 3986), so that a link
 * that is made of them is one, whatever the client left raw.
 */
export const readUrl = ({ url }: Request): URL => {
  const scheme = url.indexOf('://')
  const start = url.startsWith('/') ? 0 : url.indexOf('/', scheme < 0 ? 0 : scheme + 3)
  const read = new URL(`http://cardstock${start < 0 ? '/' : url.slice(start)}`)
  if (foreignInQuery.test(read.search)) read.search = encoded(read.search, foreignInQuery)
  if (foreignInPath.test(read.pathname)) read.pathname = encoded(read.pathname, foreignInPath)
  return read
}

/** What stands in no path of a URI, and in no query: there a `%` that begins no octet is one of these, too. */
const foreignInPath = /[^\w.~!$&'()*+,;=:@/%-]/
const foreignInQuery = /[^\w.~!$&'()*+,;=:@/?%-]|%(?![\dA-Fa-f]{2})/

const encoded = (text: string, foreign: RegExp) => text.replace(new RegExp(foreign, 'g'), encodeURIComponent)

/** The id of a request: its own `X-Request-ID` where that is 1–128 of `A-Za-z0-9._-`, else a new one. */
export const readRequestId = (headers: Headers): string => {
  const given = headers.get('x-request-id')
  return given && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : Bun.randomUUIDv7()
}
