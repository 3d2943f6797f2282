import { type Static, Type } from '@sinclair/typebox'
import { date, integer, nullable, oneOf, time, uuid } from '../../../jsonapi/fields.ts'
import { plainDocument } from '../../../jsonapi/plain-schema.ts'
import { sparse } from '../../../jsonapi/serialize.ts'

export const type = 'customer-usage'

const credentialUsage = Type.Object({
  id: uuid(),
  kind: oneOf(['subscriber_key', 'personal_token', 'oauth_client']),
  name: nullable(Type.String()),
  last_four: Type.String(),
  request_count: integer(0),
  last_request_at: time(),
})

const shown = Type.Object({
  user_id: uuid(),
  email: Type.String(),
  plan: nullable(oneOf(['trial', 'starter', 'pro'])),
  subscription_status: nullable(oneOf(['trialing', 'active', 'past_due', 'canceled', 'paused'])),
  request_count: integer(0),
  last_request_at: nullable(time()),
  requests_by_credential: Type.Array(credentialUsage, {
    description: 'The credentials that were used, busiest first.',
  }),
  api_key: nullable(
    Type.Object(
      { id: uuid(), last_four: Type.String(), created_at: time() },
      { description: 'The current subscriber key.' },
    ),
  ),
})

/** A customer's plan and usage in the range, not counting requests from the service's own pages. */
export type Customer = Static<typeof shown>

export const attributeNames = Object.keys(shown.properties)

/** The report's document. */
export const report = plainDocument(
  Type.Array(Type.Object({ type: Type.Literal(type), id: uuid(), attributes: shown }, { $id: 'CustomerUsage' })),
  { $id: 'CustomerUsageReport' },
  {
    meta: Type.Object({
      from: date(),
      to: date(),
      total: integer(0),
      oldest_log_at: nullable({ ...time(), description: 'The start of the log. Null while it is empty.' }),
    }),
  },
)

/** A customer as a resource object. Its id is the customer's. */
export const renderCustomer = (customer: Customer, fields: Set<string> | undefined) => ({
  type,
  id: customer.user_id,
  attributes: sparse<unknown>(customer, fields),
})

/** Streams the document as its customers arrive. `meta` is computed after the last one. */
export async function* writeReport(
  self: string,
  customers: AsyncIterable<Customer[]>,
  { fields, meta }: { fields: Set<string> | undefined; meta: (total: number) => object },
): AsyncGenerator<string> {
  let total = 0
  let before = `{"jsonapi":{"version":"1.1"},"links":${JSON.stringify({ self })},"data":[`
  for await (const some of customers) {
    yield before + some.map((customer) => JSON.stringify(renderCustomer(customer, fields))).join(',')
    before = ','
    total += some.length
  }
  yield `${total === 0 ? before : ''}],"meta":${JSON.stringify(meta(total))}}`
}
