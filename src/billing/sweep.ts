import { lt } from 'drizzle-orm'
import { stripeEvents } from '../../db/schema/index.ts'
import { sweep } from '../../db/sweep.ts'
import type { Context } from '../context.ts'
import { defineJob } from '../jobs/define.ts'
import { secondsAfter } from '../lib/clock.ts'

/** Stripe retries an event for three days. People can resend it by hand for thirty. */
const keptSeconds = 90 * 86_400

/** Forgets events that nobody will send again. */
export const sweepEvents = defineJob({
  name: 'stripe_event_sweep',
  run: async ({ db }: Context, _, { now, signal }) => {
    await sweep(db, stripeEvents, lt(stripeEvents.handled_at, secondsAfter(now, -keptSeconds).toISOString()), {
      signal,
    })
  },
})
