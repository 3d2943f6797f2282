import { Type } from '@sinclair/typebox'
import { actOf } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import { pageParameters } from '../../http/parameters.ts'
import { pathId } from '../../http/path-id.ts'
import { plainType, showOne, showPage, spanOf } from '../../http/plain-type.ts'
import { type Call, forOperators, type Reply, type Route } from '../../http/route.ts'
import { boolean, integer, nullable, oneOf, time, uuid } from '../../jsonapi/fields.ts'
import { readQuery } from '../../jsonapi/query.ts'
import { lifetimes, sayDuration } from '../../limits.ts'
import { allowance, readChange, writable } from './change.ts'
import {
  type Client,
  changeClient,
  countClients,
  getClient,
  type InternalState,
  internalStates,
  listClients,
} from './client.ts'

const path = '/internal/clients'

const shape = plainType({
  type: 'oauth_clients',
  name: 'ManagedClient',
  attributes: {
    name: Type.String(),
    scope: Type.String({ description: 'Scopes, separated by spaces.' }),
    user_id: uuid(),
    email: Type.String({ description: 'Its owner’s e-mail address.' }),
    internal_approved: boolean(),
    internal_pool: boolean(),
    rate_limit: nullable(allowance()),
    next_rate_limit: nullable(
      Type.Object(
        { limit: nullable(integer(1)), window_seconds: nullable(integer(1)), from: time() },
        { description: 'What replaces `rate_limit`, and when. A null limit is the usual one.' },
      ),
    ),
    created_at: time(),
    last_used_at: nullable(time()),
  },
  fields: ['name', 'internal_approved'],
})

const render = (baseUrl: string, client: Client, fields?: Set<string>) =>
  shape.render(`${baseUrl}${path}/${client.id}`, client.id, client, fields)

const listShape = {
  ...shape.query,
  paginated: true,
  filters: { internal: { kind: 'text' as const, values: [...internalStates] } },
}

const list = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const query = readQuery(call.url.searchParams, listShape)
  const internal = query.filters.internal?.value as InternalState | undefined
  const clients = await listClients(db, call.now, { internal, ...spanOf(query) })
  const data = clients.map((client) => render(config.baseUrl, client, query.fields.get(shape.type)))
  return showPage(`${config.baseUrl}${path}`, query, { data, total: await countClients(db, internal) }, call)
}

const retrieve = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const fields = shape.readFields(call)
  return showOne(render(config.baseUrl, await getClient(db, pathId(call), call.now), fields), call)
}

const change = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const fields = shape.readFields(call)
  const id = pathId(call)
  const wanted = await readChange(call, id, shape, () => getClient(db, id, call.now))
  const { internalPoolLimit } = config
  const client = await changeClient(db, id, wanted, { ...actOf(call), internalPoolLimit })
  return showOne(render(config.baseUrl, client, fields), call)
}

const example = render('https://cards.example.org', {
  id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
  name: 'importer',
  scope: 'read:all-status write internal',
  user_id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2f',
  email: 'op@example.org',
  internal_approved: true,
  internal_pool: false,
  rate_limit: { limit: 5000, window_seconds: 3600 },
  next_rate_limit: null,
  created_at: '2026-11-21T12:00:00.000Z',
  last_used_at: null,
})
const shared = { ...forOperators, query: shape.parameters, refusals: [400] }

/** Operators' routes for machine clients: who owns them, and what they may do. */
export const operatedClientRoutes: Route[] = [
  {
    ...shared,
    method: 'GET',
    path,
    operationId: 'listManagedClients',
    summary: 'List the machine clients of all accounts',
    description: 'Lists clients that aren’t revoked, oldest first, without secrets.',
    query: {
      ...shape.parameters,
      'filter[internal]': {
        schema: oneOf([...internalStates]),
        description: 'Only clients waiting for approval of the `internal` scope, or only approved ones.',
        example: 'waiting',
      },
      ...pageParameters('clients'),
    },
    answers: { 200: { description: 'The clients.', schema: shape.page } },
    handle: list,
  },
  {
    ...shared,
    method: 'GET',
    path: `${path}/:id`,
    operationId: 'getManagedClient',
    summary: 'Get a machine client',
    description: 'A client of any account, without its secret.',
    answers: { 200: shape.one('The client.', example) },
    handle: retrieve,
  },
  {
    ...shared,
    method: 'PATCH',
    path: `${path}/:id`,
    operationId: 'updateManagedClient',
    summary: 'Approve a machine client, or change its rate limit',
    description: `Takes effect with the next request. Changing \`internal_approved\`, either way, permanently revokes all of the client’s access tokens. A higher \`rate_limit\`, or the pool of internal callers (\`internal_pool\`), applies at once, a lower one after ${sayDuration(lifetimes.lowerLimit.seconds)}. Null goes back to the usual limit.`,
    body: {
      schema: Type.Object(
        {
          data: Type.Object({
            type: Type.Literal(shape.type),
            id: uuid(),
            attributes: Type.Optional(Type.Object(writable)),
          }),
        },
        { $id: 'ManagedClientUpdate' },
      ),
      example: { data: { type: shape.type, id: example.id, attributes: { internal_approved: true } } },
    },
    answers: { 200: shape.one('The changed client.', example) },
    refusals: [400, 409, 422],
    handle: change,
  },
]
