import { Type } from '@sinclair/typebox'
import type { Context } from '../context.ts'
import { smallBody } from '../http/body.ts'
import { pathId } from '../http/path-id.ts'
import { showNew, showOne, showPage, spanOf } from '../http/plain-type.ts'
import { type Call, forOperators, type Reply, type Route } from '../http/route.ts'
import { uuid } from '../jsonapi/fields.ts'
import { plainDocument, plainResource } from '../jsonapi/plain-schema.ts'
import { readQuery, refuseUnknown } from '../jsonapi/query.ts'
import { document } from '../jsonapi/serialize.ts'
import { lifetimes, sayDuration, sizes } from '../limits.ts'
import { deliveryRoutes } from './deliveries/routes.ts'
import {
  changeable,
  pagesAt,
  reachOf,
  readCreation,
  readWebhookChange,
  renderWebhook,
  shape,
  writable,
} from './document.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateSecret,
  type Webhook,
} from './webhook.ts'

/** A new secret is shown only once, and by nobody kept. */
const withSecret = (reply: Reply, data: { attributes: object }, secret: string): Reply => {
  const body = reply.body as { data: object }
  const shown = { ...data, attributes: { ...data.attributes, secret } }
  return { ...reply, headers: { ...reply.headers, 'Cache-Control': 'no-store' }, body: { ...body, data: shown } }
}

const handlersAt = (path: string) => {
  const render = ({ config }: Context, webhook: Webhook, fields?: Set<string>) =>
    renderWebhook(`${config.baseUrl}${path}/${webhook.id}`, webhook, fields)

  const list = async (context: Context, call: Call): Promise<Reply> => {
    const query = readQuery(call.url.searchParams, { ...shape.query, ...pagesAt(path, 'webhooks').query })
    const { rows, total } = await listWebhooks(context.db, reachOf(call), spanOf(query))
    const data = rows.map((webhook) => render(context, webhook, query.fields.get(shape.type)))
    return showPage(`${context.config.baseUrl}${path}`, query, { data, total }, call)
  }

  const retrieve = async (context: Context, call: Call): Promise<Reply> => {
    const fields = shape.readFields(call)
    return showOne(render(context, await getWebhook(context.db, reachOf(call), pathId(call)), fields), call)
  }

  const create = async (context: Context, call: Call): Promise<Reply> => {
    refuseUnknown(call.url.searchParams)
    const { id, secret } = await createWebhook(context, call, await readCreation(context.config, call))
    const data = render(context, await getWebhook(context.db, reachOf(call), id))
    return withSecret(showNew(data), data, secret)
  }

  const change = async (context: Context, call: Call): Promise<Reply> => {
    const fields = shape.readFields(call)
    const webhook = await getWebhook(context.db, reachOf(call), pathId(call))
    await changeWebhook(context, call, webhook.id, await readWebhookChange(context.config, call, webhook))
    return showOne(render(context, await getWebhook(context.db, reachOf(call), webhook.id), fields), call)
  }

  const remove = async (context: Context, call: Call): Promise<Reply> => {
    refuseUnknown(call.url.searchParams)
    const { id } = await getWebhook(context.db, reachOf(call), pathId(call))
    await deleteWebhook(context, call, id)
    return { status: 204 }
  }

  const rotate = async (context: Context, call: Call): Promise<Reply> => {
    refuseUnknown(call.url.searchParams)
    const { id } = await getWebhook(context.db, reachOf(call), pathId(call))
    const secret = await rotateSecret(context, call, id)
    const data = render(context, await getWebhook(context.db, reachOf(call), id))
    return withSecret(showOne(data, call), data, secret)
  }

  return { list, retrieve, create, change, remove, rotate }
}

