import { and, between, count, desc, eq, getTableColumns, gte, lte, type SQL, sql, sum } from 'drizzle-orm'
import { shown } from '../../db/builder.ts'
import type { Queryable } from '../../db/client.ts'
import { auditLogCounts, auditLogs, type Row } from '../../db/schema/index.ts'
import { dayOf } from '../lib/clock.ts'

/** A stored entry. */
export type AuditLog = Row<typeof auditLogs>

/** Which entries to read: a time range in milliseconds, both ends included, and the values that they must have. */
export type AuditFilter = {
  from: Date
  to: Date
  eventType?: string
  auditableType?: string
  auditableId?: string
}

const columns = shown(getTableColumns(auditLogs))

export const findEntry = async (db: Queryable, id: string): Promise<AuditLog | undefined> => {
  const [entry] = await db.orm.select(columns).from(auditLogs).where(eq(auditLogs.id, id))
  return entry
}

/**
 * A page of entries, newest first, and how many there are. Whole days are counted by `audit_log_counts` and skipped: the log
 * itself is read for at most a day at each end of the range, and a day before the page.
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
  const newest = [desc(auditLogs.created_at), desc(auditLogs.id)]
  const page = db.orm
    .select({ id: auditLogs.id })
    .from(auditLogs)
    .where(wanted({ ...filter, to: part.to }))
    .orderBy(...newest)
    .limit(limit)
    .offset(offset - skipped)
    .as('page')
  const entries = await db.orm
    .select(columns)
    .from(page)
    .innerJoin(auditLogs, eq(auditLogs.id, page.id))
    .orderBy(...newest)
  return { entries, total }
}

/** A part of the requested time range: where it ends, and how many entries it has. */
type Part = { to: Date; entries: number }

const day = 86_400_000

/**
 * The time range in parts, newest first: the whole days, and what comes before and after them. For a single record, there is
 * only one part.
 */
const countParts = async (db: Queryable, filter: AuditFilter): Promise<Part[]> => {
  const [from, to] = [filter.from.getTime(), filter.to.getTime()]
  if (from > to) return []
  const [first, end] = [Math.ceil(from / day) * day, Math.floor((to + 1) / day) * day]
  if (filter.auditableId || first >= end) return [{ to: filter.to, entries: await countEntries(db, filter) }]
  const [newest, oldest, days] = await Promise.all([
    to < end ? 0 : countEntries(db, { ...filter, from: new Date(end) }),
    from === first ? 0 : countEntries(db, { ...filter, to: new Date(first - 1) }),
    countDays(db, filter, new Date(first), new Date(end)),
  ])
  return [{ to: filter.to, entries: newest }, ...days, { to: new Date(first - 1), entries: oldest }]
}

const countEntries = async (db: Queryable, filter: AuditFilter): Promise<number> => {
  const [row] = await db.orm.select({ entries: count() }).from(auditLogs).where(wanted(filter))
  return row?.entries ?? 0
}

const countDays = async (db: Queryable, { eventType, auditableType }: AuditFilter, first: Date, end: Date) => {
  const { day: date, event_type, auditable_type, entries } = auditLogCounts
  const days = await db.orm
    .select({ date, entries: sum(entries).mapWith(Number) })
    .from(auditLogCounts)
    .where(
      and(
        between(date, dayOf(first), dayOf(new Date(end.getTime() - 1))),
        eventType === undefined ? undefined : eq(event_type, eventType),
        auditableType === undefined ? undefined : eq(auditable_type, auditableType),
      ),
    )
    .groupBy(date)
    .orderBy(desc(date))
  return days.map(({ date, entries }) => ({ to: new Date(Date.parse(date) + day - 1), entries }))
}

/** The condition as the indexes have it: each combination of filters has an index in the list's order. */
const wanted = ({ from, to, eventType, auditableType, auditableId }: AuditFilter): SQL | undefined =>
  and(
    gte(auditLogs.created_at, from.toISOString()),
    lte(auditLogs.created_at, to.toISOString()),
    eventType === undefined ? undefined : sql`${auditLogs.event_type} collate "C" = ${eventType}`,
    auditableType === undefined ? undefined : sql`${auditLogs.auditable_type} collate "C" = ${auditableType}`,
    auditableId === undefined ? undefined : eq(auditLogs.auditable_id, auditableId),
  )
