import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { ApiError, conflict, mostFaults } from '../../../jsonapi/errors.ts'
import { namedOnce } from '../../write/entity/mirrored.ts'
import type { Fields } from '../../write/history/fields.ts'
import type { EntityType } from '../../write/record.ts'
import type { Merge } from './record.ts'

/** A record that a merge changed: the fields that differ, before and after. */
export type Revised = { type: string; id: string; before: Fields; after: Fields }

/** What a merge changed, each record once, in the order of the changes. */
export const readChanged = async (tx: Transaction, mergeId: string): Promise<Revised[]> => {
  const rows = await tx.sql<Revised[]>`
    select object_type as type, object_id as id, before, after from revisions where cause_id = ${mergeId} order by id`
  const changed = new Map<string, Revised>()
  for (const { type, id, before, after } of rows) {
    const known = changed.get(`${type} ${id}`)
    changed.set(`${type} ${id}`, {
      ...{ type, id },
      before: { ...before, ...known?.before },
      after: { ...known?.after, ...after },
    })
  }
  return [...changed.values()]
}

/**
 * Throws a 409 that names each record that was changed since the merge, each later merge of one, and each record that has taken
 * a merged name.
 */
export const refuseChanged = async (tx: Transaction, merge: Merge, changed: Revised[]) => {
  const faults = [await laterMerges(tx, merge, changed), await laterChanges(tx, merge), await takenNames(tx, merge)]
  const errors = faults.flat().slice(0, mostFaults)
  if (errors.length > 0) throw new ApiError(409, errors)
}

const refused = (detail: string, meta: Record<string, unknown>) => {
  const [error] = conflict(detail).errors
  return { ...error, meta } as ApiError['errors'][number]
}

const laterMerges = async (tx: Transaction, { id, fromIds, intoId }: Merge, changed: Revised[]) => {
  const pairs = changed.flatMap(({ type, id: pairId }) => (type === 'playerteams' || type === 'cards' ? [pairId] : []))
  const records = arrayOf([...fromIds, intoId, ...pairs])
  const rows = await tx.sql<{ id: string; type: string }[]>`
    select id, object_type as type from merges
    where id > ${id} and undone_at is null
      and (into_id = any(${records}::text::uuid[]) or from_ids && ${records}::text::uuid[])
    order by id desc`
  return rows.map(({ id: later }) =>
    refused(`A later merge involves one of these records. Undo merge ${later} first.`, { type: 'merges', id: later }),
  )
}

/** The target itself isn't restored, so it may have been changed, and keeps those changes. */
const laterChanges = async (tx: Transaction, { id, intoId }: Merge) => {
  const rows = await tx.sql<{ id: string; type: string }[]>`
    select distinct r.object_type as type, r.object_id as id
    from revisions r
    join lateral (
      select l.cause, l.cause_id from revisions l where l.object_id = r.object_id and l.id > r.id
    ) later on later.cause_id is distinct from ${id}::uuid
      and not (later.cause = 'merge' and exists (select 1 from merges m where m.id = later.cause_id and m.undone_at is not null))
    where r.cause_id = ${id} and r.object_id <> ${intoId}
    order by type, id limit ${mostFaults}`
  return rows.map(({ type, id: changed }) =>
    refused(`This record was changed after the merge: ${type} ${changed}.`, { type, id: changed }),
  )
}

const takenNames = async (tx: Transaction, { objectType: type, fromIds }: Merge) => {
  const name = namedOnce[type as EntityType]
  if (!name) return []
  const rows = await tx.sql.unsafe<{ id: string; name: string }[]>(
    `select t.id, t.${name} as name from ${type} old join ${type} t on t.${name}_key collate "C" = old.${name}_key collate "C"
     where old.id = any($1::text::uuid[]) and t.deleted_at is null order by t.id limit ${mostFaults}`,
    [arrayOf(fromIds)],
  )
  return rows.map(({ id, name: taken }) =>
    refused(`${type} ${id} now has the name ${JSON.stringify(taken)} of a merged record.`, { type, id }),
  )
}