const example = renderWebhook('https://cards.example.org/v1/user/webhooks/0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e', {
  ...{ id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e', target_url: 'https://shop.example.com/hooks/cards' },
  ...{ events: ['catalog.changed', 'set.published'], description: 'The shop’s stock', paused_at: null },
  ...{ failing_since: null, created_at: '2026-11-21T12:00:00.000Z', updated_at: '2026-11-21T12:00:00.000Z' },
} as Webhook)
const issued = plainDocument(
  plainResource(shape.type, {
    ...shape.resource.properties.attributes.properties,
    secret: Type.String({ description: 'Shown only here. Deliveries are signed with it.' }),
  }),
  { $id: 'IssuedWebhookDocument' },
)
const issuedExample = document(example.links.self, {
  data: {
    ...example,
    attributes: { ...example.attributes, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD3Xr8W4pXWbQ=' },
  },
})
const creation = shape.written('WebhookCreation', writable)
const update = shape.written('WebhookUpdate', changeable, { id: uuid() })

type Audience = {
  path: string
  /** What the operations are called in the OpenAPI document, after their verb. */
  name: string
  whose: string
  access: Pick<Route, 'access' | 'scope'>
}

const routesFor = (audience: Audience): Route[] => {
  const { path, name, whose, access } = audience
  const shared = { ...access, tag: 'Webhooks' }
  const { list, retrieve, create, change, remove, rotate } = handlersAt(path)
  return [
    {
      ...{ ...shared, method: 'GET', path },
      operationId: `list${name}s`,
      summary: `List ${whose} webhooks`,
      description: 'Oldest first, without secrets.',
      query: { ...shape.parameters, ...pagesAt(path, 'webhooks').parameters },
      answers: { 200: { description: 'The webhooks.', schema: shape.page } },
      refusals: [400],
      handle: list,
    },
    {
      ...{ ...shared, method: 'POST', path },
      operationId: `create${name}`,
      summary: `Create one of ${whose} webhooks`,
      description: `Tells an address of yours what happens from now on. Only this response shows the secret. An account has at most ${sizes.webhooks.most}.`,
      body: {
        ...{ schema: creation, maxBytes: smallBody },
        example: {
          data: {
            type: shape.type,
            attributes: { target_url: example.attributes.target_url, events: example.attributes.events },
          },
        },
      },
      answers: { 201: { description: 'The webhook and its secret.', schema: issued, example: issuedExample } },
      refusals: [409, 422],
      handle: create,
    },
    {
      ...{ ...shared, method: 'GET', path: `${path}/:id` },
      operationId: `get${name}`,
      summary: `Get one of ${whose} webhooks`,
      description: 'Where it goes, what it is told, and whether it is paused or failing.',
      query: shape.parameters,
      answers: { 200: shape.one('The webhook.', example) },
      refusals: [400],
      handle: retrieve,
    },
    {
      ...{ ...shared, method: 'PATCH', path: `${path}/:id` },
      operationId: `update${name}`,
      summary: `Change one of ${whose} webhooks`,
      description:
        'Another address, other events, or a pause. A paused webhook that is resumed continues where it stopped, at once.',
      query: shape.parameters,
      body: {
        ...{ schema: update, maxBytes: smallBody },
        example: { data: { type: shape.type, id: example.id, attributes: { paused: false } } },
      },
      answers: { 200: shape.one('The changed webhook.', example) },
      refusals: [400, 409, 422],
      handle: change,
    },
    {
      ...{ ...shared, method: 'DELETE', path: `${path}/:id` },
      operationId: `delete${name}`,
      summary: `Delete one of ${whose} webhooks`,
      description: 'Its deliveries go with it.',
      answers: { 204: { description: 'Deleted.' } },
      handle: remove,
    },
    {
      ...{ ...shared, method: 'POST', path: `${path}/:id/rotate` },
      operationId: `rotate${name}Secret`,
      summary: 'Rotate the secret of a webhook',
      description: `Only this response shows the new secret. Deliveries are signed with both for ${sayDuration(lifetimes.webhookSecret.seconds)}; if you rotate again within that time, the two newest sign.`,
      answers: { 200: { description: 'The webhook and its new secret.', schema: issued, example: issuedExample } },
      handle: rotate,
    },
    ...deliveryRoutes({ path, name, access }),
  ]
}

/** Webhooks of the signed-in user, and those of all operators. */
export const webhookRoutes: Route[] = [
  ...routesFor({ path: '/v1/user/webhooks', name: 'Webhook', whose: 'your', access: { access: 'session' } }),
  ...routesFor({
    ...{ path: '/internal/webhooks', name: 'OperatorWebhook', whose: 'the operators’' },
    access: { access: forOperators.access, scope: forOperators.scope },
  }),
]
