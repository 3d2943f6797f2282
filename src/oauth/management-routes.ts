import { type TSchema, Type } from '@sinclair/typebox'
import { smallBody } from '../http/body.ts'
import type { Answer, Route } from '../http/route.ts'
import { jsonApi } from '../jsonapi/negotiate.ts'
import { oauthError, renderOauthError } from './refusal.ts'
import { nameSchema } from './registration.ts'

const json = 'application/json'

/** What clients and personal tokens have in common for the person who manages them. */
export type Managed = {
  what: 'clients' | 'tokens'
  /** Its name among the schemas of the OpenAPI document. */
  name: string
  noun: string
  /** What the path calls its id. */
  id: string
  created: { schema: TSchema; example: object }
  listed: { schema: TSchema; example: object }
  example: { name: string; scope: string }
  handle: Record<'create' | 'list' | 'remove', Route['handle']>
}

const windowHeaders = {
  'X-OAuth-RateLimit-Limit': 'How many changes an hour allows.',
  'X-OAuth-RateLimit-Remaining': 'How many of them are left.',
  'X-OAuth-RateLimit-Reset': 'When the hour ends.',
}

const answer = (description: string, schema?: TSchema, example?: object): Answer => ({
  description,
  headers: windowHeaders,
  ...(schema ? { schema, mediaType: json, example } : {}),
})

const tooMany = answer('The hour’s changes are used up.', oauthError, {
  error: 'too_many_requests',
  error_description: 'Try again in 1800 seconds.',
})
const wrong = answer('A member or the scope is wrong.', oauthError, {
  error: 'invalid_scope',
  error_description: 'You may grant read:published.',
})

const registration = (name: string) =>
  Type.Object(
    { name: nameSchema, scope: Type.String({ minLength: 1 }) },
    { $id: `${name}Registration`, description: '`scope` is scopes, separated by spaces.' },
  )

/** POST, GET and DELETE of what a person manages. Bodies and refusals are flat. */
export const managementRoutes = ({ what, name, noun, id, created, listed, example, handle }: Managed): Route[] => {
  const shared: Pick<Route, 'tag' | 'access' | 'flat' | 'renderError' | 'errorSchema'> = {
    ...{ tag: 'OAuth', access: 'session', flat: true, renderError: renderOauthError, errorSchema: oauthError },
  }
  return [
    {
      ...shared,
      method: 'POST',
      path: `/oauth/${what}`,
      operationId: `create${name}`,
      summary: `Make ${noun}`,
      description: 'Its secret is shown this once. 5 changes an hour and user.',
      body: {
        schema: registration(name),
        mediaTypes: [json, jsonApi],
        required: false,
        maxBytes: smallBody,
        example,
      },
      answers: { 201: answer('It is made.', created.schema, created.example), 400: wrong, 429: tooMany },
      handle: handle.create,
    },
    {
      ...shared,
      method: 'GET',
      path: `/oauth/${what}`,
      operationId: `list${name}s`,
      summary: `List your ${what}`,
      description: 'Oldest first, without secrets. Looking does not count.',
      answers: { 200: answer('Those that live.', listed.schema, listed.example) },
      refusals: [400],
      handle: handle.list,
    },
    {
      ...shared,
      method: 'DELETE',
      path: `/oauth/${what}/:${id}`,
      operationId: `delete${name}`,
      summary: `End ${noun}`,
      description: 'Its next request is refused. Another person’s is a 404.',
      answers: { 204: answer('It has ended.'), 429: tooMany },
      refusals: [400],
      handle: handle.remove,
    },
  ]
}
