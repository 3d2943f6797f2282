import { type TSchema, Type } from '@sinclair/typebox'
import type { Window } from '../access/window.ts'
import type { Answer, Reply, Route } from '../http/route.ts'
import type { ApiError, ErrorObject } from '../jsonapi/errors.ts'

/** The schema of these refusals. */
const oauthError = Type.Object({ error: Type.String(), error_description: Type.String() }, { $id: 'OAuthError' })

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
  403: 'access_denied',
  404: 'not_found',
  429: 'too_many_requests',
  500: 'server_error',
  503: 'temporarily_unavailable',
}

/** A 403 that the contract names keeps its name. */
const namesOfCodes: Record<string, string> = {
  FORBIDDEN_NOT_INTERACTIVE_SESSION: 'FORBIDDEN_NOT_INTERACTIVE_SESSION',
  INSUFFICIENT_SCOPE: 'insufficient_scope',
}

/** Renders the service's own refusals under /oauth in the same form. */
export const renderOauthError = ({ status, errors, headers }: ApiError): Reply => {
  const name = namesOfCodes[errors[0]?.code ?? ''] ?? names[status] ?? 'invalid_request'
  return oauthRefusal(status, name, errors.map(describe).join(' '), headers)
}

const describe = ({ detail, title, source }: ErrorObject) =>
  source?.parameter === undefined ? (detail ?? title) : `${source.parameter}: ${detail ?? title}`

/** Adds the headers of an OAuth endpoint's window, and refuses if nothing is left in it. */
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

/** What the routes under /oauth have in common. */
export const oauthRoute: Pick<Route, 'tag' | 'flat' | 'renderError' | 'errorSchema'> = {
  tag: 'OAuth',
  flat: true,
  renderError: renderOauthError,
  errorSchema: oauthError,
}

/** Answers and refusals with the headers of a window, which counts these things by the minute or hour. */
export const answersWithin = (things: string, unit: 'a minute' | 'an hour') => {
  const headers = {
    'X-OAuth-RateLimit-Limit': `How many ${things} are allowed ${unit}.`,
    'X-OAuth-RateLimit-Remaining': 'How many are left.',
    'X-OAuth-RateLimit-Reset': 'When the window ends.',
  }
  const answer = (description: string, schema?: TSchema, example?: object): Answer => ({
    description,
    headers,
    ...(schema ? { schema, mediaType: 'application/json', example } : {}),
  })
  const refusal = (description: string, error: string, error_description: string) =>
    answer(description, oauthError, { error, error_description })
  return { answer, refusal }
}
