import type { Queryable } from '../../../../db/client.ts'
import type { Merge, MergedType } from './record.ts'

type Asked = { objectType?: MergedType; intoId?: string }

/** A page of the merges that haven't been undone, newest first, and how many there are. */
export const readMerges = async (
  db: Queryable,
  asked: Asked,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ merges: Merge[]; total: number }> => {
  const where = conditions(db, asked)
  const merges = await db.sql<Merge[]>`
    select ${columns(db)} from merges where ${where} order by id desc limit ${limit} offset ${offset}`
  const [counted] = await db.sql<{ total: number }[]>`select count(*)::int as total from merges where ${where}`
  return { merges: merges.map((row) => ({ ...row })), total: counted?.total ?? 0 }
}

/** A merge, even if it was undone. */
export const findMerge = async (db: Queryable, id: string): Promise<Merge | undefined> => {
  const [merge] = await db.sql<Merge[]>`select ${columns(db)} from merges where id = ${id}`
  return merge && { ...merge }
}

const columns = ({ sql }: Queryable) => sql`
  id, object_type as "objectType", from_ids as "fromIds", into_id as "intoId", note, agent_id as "agentId",
  to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
  to_char(undone_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "undoneAt"`

const conditions = ({ sql }: Queryable, { objectType, intoId }: Asked) => sql`
  undone_at is null and ${objectType ? sql`object_type = ${objectType}` : sql`true`}
  and ${intoId ? sql`into_id in (${leadingWhere({ sql }, intoId)})` : sql`true`}`

/** The record that an id means now, and all that became it in one merge after the other. */
const leadingWhere = ({ sql }: Pick<Queryable, 'sql'>, id: string) => sql`
  with recursive became (id) as (
    select coalesce(merged_into(${id}), ${id})
    union select r.id from became b join redirects r on r.into_id = b.id
  ) select id from became`
