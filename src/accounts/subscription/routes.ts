import type { Queryable } from '../../../db/client.ts'
import type { Context } from '../../context.ts'
import { fieldsParameter } from '../../http/parameters.ts'
import type { Call, Reply, Route } from '../../http/route.ts'
import { boolean, nullable, oneOf, time } from '../../jsonapi/fields.ts'
import { plainDocument, plainResource } from '../../jsonapi/plain-schema.ts'
import { readQuery } from '../../jsonapi/query.ts'
import { document, sparse } from '../../jsonapi/serialize.ts'

const type = 'subscriptions'
const path = '/v1/user/subscription'

const attributes = {
  plan: nullable(oneOf(['trial', 'starter', 'pro'])),
  status: nullable(oneOf(['trialing', 'active', 'past_due', 'canceled', 'paused'])),
  trial_ends_at: nullable(time()),
  current_period_end: nullable(time()),
  cancel_at_period_end: boolean(),
}

const resource = plainResource(type, attributes, {
  $id: 'Subscription',
  description: '`plan` and `status` are null for an account that has none.',
})
const schema = plainDocument(resource, { $id: 'SubscriptionDocument' })

type Row = {
  plan: string | null
  status: string
  trial_ends_at: string | null
  current_period_end: string | null
  cancel_at_period_end: boolean
}

/** What an account subscribes to, under the id of its owner; everything is null where that is nothing. */
const readAttributes = async (db: Queryable, userId: string) => {
  const [row] = await db.sql<Row[]>`
    select plan, status, trial_ends_at, current_period_end, cancel_at_period_end
    from subscriptions where user_id = ${userId}`
  return {
    plan: row?.plan ?? null,
    status: row?.status ?? null,
    trial_ends_at: readTime(row?.trial_ends_at),
    current_period_end: readTime(row?.current_period_end),
    cancel_at_period_end: row?.cancel_at_period_end ?? false,
  }
}

const readTime = (text: string | null | undefined) => (text ? new Date(text).toISOString() : null)

const showSubscription = async ({ db, config }: Context, { url, caller }: Call): Promise<Reply> => {
  const { fields } = readQuery(url.searchParams, {
    include: [],
    fields: { [type]: Object.keys(attributes) },
    filters: {},
  })
  const id = caller.userId ?? ''
  const shown = sparse<unknown>(await readAttributes(db, id), fields.get(type))
  const self = `${config.baseUrl}${path}`
  return {
    status: 200,
    body: document(`${self}${url.search}`, { data: { type, id, attributes: shown, links: { self } } }),
  }
}

const self = `https://cards.example.org${path}`

/** What a person who signed in subscribes to. */
export const subscriptionRoutes: Route[] = [
  {
    method: 'GET',
    path,
    operationId: 'getSubscription',
    summary: 'Your subscription',
    description: 'Its plan, its status and its dates. An account that has none gets one whose plan is null.',
    tag: 'Account',
    access: 'session',
    query: fieldsParameter(type, Object.keys(attributes), ['plan', 'status']),
    answers: {
      200: {
        description: 'The subscription.',
        schema,
        example: document(self, {
          data: {
            type,
            id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
            attributes: {
              plan: 'trial',
              status: 'trialing',
              trial_ends_at: '2026-12-05T12:00:00.000Z',
              current_period_end: null,
              cancel_at_period_end: false,
            },
            links: { self },
          },
        }),
      },
    },
    refusals: [400],
    handle: showSubscription,
  },
]
