import { Type } from '@sinclair/typebox'
import type { Context } from '../context.ts'
import { defineJob } from '../jobs/define.ts'
import { findCustomer } from './customers.ts'

/**
 * Tells Stripe the address that an account has now, so that its invoices go there. Nothing is told of an account without
 * a customer, or while Stripe is not configured.
 */
export const tellAddress = defineJob({
  name: 'stripe_address',
  payload: Type.Object({ userId: Type.String() }),
  run: async (context: Context, { userId }) => {
    const customerId = context.payments && (await findCustomer(context, userId))
    const [user] = await context.db.sql<{ email: string }[]>`select email_key as email from users where id = ${userId}`
    if (customerId && user) await context.payments?.changeAddress(customerId, user.email)
  },
})
