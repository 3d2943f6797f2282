import { eq, sql } from 'drizzle-orm'
import { shown, statement } from '../../db/builder.ts'
import { subscriptions } from '../../db/schema/index.ts'
import type { Context } from '../context.ts'
import { plainType, showOne } from '../http/plain-type.ts'
import type { Call, Reply, Route } from '../http/route.ts'
import { boolean, nullable, oneOf, time } from '../jsonapi/fields.ts'
import { exampleId, exampleUrl } from './action.ts'

const path = '/v1/user/subscription'

const shape = plainType({
  type: 'subscriptions',
  name: 'Subscription',
  description:
    '`plan` and `status` are null for an account without a subscription. `cancel_at` is when it ends, if that is decided, and `cancel_at_period_end` whether that is the end of the current period.',
  attributes: {
    plan: nullable(oneOf(['trial', 'starter', 'pro'])),
    status: nullable(oneOf(['trialing', 'active', 'past_due', 'canceled', 'paused'])),
    trial_ends_at: nullable(time()),
    current_period_end: nullable(time()),
    cancel_at: nullable(time()),
    cancel_at_period_end: boolean(),
  },
  fields: ['plan', 'status'],
})

const { plan, status, trial_ends_at, current_period_end, cancel_at, cancel_at_period_end } = subscriptions
const columns = shown({ plan, status, trial_ends_at, current_period_end, cancel_at, cancel_at_period_end })

const noDates = { trial_ends_at: null, current_period_end: null, cancel_at: null }
const none = { plan: null, status: null, ...noDates, cancel_at_period_end: false }

const subscriptionOf = statement((orm) =>
  orm
    .select(columns)
    .from(subscriptions)
    .where(eq(subscriptions.user_id, sql.placeholder('id'))),
)

/** The subscription has its owner's id. */
const show = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const fields = shape.readFields(call)
  const id = call.caller.userId ?? ''
  const [row] = await subscriptionOf(db, { id })
  return showOne(shape.render(`${config.baseUrl}${path}`, id, row ?? none, fields), call)
}

const self = `${exampleUrl}${path}`
const example = { ...none, plan: 'trial', status: 'trialing', trial_ends_at: '2026-12-05T12:00:00.000Z' }

/** The subscription of the signed-in user. */
export const subscriptionRoutes: Route[] = [
  {
    method: 'GET',
    path,
    operationId: 'getSubscription',
    summary: 'Your subscription',
    description: 'The plan, status and dates. Without a subscription, the plan is null.',
    tag: 'Account',
    access: 'session',
    query: shape.parameters,
    answers: { 200: shape.one('The subscription.', shape.render(self, exampleId, example)) },
    refusals: [400],
    handle: show,
  },
]
