import { Type } from '@sinclair/typebox'
import type { Context } from '../../context.ts'
import { pathId } from '../../http/path-id.ts'
import { plainType, showOne, showPage, spanOf } from '../../http/plain-type.ts'
import type { Call, Reply, Route } from '../../http/route.ts'
import { integer, nullable, oneOf, time } from '../../jsonapi/fields.ts'
import { readQuery } from '../../jsonapi/query.ts'
import { document } from '../../jsonapi/serialize.ts'
import { lifetimes, sayDuration, sayNumber, sizes } from '../../limits.ts'
import { pagesAt, reachOf } from '../document.ts'
import { getWebhook } from '../webhook.ts'
import { type Delivery, getDelivery, listDeliveries, queueAgain, queueTest } from './delivery.ts'

const shape = plainType({
  type: 'webhook_deliveries',
  name: 'WebhookDelivery',
  description: 'A message to a webhook. Its id is the header `webhook-id`.',
  attributes: {
    event: Type.String({ description: 'What it tells: an event, or `webhook.test`.' }),
    status: oneOf(['pending', 'delivered', 'failed']),
    payload: Type.Record(Type.String(), Type.Unknown(), { description: 'The body that is sent.' }),
    attempts: integer(0),
    response_status: nullable(integer(100, 999)),
    response_body: nullable(
      Type.String({ description: `The first ${sayNumber(sizes.webhookAnswer.most)} bytes of the last answer.` }),
    ),
    error: nullable(Type.String({ description: 'Why the last attempt failed.' })),
    milliseconds: nullable(Type.Integer({ minimum: 0, description: 'How long the last attempt took.' })),
    created_at: time(),
    last_attempt_at: nullable(time()),
    next_attempt_at: nullable(time()),
    delivered_at: nullable(time()),
  },
  fields: ['event', 'status'],
})

const render = (self: string, delivery: Delivery, fields?: Set<string>) => {
  const { id, body, asked_at, status, tried_at: last_attempt_at } = delivery
  const row = {
    ...delivery,
    status: asked_at === null ? status : 'pending',
    payload: JSON.parse(body),
    last_attempt_at,
  }
  return shape.render(`${self}/${id}`, id, row, fields)
}

const handlersAt = (path: string) => {
  const addressOf = ({ config }: Context, webhookId: string) => `${config.baseUrl}${path}/${webhookId}/deliveries`

  const list = async (context: Context, call: Call): Promise<Reply> => {
    const query = readQuery(call.url.searchParams, { ...shape.query, ...pagesAt(path, 'deliveries').query })
    const webhook = await getWebhook(context.db, reachOf(call), pathId(call))
    const { rows, total } = await listDeliveries(context.db, webhook.id, spanOf(query))
    const address = addressOf(context, webhook.id)
    const data = rows.map((delivery) => render(address, delivery, query.fields.get(shape.type)))
    return showPage(address, query, { data, total }, call)
  }

  const retrieve = async (context: Context, call: Call): Promise<Reply> => {
    const fields = shape.readFields(call)
    const webhook = await getWebhook(context.db, reachOf(call), pathId(call))
    const delivery = await getDelivery(context.db, webhook.id, pathId(call, 'delivery'))
    return showOne(render(addressOf(context, webhook.id), delivery, fields), call)
  }

  /** 202 with a delivery that is about to be sent. */
  const accept = async (context: Context, webhookId: string, id: string, fields?: Set<string>): Promise<Reply> => {
    const data = render(addressOf(context, webhookId), await getDelivery(context.db, webhookId, id), fields)
    const { self } = data.links
    return { status: 202, headers: { Location: self }, body: document(self, { data }) }
  }

  const retry = async (context: Context, call: Call): Promise<Reply> => {
    const fields = shape.readFields(call)
    const webhook = await getWebhook(context.db, reachOf(call), pathId(call))
    const { id } = await getDelivery(context.db, webhook.id, pathId(call, 'delivery'))
    await queueAgain(context.db, id, call.now)
    return accept(context, webhook.id, id, fields)
  }

  const test = async (context: Context, call: Call): Promise<Reply> => {
    const fields = shape.readFields(call)
    const webhook = await getWebhook(context.db, reachOf(call), pathId(call))
    return accept(context, webhook.id, await queueTest(context.db, webhook.id, call.now), fields)
  }

  return { list, retrieve, retry, test }
}

const [at, webhookId] = ['2026-11-21T12:00:00.000Z', '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e']
const example = render(`https://cards.example.org/v1/user/webhooks/${webhookId}/deliveries`, {
  ...{ id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2f', webhook_id: webhookId, event: 'catalog.changed' },
  body: JSON.stringify({
    ...{ type: 'catalog.changed', timestamp: at },
    data: {
      cursor: 'm3kqJ0v9W2hT6b1xYc4zWzQyLDBd',
      links: { changes: 'https://cards.example.org/v2/changes?page%5Bafter%5D=m3kqJ0v9W2hT6b1xYc4zWzQyLDBd' },
    },
  }),
  ...{ status: 'delivered', in_order: true, asked_at: null, attempts: 1, response_status: 204, response_body: '' },
  ...{ error: null, milliseconds: 84, created_at: at, tried_at: at, delivered_at: at, next_attempt_at: null },
})

/** The routes for the deliveries of webhooks at a path: what was sent and answered, sending one again, and a test. */
export const deliveryRoutes = ({
  path,
  name,
  access,
}: {
  path: string
  name: string
  access: Pick<Route, 'access' | 'scope'>
}): Route[] => {
  const shared = { ...access, tag: 'Webhooks' }
  const { list, retrieve, retry, test } = handlersAt(path)
  const one = `${path}/:id/deliveries/:delivery`
  return [
    {
      ...{ ...shared, method: 'GET', path: `${path}/:id/deliveries` },
      operationId: `list${name}Deliveries`,
      summary: 'List the deliveries of a webhook',
      description: `Newest first. The last ${sayNumber(sizes.webhookDeliveries.most)} are kept, for ${sayDuration(lifetimes.webhookDelivery.seconds)}.`,
      query: { ...shape.parameters, ...pagesAt(path, 'deliveries').parameters },
      answers: { 200: { description: 'The deliveries.', schema: shape.page } },
      refusals: [400],
      handle: list,
    },
    {
      ...{ ...shared, method: 'GET', path: one },
      operationId: `get${name}Delivery`,
      summary: 'Get a delivery',
      description: 'What was sent, how often, and what the last answer was.',
      query: shape.parameters,
      answers: { 200: shape.one('The delivery.', example) },
      refusals: [400],
      handle: retrieve,
    },
    {
      ...{ ...shared, method: 'POST', path: `${one}/retry` },
      operationId: `retry${name}Delivery`,
      summary: 'Send a delivery again',
      description:
        'Sends it once more at once, even if the webhook is paused or the delivery arrived. It keeps its id. If it was pending and fails again, its usual retries continue.',
      query: shape.parameters,
      answers: { 202: shape.one('The delivery, which is about to be sent.', example) },
      refusals: [400],
      handle: retry,
    },
    {
      ...{ ...shared, method: 'POST', path: `${path}/:id/test` },
      operationId: `test${name}`,
      summary: 'Send a test to a webhook',
      description: 'Sends a `webhook.test` at once and once, even if the webhook is paused.',
      query: shape.parameters,
      answers: { 202: shape.one('The delivery, which is about to be sent.', example) },
      refusals: [400],
      handle: test,
    },
  ]
}
