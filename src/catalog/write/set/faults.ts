import type { Transaction } from '../../../../db/client.ts'
import { type ApiError, conflict, noSuch, validationFailed } from '../../../jsonapi/errors.ts'
import { Audience } from '../../../lib/audience.ts'
import { referenceTable } from '../../model/set-references.ts'
import { lostRace } from '../locks/order.ts'
import type { Counted } from '../locks/tallies.ts'
import type { SetChange } from '../record.ts'

/** Who can see what the sets refer to: `table:id` to audience. What doesn't exist or is deleted is missing. */
export const readSetReferences = async (tx: Transaction, changes: SetChange[]): Promise<Map<string, number>> => {
  const parts = referenceTable.map(([, column, table]) => ({
    table,
    ids: [...new Set(changes.flatMap(({ after }) => after[column] ?? []))],
  }))
  const asked = parts.filter(({ ids }) => ids.length > 0)
  if (asked.length === 0) return new Map()
  const rows = await tx.sql.unsafe<{ key: string; audience: number }[]>(
    asked
      .map(
        ({ table }, index) =>
          `select '${table}:' || id as key, audience from ${table} where id = any($${index + 1}::uuid[]) and deleted_at is null`,
      )
      .join(' union all '),
    asked.map(({ ids }) => ids),
    { prepare: true },
  )
  return new Map(rows.map(({ key, audience }) => [key, audience]))
}

/** The 422 for references that don't exist or that the writer can't see. What the set already referred to stays valid. */
export const setFaults = (
  { before, after, id }: SetChange,
  found: Map<string, number>,
  batch: SetChange[],
  level: number,
): ApiError | undefined => {
  if (after.deleted) return undefined
  const faults = referenceTable.flatMap(([name, column, table]) => {
    const reference = after[column]
    if (!reference) return []
    const isNew = reference !== before?.[column]
    const comesAlong = table === 'sets' && batch.some((one) => one.id === reference && one.id !== id && isComing(one))
    const audience = comesAlong ? Audience.published : (found.get(`${table}:${reference}`) ?? Audience.deleted)
    if (audience >= (isNew ? level : Audience.draft)) return []
    return [noSuch(name, { pointer: `/data/relationships/${name}/data/id` })]
  })
  return faults.length > 0 ? validationFailed(faults) : undefined
}

/** Whether a set is live only because of this change. */
const isComing = ({ before, after }: SetChange) => !after.deleted && (!before || before.deleted)

/**
 * Throws for what only becomes apparent once everything is locked: a reference deleted in the meantime, live children, a cycle
 * of parents.
 */
export const refuseWhenLocked = async (tx: Transaction, changes: SetChange[], counted: Counted[]) => {
  const found = await readSetReferences(tx, changes)
  for (const change of changes) {
    const { id, before, after } = change
    if (setFaults(change, found, changes, Audience.draft)) throw lostRace('what a set refers to was deleted')
    if (after.deleted && (liveChildren(id, counted) ?? 0) > 0)
      throw conflict('The set has live child sets. Delete them first.')
    if (before && after.parent_id && after.parent_id !== before.parent_id && (await descends(tx, after.parent_id, id)))
      throw validationFailed([
        { pointer: '/data/relationships/parent/data/id', detail: 'A set cannot be its own ancestor.' },
      ])
  }
}

const liveChildren = (id: string, counted: Counted[]) =>
  counted.find((one) => one.list === 'sets' && one.id === id)?.live

const descends = async (tx: Transaction, setId: string, ancestorId: string) => {
  const rows = await tx.sql`
    with recursive line (id, parent_id) as (
      select id, parent_id from sets where id = ${setId}
      union
      select s.id, s.parent_id from sets s join line on s.id = line.parent_id
    )
    select 1 from line where id = ${ancestorId}`
  return rows.length > 0
}
