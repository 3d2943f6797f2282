import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { readCards } from '../../write/card/read.ts'
import { readEntities } from '../../write/entity/rows.ts'
import { cardFields, entityFields, type Fields, setFields } from '../../write/history/fields.ts'
import type { EntityType } from '../../write/record.ts'
import { readSetRecords } from '../../write/set/rows.ts'
import { type Made, noteTouched } from './revised.ts'

type Type = 'cards' | 'sets' | EntityType
type Revision = Pick<Made, 'id' | 'before' | 'after'> & { cause: string; cause_id: string | null; isOwn: boolean }

/** What an import left of the fields that changed since, and who changed them. */
type Left = { fields: Fields; touched: Made['touched'] }

/**
 * Which records are no longer as the import left them, because somebody changed a field since. One that was changed and changed
 * back, by a person or by undoing a merge, is as it was. What another import changed doesn't count once that is undone, whatever
 * its undo gave the record.
 */
export const findChanged = async (
  tx: Transaction,
  type: Type,
  ids: string[],
  importId: string,
): Promise<Set<string>> => {
  const rows = await tx.sql<Revision[]>`
    select object_id as id, before, after, cause, cause_id, cause_id is not distinct from ${importId}::uuid as "isOwn"
    from revisions where object_id = any(${arrayOf(ids)}::uuid[])
      and not exists (select from merges m where m.id = cause_id and m.undone_at is not null)
    order by revisions.id`
  const left = new Map<string, Left>()
  for (const revision of rows) {
    const { id, before, after, isOwn } = revision
    const { fields, touched } = left.get(id) ?? nothing()
    // What was before the import brought it back doesn't count.
    if (isOwn && after.deleted === false) left.set(id, nothing())
    else if (isOwn) left.set(id, { fields: withoutFields(fields, after), touched })
    else {
      noteTouched(touched, revision, Object.keys(after))
      left.set(id, { fields: { ...before, ...fields }, touched })
    }
  }
  const now = await readNow(tx, type, ids)
  const changed = [...left].filter(([id, { fields, touched }]) =>
    Object.entries(fields).some(
      ([field, value]) => touched.get(field)?.size && !Bun.deepEquals(now.get(id)?.[field] ?? null, value ?? null),
    ),
  )
  return new Set(changed.map(([id]) => id))
}

const nothing = (): Left => ({ fields: {}, touched: new Map() })

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
