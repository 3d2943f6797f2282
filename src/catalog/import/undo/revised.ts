import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import type { StoredType } from '../../model/tables.ts'
import type { Fields } from '../../write/history/fields.ts'
import { followMerged } from '../../write/history/follow.ts'

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

/**
 * All of an import's changes to a record taken together, with merged records replaced by what they became, and who has changed
 * each field since.
 */
export type Made = { id: string; before: Fields; after: Fields; touched: Map<string, Set<string>> }

/** Reads what an import changed on records, and who has changed that since. */
export const readMade = async (tx: Transaction, ids: string[], importId: string): Promise<Made[]> => {
  const { sql } = tx
  const rows = await sql<Revision[]>`
    select id, object_id, object_type, before, after, cause, cause_id,
      cause_id is not distinct from ${importId}::uuid and cause in ('import', 'prune') as "isOwn"
    from revisions
    where object_id = any(${arrayOf(ids)}::uuid[]) and not (cause_id is not distinct from ${importId}::uuid and cause = 'undo')
      and not exists (select from merges m where m.id = cause_id and m.undone_at is not null)
    order by id`
  const made = new Map<string, Made>()
  const brought = await readBrought(tx, importId, rows)
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
  const all = [...made.values()]
  const befores = await followMerged(
    tx,
    all.map(({ before }) => before),
  )
  const afters = await followMerged(
    tx,
    all.map(({ after }) => after),
  )
  return all.map((one, at) => ({ ...one, before: befores[at] as Fields, after: afters[at] as Fields }))
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

const touch = ({ after: own, touched }: Made, revision: Revision) =>
  noteTouched(
    touched,
    revision,
    Object.keys(revision.after).filter((field) => field in own),
  )

/** Notes who has changed these fields. What another import changed doesn't count once that is undone, nor does its undo. */
export const noteTouched = (
  touched: Made['touched'],
  { cause, cause_id: id }: Pick<Revision, 'cause' | 'cause_id'>,
  fields: string[],
) => {
  if (cause === 'undo') for (const by of touched.values()) by.delete(`${id}`)
  else
    for (const field of fields)
      touched.set(field, (touched.get(field) ?? new Set()).add(undoable.has(cause) && id ? id : 'somebody'))
}

const undoable = new Set(['import', 'prune', 'merge', 'split'])
