import { Type } from '@sinclair/typebox'
import { fieldsParameter } from '../../http/parameters.ts'
import { boolean, integer, nullable, time, uuid } from '../../jsonapi/fields.ts'
import { plainDocument, plainPage, plainResource } from '../../jsonapi/plain-schema.ts'
import { sparse } from '../../jsonapi/serialize.ts'
import type { Client } from './client.ts'

export const type = 'oauth_clients'
/** Where operators find clients. */
export const path = '/internal/clients'

const allowance = () =>
  Type.Object({ limit: integer(1, 2 ** 31 - 1), window_seconds: integer(1, 2 ** 31 - 1) }, { $id: 'RateLimit' })

/** What an operator may write. */
export const writable = {
  internal_approved: Type.Optional(boolean()),
  internal_pool: Type.Optional(boolean()),
  rate_limit: Type.Optional(nullable(allowance())),
}

const shown = {
  name: Type.String(),
  scope: Type.String({ description: 'Scopes, separated by spaces.' }),
  user_id: uuid(),
  email: Type.String({ description: 'The address of its owner.' }),
  internal_approved: boolean(),
  internal_pool: boolean(),
  rate_limit: nullable(allowance()),
  next_rate_limit: nullable(
    Type.Object(
      { limit: nullable(integer(1)), window_seconds: nullable(integer(1)), from: time() },
      { description: 'What takes the place of `rate_limit`, and when; a null limit is the usual one.' },
    ),
  ),
  created_at: time(),
  last_used_at: nullable(time()),
}

/** The names of the attributes. */
export const attributeNames = Object.keys(shown)

const resource = plainResource(type, shown, { $id: 'ManagedClient' })

/** The document of one client. */
export const single = plainDocument(resource, { $id: 'ManagedClientDocument' })

/** The document of a page of them. */
export const collection = plainPage(resource, { $id: 'ManagedClientCollection' })

/** The body of a PATCH. */
export const update = Type.Object(
  { data: Type.Object({ type: Type.Literal(type), id: uuid(), attributes: Type.Optional(Type.Object(writable)) }) },
  { $id: 'ManagedClientUpdate' },
)

/** The query parameter that thins the attributes. */
export const readParameters = fieldsParameter(type, attributeNames, ['name', 'internal_approved'])

/** A client as a resource object. */
export const renderClient = (baseUrl: string, client: Client, fields: Set<string> | undefined) => ({
  type,
  id: client.id,
  attributes: sparse<unknown>(
    {
      name: client.name,
      scope: client.scope,
      user_id: client.userId,
      email: client.email,
      internal_approved: client.internalApproved,
      internal_pool: client.internalPool,
      rate_limit: client.rateLimit && {
        limit: client.rateLimit.limit,
        window_seconds: client.rateLimit.windowSeconds,
      },
      next_rate_limit: client.nextRateLimit && {
        limit: client.nextRateLimit.limit,
        window_seconds: client.nextRateLimit.windowSeconds,
        from: client.nextRateLimit.from,
      },
      created_at: client.createdAt,
      last_used_at: client.lastUsedAt,
    },
    fields,
  ),
  links: { self: `${baseUrl}${path}/${client.id}` },
})

/** A client as the OpenAPI document shows it. */
export const example = renderClient(
  'https://cards.example.org',
  {
    ...{ id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e', name: 'importer', scope: 'read:all-status write internal' },
    ...{ userId: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2f', email: 'op@example.org', internalApproved: true },
    ...{ internalPool: false, rateLimit: { limit: 5000, windowSeconds: 3600 }, nextRateLimit: null },
    ...{ createdAt: '2026-11-21T12:00:00.000Z', lastUsedAt: null },
  },
  undefined,
)
