import { sql } from 'drizzle-orm'
import { date, integer, json, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bigint, time } from './columns.ts'

/** What was done, by whom and when, written in the transaction of the change. Triggers refuse to change or delete an entry. */
export const auditLogs = pgTable('audit_logs', {
  id: bigint().primaryKey().default(sql`nextval('audit_logs_id'::regclass)`),
  event_type: text().notNull(),
  auditable_type: text(),
  auditable_id: uuid(),
  agent_id: text(),
  data: json(),
  created_at: time().notNull(),
})

/**
 * Entries by day (UTC), event and type ('' for none). Each database session counts in its own rows, so that no writer waits for
 * another's commit. A total is the sum over them.
 */
export const auditLogCounts = pgTable(
  'audit_log_counts',
  {
    day: date().notNull(),
    event_type: text().notNull(),
    auditable_type: text().notNull(),
    session: integer().notNull(),
    entries: bigint().notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.event_type, t.auditable_type, t.session] })],
)
