const exposed = [
  'X-Request-ID',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Window',
  'X-OAuth-RateLimit-Limit',
  'X-OAuth-RateLimit-Remaining',
  'X-OAuth-RateLimit-Reset',
  'Retry-After',
  'Deprecation',
  'Sunset',
  'ETag',
  'Location',
].join(', ')

/** Any origin may read with a bearer credential. With `*`, browsers block requests that send cookies (decisions.md §10). */
export const corsHeaders: Record<string, string> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposed,
}

/** The headers that answer a preflight: the path's methods. Browsers may keep them for a day. */
export const preflightHeaders = (request: Request, methods: string[]): Record<string, string> => ({
  Allow: methods.join(', '),
  'Access-Control-Allow-Methods': methods.join(', '),
  'Access-Control-Allow-Headers':
    request.headers.get('access-control-request-headers')?.replace(/[^\w\-, ]/g, '') ?? 'Authorization, Content-Type',
  'Access-Control-Max-Age': '86400',
})
