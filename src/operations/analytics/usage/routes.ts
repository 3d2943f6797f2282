import { Type } from '@sinclair/typebox'
import type { Context } from '../../../context.ts'
import { fieldsParameter } from '../../../http/parameters.ts'
import { type Call, forOperators, type Reply, type Route } from '../../../http/route.ts'
import { streamed } from '../../../http/streamed.ts'
import { date, uuid } from '../../../jsonapi/fields.ts'
import { readQuery } from '../../../jsonapi/query.ts'
import { document } from '../../../jsonapi/serialize.ts'
import { eachCustomer, readOldestLog } from './customers.ts'
import { attributeNames, type Customer, renderCustomer, report, type, writeReport } from './document.ts'
import { parameters, readAsked } from './period.ts'

const path = '/internal/analytics/customer-usage'

const handle = async ({ db, config, log }: Context, { url, now, requestId }: Call): Promise<Reply> => {
  const shape = { include: [], fields: { [type]: attributeNames }, filters: {}, others: parameters }
  const { fields } = readQuery(url.searchParams, shape)
  const asked = readAsked(url.searchParams, now)
  const oldest = await readOldestLog(db, now)
  const text = writeReport(`${config.baseUrl}${path}${url.search}`, eachCustomer(db, asked, now), {
    fields: fields.get(type),
    meta: (total) => ({ from: asked.from, to: asked.to, total, oldest_log_at: oldest }),
  })
  return { status: 200, body: await streamed(text, { log, requestId }) }
}

const exampleCustomer: Customer = {
  user_id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2f',
  email: 'reader@example.org',
  plan: 'starter',
  subscription_status: 'active',
  request_count: 412,
  last_request_at: '2026-11-21T11:58:04.120Z',
  requests_by_credential: [
    {
      id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
      kind: 'subscriber_key',
      name: null,
      last_four: 'k3Zq',
      request_count: 412,
      last_request_at: '2026-11-21T11:58:04.120Z',
    },
  ],
  api_key: {
    id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
    last_four: 'k3Zq',
    created_at: '2026-11-01T09:00:00.000Z',
  },
}

/** How much each customer uses the service. */
export const customerUsageRoutes: Route[] = [
  {
    ...forOperators,
    method: 'GET',
    path,
    operationId: 'getCustomerUsage',
    summary: 'Usage by customer',
    description:
      'Streams one document with every verified account, including those without a request, sorted by id. Days are in UTC. The log keeps the 30 days before today. Requests from the service’s own pages don’t count.',
    query: {
      from: {
        schema: date(),
        description: 'The first day. Defaults to six days before `to`. The range may span 31 days.',
        example: '2026-11-15',
      },
      to: { schema: date(), description: 'The last day. Defaults to today.', example: '2026-11-21' },
      user: { schema: uuid(), description: 'The id of one customer. An unknown id returns an empty list.' },
      paying_only: {
        schema: Type.Boolean({ default: false }),
        description: '`true` shows only customers who are active on a paid plan.',
        example: true,
      },
      ...fieldsParameter(type, attributeNames, ['email', 'request_count']),
    },
    answers: {
      200: {
        description: 'The customers.',
        schema: report,
        example: {
          ...document(`https://cards.example.org${path}`, { data: [renderCustomer(exampleCustomer, undefined)] }),
          meta: { from: '2026-11-15', to: '2026-11-21', total: 1, oldest_log_at: '2026-11-01T00:00:00.000Z' },
        },
      },
    },
    refusals: [422],
    handle,
  },
]
