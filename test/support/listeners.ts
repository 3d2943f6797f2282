import type { Queryable } from '../../db/client.ts'
import { until } from './until.ts'

/** Waits until this many workers listen for new jobs. A server's worker finds earlier jobs only at its next look. */
export const untilHeard = async (db: Queryable & { kind: string }, workers = 1): Promise<void> => {
  if (db.kind === 'embedded') return
  await until(async () => {
    const listening = await db.sql`
      select 1 from pg_stat_activity where datname = current_database() and query ilike 'listen%' and state = 'idle'`
    return listening.length >= workers
  })
}
