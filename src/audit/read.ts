import type { Queryable } from '../../db/client.ts'

/** An entry as it is kept. */
export type AuditLog = {
  id: string
  event_type: string
  auditable_type: string | null
  auditable_id: string | null
  agent_id: string | null
  data: unknown
  created_at: string
}

/** Which entries: those of a time, both ends included, in milliseconds; and only those that have what is given. */
export type AuditFilter = {
  from: Date
  to: Date
  eventType?: string
  auditableType?: string
  auditableId?: string
}

/** One entry. */
export const findEntry = async (db: Queryable, id: string): Promise<AuditLog | undefined> => {
  const [row] = await db.sql<AuditLog[]>`
    select id, event_type, auditable_type, auditable_id, agent_id, data, created_at from audit_logs where id = ${id}`
  return row && readRow(row)
}

/**
 * A page of entries, the newest first, and how many there are. Whole days are counted by `audit_log_counts` and jumped
 * over; what is read of the log itself is at most a day at each end and one before the page.
 */
export const readEntries = async (
  db: Queryable,
  filter: AuditFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ entries: AuditLog[]; total: number }> => {
  const parts = await countParts(db, filter)
  const total = parts.reduce((sum, part) => sum + part.entries, 0)
  let skipped = 0
  const part = parts.find(({ entries }) => {
    const isHere = skipped + entries > offset
    if (!isHere) skipped += entries
    return isHere
  })
  if (!part) return { entries: [], total }
  const rows = await db.sql<AuditLog[]>`
    with page as (
      select id, created_at from audit_logs where ${wanted(db, { ...filter, to: part.to })}
      order by created_at desc, id desc limit ${limit} offset ${offset - skipped}::bigint
    )
    select l.id, l.event_type, l.auditable_type, l.auditable_id, l.agent_id, l.data, l.created_at
    from page join audit_logs l on l.id = page.id
    order by l.created_at desc, l.id desc`
  return { entries: rows.map(readRow), total }
}

/** A part of the time asked for: up to when it goes, and how many entries it has. */
type Part = { to: Date; entries: number }

const day = 86_400_000

/** The time in parts, the newest first: whole days between what is before and after them; of one record it is one part. */
const countParts = async (db: Queryable, filter: AuditFilter): Promise<Part[]> => {
  const [from, to] = [filter.from.getTime(), filter.to.getTime()]
  if (from > to) return []
  const [first, end] = [Math.ceil(from / day) * day, Math.floor((to + 1) / day) * day]
  if (filter.auditableId || first >= end) return [{ to: filter.to, entries: await count(db, filter) }]
  const [newest, oldest, days] = await Promise.all([
    to < end ? 0 : count(db, { ...filter, from: new Date(end) }),
    from === first ? 0 : count(db, { ...filter, to: new Date(first - 1) }),
    countDays(db, filter, new Date(first), new Date(end)),
  ])
  return [{ to: filter.to, entries: newest }, ...days, { to: new Date(first - 1), entries: oldest }]
}

const count = async (db: Queryable, filter: AuditFilter): Promise<number> => {
  const [row] = await db.sql<{ entries: number }[]>`
    select count(*)::float8 as entries from audit_logs where ${wanted(db, filter)}`
  return row?.entries ?? 0
}

const countDays = async (db: Queryable, { eventType, auditableType }: AuditFilter, first: Date, end: Date) => {
  const { sql } = db
  const days = await sql<{ day: string; entries: number }[]>`
    select day::text, sum(entries)::float8 as entries from audit_log_counts
    where day between ${dayOf(first)}::date and ${dayOf(new Date(end.getTime() - 1))}::date
      ${eventType === undefined ? sql`` : sql`and event_type = ${eventType}`}
      ${auditableType === undefined ? sql`` : sql`and auditable_type = ${auditableType}`}
    group by day order by day desc`
  return days.map(({ day: date, entries }) => ({ to: new Date(Date.parse(date) + day - 1), entries }))
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10)

/** The condition in the words of the indexes: each combination of filters has one in the order of the list. */
const wanted = ({ sql }: Queryable, { from, to, eventType, auditableType, auditableId }: AuditFilter) => sql`
  created_at >= ${from.toISOString()}::timestamptz and created_at <= ${to.toISOString()}::timestamptz
    ${eventType === undefined ? sql`` : sql`and event_type collate "C" = ${eventType}`}
    ${auditableType === undefined ? sql`` : sql`and auditable_type collate "C" = ${auditableType}`}
    ${auditableId === undefined ? sql`` : sql`and auditable_id = ${auditableId}::uuid`}`

const readRow = (row: AuditLog): AuditLog => ({
  ...row,
  id: String(row.id),
  created_at: new Date(row.created_at).toISOString(),
})
