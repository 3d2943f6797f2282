/**
 * The path and query of a request, under a made-up host: the host that a client sends (`Host: [::1`, or none in HTTP/1.0) must
 * neither break an answer nor appear in one. Both are percent-encoded as RFC 3986 requires, so that links made from them are
 * valid even if the client sent raw characters.
 */
export const readUrl = ({ url }: Request): Target => {
  const scheme = url.indexOf('://')
  const start = url.startsWith('/') ? 0 : url.indexOf('/', scheme < 0 ? 0 : scheme + 3)
  const target = start < 0 ? '/' : url.slice(start)
  if (plainPath.test(target)) return new ReadTarget(target, '')
  const read = new URL(`http://cardstock${target}`)
  if (foreignInQuery.test(read.search)) read.search = encoded(read.search, foreignInQuery)
  if (foreignInPath.test(read.pathname)) read.pathname = encoded(read.pathname, foreignInPath)
  return new ReadTarget(read.pathname, read.search)
}

/** What a request asks for: its path and its query. */
export type Target = Readonly<Pick<URL, 'pathname' | 'search' | 'searchParams'>>

/** Each request has one, and most have no query, so its parameters are made on first use. */
class ReadTarget implements Target {
  private parameters?: URLSearchParams
  readonly pathname: string
  readonly search: string
  constructor(pathname: string, search: string) {
    this.pathname = pathname
    this.search = search
  }
  get searchParams(): URLSearchParams {
    this.parameters ??= new URLSearchParams(this.search)
    return this.parameters
  }
}

/** A path without a query that reading as a URL would leave as it is. */
const plainPath = /^\/[\w~!$&'()*+,;=:@/-]*$/

/** The characters that can't appear in a URI's path or query. In a query, also a `%` that doesn't begin an octet. */
const foreignInPath = /[^\w.~!$&'()*+,;=:@/%-]/
const foreignInQuery = /[^\w.~!$&'()*+,;=:@/?%-]|%(?![\dA-Fa-f]{2})/

const encoded = (text: string, foreign: RegExp) => text.replace(new RegExp(foreign, 'g'), encodeURIComponent)

/** The id of a request: its own `X-Request-ID` if that is 1–128 of `A-Za-z0-9._-`, otherwise a new one. */
export const readRequestId = (headers: Headers): string => {
  const given = headers.get('x-request-id')
  return given && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : Bun.randomUUIDv7()
}
