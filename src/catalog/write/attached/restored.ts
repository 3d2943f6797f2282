import type { Transaction } from '../../../../db/client.ts'
import type { Writer } from '../card/cards.ts'
import type { Restored } from '../entity/restored-pairs.ts'
import {
  deleteAttached,
  type ObjectAttribute,
  type SetSource,
  updateObjectAttribute,
  updateSetSource,
} from './attached.ts'
import { type Attached, countAttached } from './counts.ts'
import { lockOwners, type Owner } from './owners.ts'

/** An object attribute or a set source as an export holds it. */
export type RestoredAttached = { id: string; deleted: boolean } & (
  | { type: 'object-attributes'; state: ObjectAttribute }
  | { type: 'set_sources'; state: SetSource }
)

/**
 * Makes one attached record be as an export says, by id, a deleted one too. Its owner must exist, if only as a deleted
 * record, which takes it out of sight. A deleted record that shall live again is refused: its place may be taken.
 */
export const restoreAttached = async (tx: Transaction, record: RestoredAttached, writer: Writer): Promise<Restored> => {
  const { id } = record
  const stored = await findStored(tx, record)
  if (!stored) return insert(tx, record, writer)
  if (stored.deleted && record.deleted) return { id, result: 'unchanged' }
  if (stored.deleted) return { id, result: 'failed', reason: 'The record was deleted.' }
  if (record.deleted) await deleteAttached(tx, record.type, id, writer)
  else if (Object.entries(record.state).every(([member, value]) => stored[member] === value))
    return { id, result: 'unchanged' }
  else if (record.type === 'set_sources') await updateSetSource(tx, id, record.state, writer)
  else await updateObjectAttribute(tx, id, record.state, writer)
  return { id, result: 'updated' }
}

type Stored = Record<string, unknown> & { deleted: boolean }

const findStored = async (tx: Transaction, { type, id }: RestoredAttached): Promise<Stored | undefined> => {
  const [row] =
    type === 'set_sources'
      ? await tx.sql<Stored[]>`
          select set_id as "setId", source_url as "sourceUrl", title, notes, deleted_at is not null as deleted
          from set_sources where id = ${id}`
      : await tx.sql<Stored[]>`
          select attribute_id as "attributeId", attribute_value as value, object_type as "objectType",
            object_id as "objectId", deleted_at is not null as deleted
          from object_attributes where id = ${id}`
  return row
}

const insert = async (tx: Transaction, record: RestoredAttached, { now }: Writer): Promise<Restored> => {
  const { id, type, state, deleted } = record
  const fail = (reason: string): Restored => ({ id, result: 'failed', reason })
  const owner: Owner =
    type === 'set_sources' ? { kind: 'set', id: state.setId } : { kind: state.objectType, id: state.objectId }
  const [locked = 0] = await lockOwners(tx, [owner], type === 'object-attributes' ? [state.attributeId] : [])
  if (locked === 0 && !(await exists(tx, owner))) return fail(`There is no such ${owner.kind}.`)
  const audience = deleted ? 0 : locked
  const at = now.toISOString()
  const inserted =
    type === 'set_sources'
      ? await tx.sql`
          insert into set_sources (id, set_id, source_url, title, notes, audience, created_at, updated_at, deleted_at)
          values (${id}, ${state.setId}, ${state.sourceUrl}, ${state.title}, ${state.notes}, ${audience},
            ${at}::timestamptz, ${at}::timestamptz, ${deleted ? at : null}::timestamptz)`
      : await tx.sql`
          insert into object_attributes (id, attribute_id, attribute_value, object_type, object_id, audience,
            created_at, updated_at, deleted_at)
          select ${id}, a.id, ${state.value}, ${state.objectType}, ${state.objectId}, ${audience}::smallint,
            ${at}::timestamptz, ${at}::timestamptz, ${deleted ? at : null}::timestamptz
          from attributes a where a.id = ${state.attributeId} and (a.audience > 0 or ${audience}::smallint = 0)
          on conflict (object_id, attribute_id, object_type) where deleted_at is null do nothing`
  if (inserted.count === 0) return fail('There is no such attribute, or the object has a value of it already.')
  const after: Attached =
    type === 'set_sources'
      ? { id, audience, owner: state.setId }
      : { id, audience, owner: state.objectId, attributeId: state.attributeId, objectType: state.objectType }
  await countAttached(tx, type, undefined, after, now)
  return { id, result: 'created' }
}

const ownerTables = { card: 'cards', set: 'sets', player: 'players', team: 'teams' } as const

const exists = async (tx: Transaction, { kind, id }: Owner) => {
  const rows = await tx.sql`select 1 from ${tx.sql(ownerTables[kind])} where id = ${id}`
  return rows.length > 0
}
