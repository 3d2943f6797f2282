import type { Queryable, Transaction } from '../../../../db/client.ts'
import type { Row, revisions } from '../../../../db/schema/index.ts'
import type { Place } from '../../../jsonapi/cursor.ts'
import { isBackward } from '../../list/page.ts'
import type { Resource } from '../../model/resource.ts'
import type { Fields } from '../../write/history/fields.ts'

/** A stored change of a record: the changed fields before and after. */
export type Revision = Omit<Row<typeof revisions>, 'before' | 'after'> & {
  before: Fields
  after: Fields
  /** The name of whoever made it. Null if they have none or are gone. */
  agent_name: string | null
}

/** A page of a record's history, newest first. `more` is in the direction of reading. */
type HistoryPage = { revisions: Revision[]; more: boolean; total: number; isGuess: boolean }

type Asked = { size: number; after?: Place; before?: Place }

/** A history is counted up to this number. */
const countedAtMost = 10_000

/** A page of one record's revisions, by cursors whose positions are revision numbers. */
export const readHistory = async (
  db: Queryable,
  { type }: Pick<Resource, 'type'>,
  id: string,
  { size, after, before }: Asked,
): Promise<HistoryPage> => {
  const { sql } = db
  const backward = isBackward({ after, before })
  const rows = await sql<Revision[]>`
    select ${sql.unsafe(columns)} from revisions
    where object_id = ${id} and object_type = ${type}
      and ${after ? (after.length > 0 ? sql`id < ${String(after[0])}::text::bigint` : sql`false`) : sql`true`}
      and ${before && before.length > 0 ? sql`id > ${String(before[0])}::text::bigint` : sql`true`}
    order by id ${sql.unsafe(backward ? 'asc' : 'desc')} limit ${size + 1}`
  const more = rows.length > size
  const page = rows.slice(0, size)
  const total = await countHistory(db, type, id)
  return {
    revisions: backward ? page.reverse() : page,
    more,
    total: Math.min(total, countedAtMost),
    isGuess: total > countedAtMost,
  }
}

const countHistory = async ({ sql }: Queryable, type: string, id: string) => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from revisions where object_id = ${id} and object_type = ${type} limit ${countedAtMost + 1}
    ) counted`
  return row?.count ?? 0
}

/** Whether a record ever existed. Deleted records still have a row, and erased ones a history. */
export const wasEver = async ({ sql }: Queryable, { type, table }: Resource, id: string): Promise<boolean> => {
  const [row] = await sql.unsafe<{ was: boolean }[]>(
    `select exists (select 1 from ${table.split(' ')[0]} where id = $1)
       or exists (select 1 from revisions where object_id = $1 and object_type = $2) as was`,
    [id, type],
    { prepare: true },
  )
  return row?.was ?? false
}

/** One revision by its number, of any record. */
export const findRevision = async ({ sql }: Queryable, no: string): Promise<Revision | undefined> => {
  const [row] = await sql<Revision[]>`select ${sql.unsafe(columns)} from revisions where id = ${no}::text::bigint`
  return row
}

/** The newest revision of a record that this transaction made. Undefined if it didn't change the record. */
export const madeRevision = async ({ sql }: Transaction, type: string, id: string): Promise<Revision | undefined> => {
  const [row] = await sql<Revision[]>`
    select ${sql.unsafe(columns)} from revisions
    where object_id = ${id} and object_type = ${type}
      and case when age(xmin) <= 0 then
        pg_xact_status((pg_current_xact_id()::text::bigint - age(xmin))::text::xid8) = 'in progress'
      end
    order by id desc limit 1`
  return row
}

const named = (kind: 'user' | 'client', table: string, name: string) =>
  `when agent_id ~ '^${kind}:[0-9a-f-]{36}$' then (
    select ${name} from ${table} a where a.id = substr(agent_id, ${kind.length + 2})::uuid
  )`

const columns = `id, object_type, object_id, cause, cause_id, agent_id, before, after,
  case ${named('user', 'users', 'coalesce(a.name, a.email)')} ${named('client', 'credentials', 'a.name')} end as agent_name,
  to_char(changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as changed_at`
