import { Type } from '@sinclair/typebox'
import { fieldsParameter } from '../../http/parameters.ts'
import { integer, nullable, text, time } from '../../jsonapi/fields.ts'
import { plainDocument, plainResource } from '../../jsonapi/plain-schema.ts'
import type { QueryShape, ReadQuery } from '../../jsonapi/query.ts'
import { sparse } from '../../jsonapi/serialize.ts'
import type { Key } from './key.ts'

const type = 'api_keys'
/** Where a person finds the key. */
export const path = '/v1/user/api-key'

const attributes = {
  last_four: text(4),
  limit: integer(1),
  window_seconds: integer(1),
  created_at: time(),
  last_used_at: nullable(time()),
}

const keySchema = plainResource(type, attributes, {
  $id: 'ApiKey',
  description: 'A subscriber key without its secret: `limit` requests in `window_seconds`.',
})

/** The document of a key that may not be there. */
export const foundSchema = plainDocument(nullable(keySchema), { $id: 'ApiKeyDocument' })
/** The document of a new key. */
export const issuedSchema = plainDocument(
  keySchema,
  { $id: 'IssuedApiKeyDocument', description: '`meta.api_key` is the key itself, shown this once.' },
  { meta: Type.Object({ api_key: Type.String() }) },
)

/** What asking for a key takes of the query. */
export const shape: QueryShape = { include: [], fields: { [type]: Object.keys(attributes) }, filters: {} }

/** The same as the OpenAPI document names it. */
export const readParameters = fieldsParameter(type, Object.keys(attributes), ['last_four', 'created_at'])

/** A key as a resource object. */
export const renderKey = (key: Key, self: string, { fields }: ReadQuery) => ({
  type,
  id: key.id,
  attributes: sparse<unknown>(
    {
      last_four: key.lastFour,
      limit: key.limit,
      window_seconds: key.windowSeconds,
      created_at: key.createdAt,
      last_used_at: key.lastUsedAt,
    },
    fields.get(type),
  ),
  links: { self },
})

const self = `https://cards.example.org${path}`
const example = {
  type,
  id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
  attributes: {
    last_four: 'x7Qk',
    limit: 10_000,
    window_seconds: 86_400,
    created_at: '2026-11-21T12:00:00.000Z',
    last_used_at: null,
  },
  links: { self },
}
/** What the OpenAPI document shows of a key. */
export const exampleDocument = { jsonapi: { version: '1.1' }, links: { self }, data: example }
