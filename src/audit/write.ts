/*
 * `writeAudit(tx, {agent, now}, entries)` writes what was done into `audit_logs`, in the transaction that does it. Any
 * room may call it. Triggers refuse to change or remove an entry. `audit_log_counts` counts entries by day, event and
 * type, in separate rows for each database session, so that totals need no scan and no writer waits for another's
 * commit. `audit_count_fold` adds up the sessions of past days each night.
 */

import { arrayOf, arrayOfTexts } from '../../db/arrays.ts'
import type { Transaction } from '../../db/client.ts'

/** Who did it: an account, a machine client, the command line, or the service itself. */
export type Agent = `user:${string}` | `client:${string}` | 'command-line' | 'service'

/** One thing that was done. `data` holds the details, but never a secret, a code or an address. */
export type Entry = {
  /** What was done to what, such as `set.published`. docs/operations.md lists them all. */
  eventType: string
  auditableType?: string | null
  /** A UUID. */
  auditableId?: string | null
  data?: object | null
}

/** Who and when. An entry that an operator posts may name any agent. */
export type Act = { agent: string | null; now: Date }

/**
 * Writes entries to the audit log, in the transaction of the change that they describe, so that neither exists without the
 * other. Returns their ids in the same order. All entries go in one statement.
 */
export const writeAudit = async (
  tx: Transaction,
  { agent, now }: Act,
  entries: Entry | readonly Entry[],
): Promise<string[]> => {
  const list = [entries].flat()
  if (list.length === 0) return []
  const rows = await tx.sql<{ id: string }[]>`
    with given as (
      select nextval('audit_logs_id') as id, event_type, auditable_type, auditable_id, data, place from unnest(
        ${arrayOfTexts(list.map(({ eventType }) => eventType))}::text::text[],
        ${arrayOfTexts(list.map(({ auditableType }) => auditableType ?? null))}::text::text[],
        ${arrayOf(list.map(({ auditableId }) => auditableId ?? null))}::text::uuid[],
        ${arrayOfTexts(list.map(({ data }) => (data ? JSON.stringify(data) : null)))}::text::text[]
      ) with ordinality as g (event_type, auditable_type, auditable_id, data, place)
    ), written as (
      insert into audit_logs (id, event_type, auditable_type, auditable_id, agent_id, data, created_at)
      select id, event_type, auditable_type, auditable_id, ${agent}, data::json, ${now.toISOString()}::timestamptz
      from given order by place
    ), counted as (
      insert into audit_log_counts as c (day, event_type, auditable_type, session, entries)
      select (${now.toISOString()}::timestamptz at time zone 'UTC')::date, event_type, coalesce(auditable_type, ''),
        pg_backend_pid(), count(*)
      from given group by event_type, coalesce(auditable_type, '')
      on conflict (day, event_type, auditable_type, session) do update set entries = c.entries + excluded.entries
    )
    select id from given order by place`
  return rows.map(({ id }) => String(id))
}
