import { Type } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { users } from '../../db/schema/index.ts'
import type { Context } from '../context.ts'
import { defineJob } from '../jobs/define.ts'
import { findCustomer } from './customers.ts'

/**
 * Sends Stripe an account's current address, for its invoices. Does nothing without a customer, or if Stripe isn't configured.
 */
export const tellAddress = defineJob({
  name: 'stripe_address',
  payload: Type.Object({ userId: Type.String() }),
  run: async (context: Context, { userId }) => {
    const customerId = context.payments && (await findCustomer(context, userId))
    const [user] = await context.db.orm.select({ email: users.email_key }).from(users).where(eq(users.id, userId))
    if (customerId && user) await context.payments?.changeAddress(customerId, user.email)
  },
})
