import { actOf } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import { pageParameters } from '../../http/parameters.ts'
import { pathId } from '../../http/path-id.ts'
import { type Call, forOperators, type Reply, type Route } from '../../http/route.ts'
import { oneOf } from '../../jsonapi/fields.ts'
import { jsonApi } from '../../jsonapi/negotiate.ts'
import { type QueryShape, readQuery } from '../../jsonapi/query.ts'
import { document, pageLinks, pageMeta } from '../../jsonapi/serialize.ts'
import { readChange } from './change.ts'
import { changeClient, countClients, getClient, type InternalState, internalStates, listClients } from './client.ts'
import {
  attributeNames,
  collection,
  example,
  path,
  readParameters,
  renderClient,
  single,
  type,
  update,
} from './document.ts'

const query: QueryShape = { include: [], fields: { [type]: attributeNames }, filters: {} }
const listShape: QueryShape = {
  ...query,
  paginated: true,
  filters: { internal: { kind: 'text', values: [...internalStates] } },
}

const list = async ({ db, config }: Context, { url, now }: Call): Promise<Reply> => {
  const { page, perPage, fields, filters } = readQuery(url.searchParams, listShape)
  const internal = filters.internal?.value as InternalState | undefined
  const clients = await listClients(db, now, { internal, limit: perPage, offset: (page - 1) * perPage })
  const meta = pageMeta(page, perPage, clients.length, await countClients(db, internal))
  const address = `${config.baseUrl}${path}`
  const data = clients.map((client) => renderClient(config.baseUrl, client, fields.get(type)))
  const links = pageLinks(address, url.searchParams, page, meta.last_page)
  return { status: 200, body: document(`${address}${url.search}`, { data, links, meta }) }
}

const retrieve = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const { fields } = readQuery(call.url.searchParams, query)
  const data = renderClient(config.baseUrl, await getClient(db, pathId(call), call.now), fields.get(type))
  return { status: 200, body: document(`${data.links.self}${call.url.search}`, { data }) }
}

const change = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const { fields } = readQuery(call.url.searchParams, query)
  const id = pathId(call)
  const wanted = await readChange(call, id, () => getClient(db, id, call.now))
  const { internalPoolLimit } = config
  const client = await changeClient(db, id, wanted, { ...actOf(call), internalPoolLimit })
  const data = renderClient(config.baseUrl, client, fields.get(type))
  return { status: 200, body: document(`${data.links.self}${call.url.search}`, { data }) }
}

const exampleDocument = document(example.links.self, { data: example })
const shared = { ...forOperators, refusals: [400] }

/** Machine clients for operators: whose they are, and what they may. */
export const operatedClientRoutes: Route[] = [
  {
    ...shared,
    method: 'GET',
    path,
    operationId: 'listManagedClients',
    summary: 'List the machine clients of all accounts',
    description: 'Those that live, oldest first, without secrets.',
    query: {
      ...readParameters,
      'filter[internal]': {
        schema: oneOf([...internalStates]),
        description: 'Only those that wait for an approval of the scope `internal`, or only those that have it.',
        example: 'waiting',
      },
      ...pageParameters('clients'),
    },
    answers: { 200: { description: 'The clients.', schema: collection } },
    handle: list,
  },
  {
    ...shared,
    method: 'GET',
    path: `${path}/:id`,
    operationId: 'getManagedClient',
    summary: 'Look at a machine client',
    query: readParameters,
    answers: { 200: { description: 'The client.', schema: single, example: exampleDocument } },
    handle: retrieve,
  },
  {
    ...shared,
    method: 'PATCH',
    path: `${path}/:id`,
    operationId: 'updateManagedClient',
    summary: 'Approve a machine client, or agree on its rate limit',
    description: `Holds for the next request. To change \`internal_approved\`, either way, ends every access token that the client has, for good. A higher \`rate_limit\`, or the pool of internal callers (\`internal_pool\`), holds at once, a lower one after 30 days; null ends the agreement.`,
    query: readParameters,
    body: {
      schema: update,
      mediaTypes: [jsonApi],
      example: { data: { type, id: example.id, attributes: { internal_approved: true } } },
    },
    answers: { 200: { description: 'The client as it is now.', schema: single, example: exampleDocument } },
    refusals: [400, 409, 422],
    handle: change,
  },
]
