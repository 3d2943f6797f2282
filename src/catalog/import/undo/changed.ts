import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { readCards } from '../../write/card/read.ts'
import { readEntities } from '../../write/entity/rows.ts'
import { cardFields, entityFields, type Fields, setFields } from '../../write/history/fields.ts'
import type { EntityType } from '../../write/record.ts'
import { readSetRecords } from '../../write/set/rows.ts'

type Type = 'cards' | 'sets' | EntityType
type Revision = { id: string; before: Fields; after: Fields; isOwn: boolean }

/**
 * Which records are no longer as the import left them, because somebody changed a field since. One that was changed and changed
 * back, by a person or by undoing a merge or another import, is as it was.
 */
export const findChanged = async (
  tx: Transaction,
  type: Type,
  ids: string[],
  importId: string,
): Promise<Set<string>> => {
  const rows = await tx.sql<Revision[]>`
    select object_id as id, before, after, cause_id is not distinct from ${importId}::uuid as "isOwn"
    from revisions where object_id = any(${arrayOf(ids)}::uuid[]) order by revisions.id`
  const left = new Map<string, Fields>()
  for (const { id, before, after, isOwn } of rows) {
    const fields = left.get(id) ?? {}
    // What was before the import brought it back doesn't count.
    if (isOwn && after.deleted === false) left.set(id, {})
    else if (isOwn) left.set(id, withoutFields(fields, after))
    else left.set(id, { ...before, ...fields })
  }
  const now = await readNow(tx, type, ids)
  const isChanged = (id: string) =>
    Object.entries(left.get(id) ?? {}).some(
      ([field, value]) => !Bun.deepEquals(now.get(id)?.[field] ?? null, value ?? null),
    )
  return new Set(ids.filter(isChanged))
}

const withoutFields = (fields: Fields, some: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in some)))

/** The fields of live records. */
const readNow = async (tx: Transaction, type: Type, ids: string[]): Promise<Map<string, Fields>> => {
  if (type === 'cards') return mapped(await readCards(tx, ids), cardFields)
  if (type === 'sets') return mapped(await readSetRecords(tx, ids), setFields)
  if (type !== 'playerteams') return mapped(await readEntities(tx, type, ids), entityFields)
  const rows = await tx.sql<{ id: string; player_id: string; team_id: string; deleted: boolean }[]>`
    select id, player_id, team_id, deleted_at is not null as deleted from player_teams
    where id = any(${arrayOf(ids)}::uuid[])`
  return new Map(rows.map((row) => [row.id, row]))
}

const mapped = <T>(records: Map<string, T>, fieldsOf: (record: T) => Fields) =>
  new Map([...records].map(([id, record]) => [id, fieldsOf(record)]))
