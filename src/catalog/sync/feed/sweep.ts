import type { Database } from '../../../../db/client.ts'
import { lifetimes } from '../../../limits.ts'

/** How long changes are kept (decisions.md §9). */
const keptDays = lifetimes.change.seconds / 86_400

const chunk = 2000

/** Removes changes that are too old, the oldest first. `feed` keeps the last number. */
export const sweepChanges = async ({ sql }: Database, now: Date, signal: AbortSignal) => {
  for (;;) {
    signal.throwIfAborted()
    const swept = await sql`
      delete from changes where id in (
        select id from (select id, changed_at from changes where no is not null order by no limit ${chunk}) oldest
        where changed_at < ${now.toISOString()}::timestamptz - make_interval(days => ${keptDays})
      )`
    if (swept.count < chunk) return
  }
}
