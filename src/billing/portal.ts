import { Type } from '@sinclair/typebox'
import type { Context } from '../context.ts'
import type { Call, Reply } from '../http/route.ts'
import { validationFailed } from '../jsonapi/errors.ts'
import { optional, url } from '../jsonapi/fields.ts'
import { flatFaults, readFlat } from '../jsonapi/flat-body.ts'
import { withCustomer } from './customers.ts'
import { orUnavailable, requirePayments } from './failures.ts'
import { addressFaults } from './trusted-address.ts'

/** The attributes of a portal session. */
export const portalBody = Type.Object(
  { return_url: optional(url()) },
  {
    $id: 'Portal',
    description:
      'The URL’s origin must be the service’s own or one of TRUSTED_ORIGINS. The URL defaults to a page of the service.',
  },
)

/** Opens a page where an account changes its plan or payment card, or cancels. Creates the customer if there is none. */
export const openPortal = async (context: Context, call: Call): Promise<Reply> => {
  const payments = requirePayments(context)
  const members = readFlat(await call.body())
  const faults = [...flatFaults(portalBody, members), ...addressFaults(context.config, members, ['return_url'])]
  if (faults.length > 0) throw validationFailed(faults)
  const { return_url } = members as typeof portalBody.static
  const returnUrl = return_url ?? `${context.config.baseUrl}/account`
  const url = await orUnavailable(context, () =>
    withCustomer(context, payments, call.caller.userId ?? '', call.now, (customerId) =>
      payments.createPortal({ key: `portal-${crypto.randomUUID()}`, customerId, returnUrl }),
    ),
  )
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, body: { url } }
}
