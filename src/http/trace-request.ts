import type { Tracing } from '../lib/tracing.ts'
import { readUrl } from './request.ts'

/** The methods that a span may be named by. Others are what somebody made up. */
const methods = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/

/**
 * Answers a request as a span that continues its caller's trace, by the semantic conventions of HTTP. Without its query, which
 * may have secrets. `route` is its pattern, if it has one, and `scheme` how its caller reaches the service.
 */
export const traceRequest = (
  tracing: Tracing,
  { route, scheme }: { route: string | undefined; scheme: string },
  request: Request,
  answer: () => Promise<Response>,
): Promise<Response> => {
  const { headers } = request
  const method = methods.test(request.method) ? request.method : '_OTHER'
  const [traceparent, tracestate] = [headers.get('traceparent') ?? undefined, headers.get('tracestate') ?? undefined]
  const attributes = {
    'http.request.method': method,
    'http.route': route,
    'url.path': readUrl(request).pathname,
    'url.scheme': scheme,
  }
  const named = method === '_OTHER' ? 'HTTP' : method
  const name = route ? `${named} ${route}` : named
  return tracing.trace({ name, kind: 'server', attributes, from: { traceparent, tracestate } }, async (tell) => {
    const response = await answer()
    const { status } = response
    const told = {
      'http.response.status_code': status,
      'cardstock.request_id': response.headers.get('x-request-id') ?? undefined,
    }
    tell(told, status >= 500 ? String(status) : undefined)
    return response
  })
}
