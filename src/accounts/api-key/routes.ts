import { actOf } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import type { Call, Reply, Route } from '../../http/route.ts'
import { readQuery } from '../../jsonapi/query.ts'
import { document } from '../../jsonapi/serialize.ts'
import { exampleDocument, foundSchema, issuedSchema, path, readParameters, renderKey, shape } from './document.ts'
import { findKey, regenerateKey, removeKey } from './key.ts'

const selfOf = ({ config }: Context) => `${config.baseUrl}${path}`

const showKey = async (context: Context, { url, caller, now }: Call): Promise<Reply> => {
  const query = readQuery(url.searchParams, shape)
  const key = await findKey(context.db, caller.userId ?? '', now)
  const self = selfOf(context)
  return { status: 200, body: document(`${self}${url.search}`, { data: key ? renderKey(key, self, query) : null }) }
}

const newKey = async (context: Context, call: Call): Promise<Reply> => {
  const { url, caller } = call
  const query = readQuery(url.searchParams, shape)
  const owner = { id: caller.userId ?? '', operator: caller.operator }
  const { key, secret } = await regenerateKey(context.db, owner, context.config, actOf(call))
  const self = selfOf(context)
  return {
    status: 201,
    headers: { Location: self, 'Cache-Control': 'no-store' },
    body: document(`${self}${url.search}`, { data: renderKey(key, self, query), meta: { api_key: secret } }),
  }
}

const endOwnKey = async ({ db }: Context, call: Call): Promise<Reply> => {
  readQuery(call.url.searchParams, { include: [], fields: {}, filters: {} })
  await removeKey(db, call.caller.userId ?? '', actOf(call))
  return { status: 204 }
}

const shared: Pick<Route, 'path' | 'tag' | 'access' | 'refusals'> = {
  path,
  tag: 'Account',
  access: 'session',
  refusals: [400],
}

/** The one subscriber key of a person who signed in: look at it, replace it, end it. */
export const apiKeyRoutes: Route[] = [
  {
    ...shared,
    method: 'GET',
    operationId: 'getApiKey',
    summary: 'Look at your key',
    description: 'Masked; `data` is null where there is no key.',
    query: readParameters,
    answers: { 200: { description: 'The key, or null.', schema: foundSchema, example: exampleDocument } },
    handle: showKey,
  },
  {
    ...shared,
    method: 'POST',
    operationId: 'regenerateApiKey',
    summary: 'Get a new key',
    description:
      'Ends the key that there was at once. The new one has the limit of the plan and goes on in the window of the old one. It is shown this once. A body is not needed.',
    query: readParameters,
    answers: {
      201: {
        description: 'The new key.',
        schema: issuedSchema,
        example: { ...exampleDocument, meta: { api_key: 'cardstock_live_…x7Qk' } },
      },
    },
    handle: newKey,
  },
  {
    ...shared,
    method: 'DELETE',
    operationId: 'deleteApiKey',
    summary: 'End your key',
    description: 'Its next request is refused. Done where there is none, too.',
    answers: { 204: { description: 'There is no key any more.' } },
    handle: endOwnKey,
  },
]
