import { Type } from '@sinclair/typebox'
import { smallBody } from '../http/body.ts'
import type { Route } from '../http/route.ts'
import { jsonApi } from '../jsonapi/negotiate.ts'
import { ownWindows, sayWindow } from '../limits.ts'
import { answersWithin, oauthRoute } from './refusal.ts'
import { issueToken } from './token.ts'

const tokenRequest = Type.Object(
  {
    grant_type: Type.Literal('client_credentials'),
    client_id: Type.Optional(Type.String()),
    client_secret: Type.Optional(Type.String()),
    scope: Type.Optional(
      Type.String({
        description:
          'Scopes, separated by spaces. Defaults to all of the client’s. A client can ask for less than it has: `read:published` instead of `read:draft`, and either of them instead of `read:all-status`.',
      }),
    ),
  },
  { $id: 'TokenRequest' },
)

const tokenAnswer = Type.Object(
  { token_type: Type.Literal('Bearer'), expires_in: Type.Integer(), access_token: Type.String(), scope: Type.String() },
  { $id: 'Token' },
)

const { answer, refusal } = answersWithin('tokens', 'a minute')

/** OAuth 2.0 for machine clients. */
export const oauthRoutes: Route[] = [
  {
    ...oauthRoute,
    method: 'POST',
    path: '/oauth/token',
    operationId: 'createAccessToken',
    summary: 'Get an access token',
    description: `Client credentials (RFC 6749 §4.4) as JSON, a form, or HTTP Basic. ${ownWindows.oauthToken.limit} ${sayWindow(ownWindows.oauthToken.windowSeconds)} per client. A wrong secret is counted by client and IP address, an unknown client by IP address.`,
    access: 'public',
    body: {
      maxBytes: smallBody,
      schema: tokenRequest,
      mediaTypes: ['application/json', 'application/x-www-form-urlencoded', jsonApi],
      example: {
        grant_type: 'client_credentials',
        client_id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
        client_secret: 'cardstock_secret_…',
        scope: 'read:published',
      },
    },
    answers: {
      200: answer('The token.', tokenAnswer, {
        token_type: 'Bearer',
        expires_in: 86_400,
        access_token: 'eyJhbGciOi…',
        scope: 'read:published',
      }),
      400: refusal('The request or the scope is invalid.', 'invalid_scope', 'The client may not have this scope.'),
      401: refusal('The client is unknown, or its secret is wrong.', 'invalid_client', 'Unknown client.'),
      429: refusal('Too many token requests.', 'too_many_requests', 'Try again in 30 seconds.'),
    },
    handle: issueToken,
  },
]
