import type { Queryable } from '../../db/client.ts'
import { lifetimes } from '../limits.ts'

/** Days of usage that are kept before today, which with it are the 31 that a report may span (interface.md, Limits). */
export const usageKeptDays = lifetimes.usage.seconds / 86_400

const chunk = 5000

/** Removes the usage of days that no report reaches any more, some thousand rows at a time. */
export const sweepUsage = async (db: Queryable, now: Date, signal: AbortSignal) => {
  for (;;) {
    signal.throwIfAborted()
    const swept = await db.sql`
      delete from usage_days where (credential_id, day) in (
        select credential_id, day from usage_days
        where day < (${now.toISOString()}::timestamptz at time zone 'UTC')::date - ${usageKeptDays}::int
        limit ${chunk}
        for update skip locked
      )`
    if (swept.count < chunk) return
  }
}
