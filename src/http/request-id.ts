/** The id of a request: its own `X-Request-ID` where that is 1–128 of `A-Za-z0-9._-`, else a new one. */
export const readRequestId = (headers: Headers): string => {
  const given = headers.get('x-request-id')
  return given && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : Bun.randomUUIDv7()
}
