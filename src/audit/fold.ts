import type { Database } from '../../db/client.ts'

/** Which session the counts of a day belong to once nobody counts on it any more; no process of a database has this number. */
const everybody = 0

/**
 * Adds up what each session of the database counted on days that are over, so that a total reads one row a day, event and
 * type however many sessions there were. A day goes in one statement; an entry that comes late is counted all the same.
 */
export const foldCounts = async (db: Database, now: Date, signal: AbortSignal): Promise<void> => {
  const days = await db.sql<{ day: string }[]>`
    select distinct day::text from audit_log_counts
    where session <> ${everybody}::int and day < (${now.toISOString()}::timestamptz at time zone 'UTC')::date
    order by day`
  for (const { day } of days) {
    signal.throwIfAborted()
    await db.sql`
      with gone as (
        delete from audit_log_counts where day = ${day}::date and session <> ${everybody}::int
        returning event_type, auditable_type, entries
      )
      insert into audit_log_counts as c (day, event_type, auditable_type, session, entries)
      select ${day}::date, event_type, auditable_type, ${everybody}::int, sum(entries)
      from gone group by event_type, auditable_type
      on conflict (day, event_type, auditable_type, session) do update set entries = c.entries + excluded.entries`
  }
}
