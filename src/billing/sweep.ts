import { Type } from '@sinclair/typebox'
import type { Context } from '../context.ts'
import { defineJob } from '../jobs/define.ts'

/** Stripe sends an event again for three days, and people do by hand for thirty. */
const keptMilliseconds = 90 * 86_400_000

const chunk = 5000

/** Forgets events that nobody will send again. */
export const sweepEvents = defineJob({
  name: 'stripe_event_sweep',
  payload: Type.Object({}),
  run: async ({ db }: Context, _, { now, signal }) => {
    const before = new Date(now.getTime() - keptMilliseconds).toISOString()
    for (;;) {
      signal.throwIfAborted()
      const swept = await db.sql`
        delete from stripe_events where id in (
          select id from stripe_events where handled_at < ${before}::timestamptz limit ${chunk} for update skip locked
        )`
      if (swept.count < chunk) return
    }
  },
})
