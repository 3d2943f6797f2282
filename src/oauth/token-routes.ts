import { Type } from '@sinclair/typebox'
import { smallBody } from '../http/body.ts'
import type { Route } from '../http/route.ts'
import { jsonApi } from '../jsonapi/negotiate.ts'
import { ownWindows, sayWindow } from '../limits.ts'
import { byClient } from './by-client.ts'
import { introspectToken } from './introspect.ts'
import { readMetadata } from './metadata.ts'
import { answersWithin, oauthRoute } from './refusal.ts'
import { revokeToken } from './revoke.ts'

const request = Type.Object(
  {
    token: Type.String(),
    token_type_hint: Type.Optional(Type.String({ description: 'Accepted and ignored.' })),
    client_id: Type.Optional(Type.String()),
    client_secret: Type.Optional(Type.String()),
  },
  { $id: 'TokenQuestion', description: 'The client authenticates here or by HTTP Basic.' },
)

const introspection = Type.Object(
  {
    active: Type.Boolean(),
    scope: Type.Optional(Type.String()),
    client_id: Type.Optional(Type.String()),
    token_type: Type.Optional(Type.String()),
    sub: Type.Optional(Type.String()),
    iss: Type.Optional(Type.String()),
    jti: Type.Optional(Type.String()),
    exp: Type.Optional(Type.Integer()),
    iat: Type.Optional(Type.Integer()),
  },
  { $id: 'TokenIntrospection' },
)

const { answer, refusal } = answersWithin('questions', 'a minute')

const shared = {
  ...oauthRoute,
  ...({ method: 'POST', access: 'public' } as const),
  body: {
    schema: request,
    mediaTypes: ['application/x-www-form-urlencoded', 'application/json', jsonApi],
    maxBytes: smallBody,
    example: {
      token: 'eyJhbGciOi…',
      client_id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
      client_secret: 'cardstock_secret_…',
    },
  },
}

const unauthorized = refusal('The client is unknown, or its secret is wrong.', 'invalid_client', 'Unknown client.')
const tooMany = refusal(
  'You have used up your requests for this minute.',
  'too_many_requests',
  'Try again in 30 seconds.',
)

const metadata = readMetadata('https://cards.example.org')

/** Lets clients revoke and introspect tokens, and describes the service as an authorization server. */
export const tokenRoutes: Route[] = [
  {
    ...shared,
    path: '/oauth/revoke',
    operationId: 'revokeToken',
    summary: 'Revoke a token',
    description: `RFC 7009. Revokes an access token of the client, or a personal token of its owner. Returns 200 even if the token no longer exists. ${ownWindows.oauthQuestion.limit} ${sayWindow(ownWindows.oauthQuestion.windowSeconds)} per client.`,
    answers: {
      200: answer('The token no longer works.', Type.Object({}, { $id: 'EndedToken' }), {}),
      400: refusal(
        'The token belongs to someone else, or can’t be revoked here.',
        'unauthorized_client',
        'The token does not belong to this client.',
      ),
      401: unauthorized,
      429: tooMany,
    },
    handle: byClient('revoke', revokeToken),
  },
  {
    ...shared,
    path: '/oauth/introspect',
    operationId: 'introspectToken',
    summary: 'Introspect a token',
    description: `RFC 7662. A client can introspect the access tokens, personal tokens and API keys of its owner. An approved internal client can introspect anyone’s. ${ownWindows.oauthQuestion.limit} ${sayWindow(ownWindows.oauthQuestion.windowSeconds)} per client.`,
    answers: {
      200: answer(
        'What the token can do right now. `active` is false for anything that isn’t a valid token.',
        introspection,
        {
          active: true,
          scope: 'read:published',
          token_type: 'Bearer',
          sub: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
          iss: 'https://cards.example.org',
          client_id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
          jti: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2f',
          exp: 1_795_350_600,
          iat: 1_795_264_200,
        },
      ),
      400: refusal('The request is invalid.', 'invalid_request', 'token is missing.'),
      401: unauthorized,
      429: tooMany,
    },
    handle: byClient('introspect', introspectToken),
  },
  {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    operationId: 'getAuthorizationServer',
    summary: 'Get the OAuth server metadata',
    description: 'RFC 8414.',
    tag: 'OAuth',
    access: 'public',
    flat: true,
    answers: {
      200: {
        description: 'The metadata.',
        schema: Type.Object(
          Object.fromEntries(
            Object.entries(metadata).map(([name, value]) => [
              name,
              Array.isArray(value) ? Type.Array(Type.String()) : Type.String(),
            ]),
          ),
          { $id: 'AuthorizationServer' },
        ),
        example: metadata,
      },
    },
    handle: ({ config }) => ({
      status: 200,
      headers: { 'Cache-Control': 'public, max-age=3600' },
      body: readMetadata(config.baseUrl),
    }),
  },
]
