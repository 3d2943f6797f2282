import type { Database } from '../../db/client.ts'

/** The session number of a day's total once the day is over; no real session has this number. */
const everybody = 0

/**
 * Adds up what each database session counted on past days, so that a total reads one row per day, event and type, however many
 * sessions there were. Each day takes one statement. Late entries still count.
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
