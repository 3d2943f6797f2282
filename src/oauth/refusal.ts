import { Type } from '@sinclair/typebox'
import type { Window } from '../access/window.ts'
import type { Reply } from '../http/route.ts'
import type { ApiError } from '../jsonapi/errors.ts'

/** The schema of such a refusal. */
export const oauthError = Type.Object({ error: Type.String(), error_description: Type.String() }, { $id: 'OAuthError' })

/** A refusal in OAuth's own form (RFC 6749 §5.2): flat, never JSON:API. */
export const oauthRefusal = (
  status: number,
  error: string,
  description: string,
  headers: Record<string, string> = {},
): Reply => ({
  status,
  mediaType: 'application/json',
  headers: { 'Cache-Control': 'no-store', ...headers },
  body: { error, error_description: description },
})

const names: Record<number, string> = {
  401: 'invalid_token',
  403: 'insufficient_scope',
  429: 'too_many_requests',
  500: 'server_error',
  503: 'temporarily_unavailable',
}

/** What the service itself refuses on the way to an OAuth route, in the same form. */
export const renderOauthError = ({ status, message, headers }: ApiError): Reply =>
  oauthRefusal(status, names[status] ?? 'invalid_request', message, headers)

/** Adds the headers of an OAuth endpoint's own window, and where it is closed refuses. */
export const withOauthWindow = (reply: Reply, window: Window): Reply => {
  const wait = String(window.waitSeconds)
  const answered = window.isOpen
    ? reply
    : oauthRefusal(429, 'too_many_requests', `Try again in ${wait} seconds.`, { 'Retry-After': wait })
  return {
    ...answered,
    headers: {
      ...answered.headers,
      'X-OAuth-RateLimit-Limit': String(window.limit),
      'X-OAuth-RateLimit-Remaining': String(window.remaining),
      'X-OAuth-RateLimit-Reset': String(window.resetAt),
    },
  }
}
