import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import type { StoredType } from '../../model/tables.ts'
import type { Fields } from '../../write/history/fields.ts'

/** A change in a record's history. `isOwn`: by the import. */
export type Revision = {
  id: string
  object_id: string
  object_type: StoredType
  before: Fields
  after: Fields
  cause: string
  cause_id: string | null
  isOwn: boolean
}

/** All of an import's changes to a record taken together, and who has changed each field since. */
export type Made = { id: string; before: Fields; after: Fields; touched: Map<string, Set<string>> }

/** Reads what an import changed on records, and who has changed that since. */
export const readMade = async ({ sql }: Transaction, ids: string[], importId: string): Promise<Made[]> => {
  const rows = await sql<Revision[]>`
    select id, object_id, object_type, before, after, cause, cause_id,
      cause_id is not distinct from ${importId}::uuid and cause in ('import', 'prune') as "isOwn"
    from revisions
    where object_id = any(${arrayOf(ids)}::uuid[]) and not (cause_id is not distinct from ${importId}::uuid and cause = 'undo')
      and not exists (select from merges m where m.id = cause_id and m.undone_at is not null)
    order by id`
  const made = new Map<string, Made>()
  const brought = await readBrought({ sql }, importId, rows)
  for (const revision of rows) {
    const { object_id: id, before, after, isOwn } = revision
    if (brought.has(id)) continue
    const one = made.get(id) ?? { id, before: {}, after: {}, touched: new Map() }
    if (isOwn) {
      one.before = { ...before, ...one.before }
      one.after = { ...one.after, ...after }
    } else touch(one, revision)
    made.set(id, one)
  }
  return [...made.values()]
}

/** The records that the import brought back. They are deleted like those that it created, each after what stands on it. */
const readBrought = async ({ sql }: Pick<Transaction, 'sql'>, importId: string, rows: Revision[]) => {
  const ids = rows.flatMap((row) => (row.isOwn && row.after.deleted === false ? [row.object_id] : []))
  if (ids.length === 0) return new Set<string>()
  const found = await sql<{ id: string }[]>`
    select distinct e.id from import_made m cross join lateral unnest(m.ids) as e (id)
    where m.import_id = ${importId} and e.id = any(${arrayOf(ids)}::uuid[])`
  return new Set(found.map(({ id }) => id))
}

/** Notes who has changed fields since. What another import changed doesn't count once that is undone, like what a merge did. */
const touch = ({ after: own, touched }: Made, { after, cause, cause_id: id }: Revision) => {
  for (const field of Object.keys(after)) {
    if (!(field in own)) continue
    const by = touched.get(field) ?? new Set()
    if (cause !== 'undo' || !by.delete(`${id}`)) by.add(undoable.has(cause) && id ? id : 'somebody')
    touched.set(field, by)
  }
}

const undoable = new Set(['import', 'prune', 'merge', 'split'])
