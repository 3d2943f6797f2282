import { Type } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { users } from '../../db/schema/index.ts'
import type { Context } from '../context.ts'
import { defineJob } from '../jobs/define.ts'
import { findCustomer } from './customers.ts'

/** Sends Stripe the current address of an account, for its invoices; does nothing without a customer, or if Stripe is not configured. */
export const tellAddress = defineJob({
  name: 'stripe_address',
  payload: Type.Object({ userId: Type.String() }),
  run: async (context: Context, { userId }) => {
    const customerId = context.payments && (await findCustomer(context, userId))
    const [user] = await context.db.orm.select({ email: users.email_key }).from(users).where(eq(users.id, userId))
    if (customerId && user) await context.payments?.changeAddress(customerId, user.email)
  },
})
