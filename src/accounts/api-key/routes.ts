import { Type } from '@sinclair/typebox'
import { actOf } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import { plainType } from '../../http/plain-type.ts'
import type { Call, Reply, Route } from '../../http/route.ts'
import { integer, nullable, text, time } from '../../jsonapi/fields.ts'
import { plainDocument } from '../../jsonapi/plain-schema.ts'
import { readQuery } from '../../jsonapi/query.ts'
import { document } from '../../jsonapi/serialize.ts'
import { exampleId, exampleUrl } from '../action.ts'
import { findKey, type Key, regenerateKey, removeKey } from './key.ts'

const path = '/v1/user/api-key'

const shape = plainType({
  type: 'api_keys',
  name: 'ApiKey',
  description: 'A subscriber key without its secret. It allows `limit` requests per `window_seconds`.',
  attributes: {
    last_four: text(4),
    limit: integer(1),
    window_seconds: integer(1),
    created_at: time(),
    last_used_at: nullable(time()),
  },
  fields: ['last_four', 'created_at'],
})

const render = (self: string, key: Key, fields?: Set<string>) => shape.render(self, key.id, key, fields)

const show = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const fields = shape.readFields(call)
  const key = await findKey(db, call.caller.userId ?? '', call.now)
  const self = `${config.baseUrl}${path}`
  return { status: 200, body: document(`${self}${call.url.search}`, { data: key ? render(self, key, fields) : null }) }
}

const regenerate = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const fields = shape.readFields(call)
  const { userId, operator } = call.caller
  const { key, secret } = await regenerateKey(db, { id: userId ?? '', operator }, config, actOf(call))
  const self = `${config.baseUrl}${path}`
  return {
    status: 201,
    headers: { Location: self, 'Cache-Control': 'no-store' },
    body: document(`${self}${call.url.search}`, { data: render(self, key, fields), meta: { api_key: secret } }),
  }
}

const end = async ({ db }: Context, call: Call): Promise<Reply> => {
  readQuery(call.url.searchParams, { include: [], fields: {}, filters: {} })
  await removeKey(db, call.caller.userId ?? '', actOf(call))
  return { status: 204 }
}

const self = `${exampleUrl}${path}`
const example = document(self, {
  data: render(self, {
    id: exampleId,
    last_four: 'x7Qk',
    limit: 10_000,
    window_seconds: 86_400,
    created_at: '2026-11-21T12:00:00.000Z',
    last_used_at: null,
  }),
})

const shared: Pick<Route, 'path' | 'tag' | 'access' | 'refusals'> = {
  path,
  tag: 'Account',
  access: 'session',
  refusals: [400],
}

/** The one subscriber key of the signed-in user: show, regenerate, revoke. */
export const apiKeyRoutes: Route[] = [
  {
    ...shared,
    method: 'GET',
    operationId: 'getApiKey',
    summary: 'Get your API key',
    description: 'The key is masked. `data` is null if you have no key.',
    query: shape.parameters,
    answers: {
      200: {
        description: 'The key, or null.',
        schema: plainDocument(nullable(shape.resource), { $id: 'ApiKeyDocument' }),
        example,
      },
    },
    handle: show,
  },
  {
    ...shared,
    method: 'POST',
    operationId: 'regenerateApiKey',
    summary: 'Regenerate your API key',
    description:
      'Replaces your key at once. The new one has your plan’s limit, continues the old one’s window, and is shown only in this response. No body is needed.',
    query: shape.parameters,
    answers: {
      201: {
        description: 'The new key.',
        schema: plainDocument(
          shape.resource,
          { $id: 'IssuedApiKeyDocument', description: '`meta.api_key` is the key itself. It is shown only here.' },
          { meta: Type.Object({ api_key: Type.String() }) },
        ),
        example: { ...example, meta: { api_key: 'cardstock_live_…x7Qk' } },
      },
    },
    handle: regenerate,
  },
  {
    ...shared,
    method: 'DELETE',
    operationId: 'deleteApiKey',
    summary: 'Revoke your API key',
    description: 'The key’s next request is refused. Succeeds even if you have no key.',
    answers: { 204: { description: 'You no longer have a key.' } },
    handle: end,
  },
]
