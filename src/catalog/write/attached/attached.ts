import type { Transaction } from '../../../../db/client.ts'
import { conflict, notFound, validationFailed } from '../../../jsonapi/errors.ts'
import type { Writer } from '../card/cards.ts'
import { lostRace } from '../race.ts'
import { type Attached, type AttachedType, countAttached } from './counts.ts'
import { lockOwners, type ObjectKind, type Owner, requireVisibleOwner } from './owners.ts'

export const attachedTables: Record<AttachedType, string> = {
  'object-attributes': 'object_attributes',
  card_images: 'card_images',
  set_sources: 'set_sources',
}

/** What an attached row hangs on, as columns: `kind`, `owner` and, of object attributes, what they are counted by. */
export const readOwner: Record<AttachedType, string> = {
  'object-attributes': `object_type as kind, object_id as owner, attribute_id as "attributeId", object_type as "objectType"`,
  card_images: `'card' as kind, card_id as owner`,
  set_sources: `'set' as kind, set_id as owner`,
}

type Found = Attached & { kind: ObjectKind; revision: string }

const ownerOf = ({ kind, owner }: Found): Owner => ({ kind, id: owner })

/**
 * Locks an attached row through its owner, together with the owner and attribute that it shall have, and answers it with
 * the audience of that owner; 404 where the writer cannot see the row, and what the writer expects of it.
 */
export const lockAttached = async (
  tx: Transaction,
  type: AttachedType,
  id: string,
  { level, expects }: Writer,
  next: (row: Found) => { owner: Owner; attributeIds?: string[] } = (row) => ({ owner: ownerOf(row) }),
) => {
  const find = async () => {
    const [row] = await tx.sql.unsafe<Found[]>(
      `select id, audience, version || '.' || (extract(epoch from created_at) * 1000)::bigint as revision, ${readOwner[type]} from ${attachedTables[type]} where id = $1 and deleted_at is null`,
      [id],
      { prepare: true },
    )
    return row
  }
  const first = await find()
  if (!first) throw notFound()
  const { owner, attributeIds } = next(first)
  const [, nextAudience = 0] = await lockOwners(tx, [ownerOf(first), owner], attributeIds)
  const row = await find()
  if (!row || row.audience === 0 || row.audience < level) throw notFound()
  if (row.owner !== first.owner || row.kind !== first.kind) throw lostRace('something attached was moved')
  expects?.(row.revision)
  return { ...row, nextAudience }
}

/** Soft-deletes an attached row. */
export const deleteAttached = async (tx: Transaction, type: AttachedType, id: string, writer: Writer) => {
  const row = await lockAttached(tx, type, id, writer)
  await tx.sql`
    update ${tx.sql(attachedTables[type])}
    set audience = 0, deleted_at = ${writer.now.toISOString()}::timestamptz,
      updated_at = ${writer.now.toISOString()}::timestamptz, version = version + 1
    where id = ${id}`
  await countAttached(tx, type, row, undefined, writer.now)
}

export type ObjectAttribute = { attributeId: string; value: string; objectType: ObjectKind; objectId: string }

/** Attaches a value of an attribute to an object; a second value of the same attribute on it → 409. */
export const createObjectAttribute = async (tx: Transaction, id: string, state: ObjectAttribute, writer: Writer) => {
  const owner = { kind: state.objectType, id: state.objectId }
  const [locked = 0] = await lockOwners(tx, [owner], [state.attributeId])
  const audience = requireVisibleOwner(owner, locked, '/data/attributes/object_id', writer.level)
  await requireAttribute(tx, state.attributeId)
  const now = writer.now.toISOString()
  const inserted = await tx.sql`
    insert into object_attributes (id, attribute_id, attribute_value, object_type, object_id, audience, created_at, updated_at)
    values (${id}, ${state.attributeId}, ${state.value}, ${state.objectType}, ${state.objectId}, ${audience},
      ${now}::timestamptz, ${now}::timestamptz)
    on conflict (object_id, attribute_id, object_type) where deleted_at is null do nothing`
  if (inserted.count === 0) throw conflict('The object has a value of this attribute already.')
  const row = { id, audience, owner: state.objectId, attributeId: state.attributeId, objectType: state.objectType }
  await countAttached(tx, 'object-attributes', undefined, row, writer.now)
}

/** Changes an object attribute; moving it to another object or attribute counts it there. */
export const updateObjectAttribute = async (
  tx: Transaction,
  id: string,
  change: Partial<ObjectAttribute>,
  writer: Writer,
) => {
  const row = await lockAttached(tx, 'object-attributes', id, writer, ({ kind, owner }) => ({
    owner: { kind: change.objectType ?? kind, id: change.objectId ?? owner },
    attributeIds: change.attributeId ? [change.attributeId] : [],
  }))
  const [stored] = await tx.sql<{ value: string }[]>`
    select attribute_value as value from object_attributes where id = ${id}`
  const before = {
    attributeId: row.attributeId as string,
    value: stored?.value ?? '',
    objectType: row.kind,
    objectId: row.owner,
  }
  const after = { ...before, ...change }
  if (Object.entries(after).every(([member, value]) => before[member as 'value'] === value)) return
  const owner = { kind: after.objectType, id: after.objectId }
  const moved = after.objectType !== before.objectType || after.objectId !== before.objectId
  const audience = moved
    ? requireVisibleOwner(owner, row.nextAudience, '/data/attributes/object_id', writer.level)
    : row.audience
  if (after.attributeId !== before.attributeId) await requireAttribute(tx, after.attributeId)
  const [taken] = await tx.sql`
    select 1 from object_attributes
    where object_id = ${after.objectId} and attribute_id = ${after.attributeId} and object_type = ${after.objectType}
      and deleted_at is null and id <> ${id}`
  if (taken) throw conflict('The object has a value of this attribute already.')
  await tx.sql`
    update object_attributes set attribute_id = ${after.attributeId}, attribute_value = ${after.value},
      object_type = ${after.objectType}, object_id = ${after.objectId}, audience = ${audience},
      version = version + 1, updated_at = ${writer.now.toISOString()}::timestamptz
    where id = ${id}`
  const next = { id, audience, owner: after.objectId, attributeId: after.attributeId, objectType: after.objectType }
  await countAttached(tx, 'object-attributes', row, next, writer.now)
}

const requireAttribute = async (tx: Transaction, id: string) => {
  const [row] = await tx.sql`select 1 from attributes where id = ${id} and deleted_at is null`
  if (row) return
  throw validationFailed([{ pointer: '/data/attributes/attribute_id', detail: 'There is no such attribute.' }])
}

export type SetSource = { setId: string; sourceUrl: string; title: string | null; notes: string | null }

/** Attaches a source to a set. */
export const createSetSource = async (tx: Transaction, id: string, state: SetSource, writer: Writer) => {
  const owner = { kind: 'set', id: state.setId } as const
  const [locked = 0] = await lockOwners(tx, [owner])
  const audience = requireVisibleOwner(owner, locked, '/data/attributes/set_id', writer.level)
  const now = writer.now.toISOString()
  await tx.sql`
    insert into set_sources (id, set_id, source_url, title, notes, audience, created_at, updated_at)
    values (${id}, ${state.setId}, ${state.sourceUrl}, ${state.title}, ${state.notes}, ${audience},
      ${now}::timestamptz, ${now}::timestamptz)`
  const row = { id, audience, owner: state.setId }
  await countAttached(tx, 'set_sources', undefined, row, writer.now)
}

/** Changes a set source; moving it to another set counts it there. */
export const updateSetSource = async (tx: Transaction, id: string, change: Partial<SetSource>, writer: Writer) => {
  const row = await lockAttached(tx, 'set_sources', id, writer, ({ owner }) => ({
    owner: { kind: 'set', id: change.setId ?? owner },
  }))
  const [before] = await tx.sql<SetSource[]>`
    select set_id as "setId", source_url as "sourceUrl", title, notes from set_sources where id = ${id}`
  const after = { ...(before as SetSource), ...change }
  if (Object.entries(after).every(([member, value]) => before?.[member as 'title'] === value)) return
  const moved = after.setId !== row.owner
  const owner = { kind: 'set' as const, id: after.setId }
  const audience = moved
    ? requireVisibleOwner(owner, row.nextAudience, '/data/attributes/set_id', writer.level)
    : row.audience
  await tx.sql`
    update set_sources set set_id = ${after.setId}, source_url = ${after.sourceUrl}, title = ${after.title},
      notes = ${after.notes}, audience = ${audience}, version = version + 1,
      updated_at = ${writer.now.toISOString()}::timestamptz
    where id = ${id}`
  await countAttached(tx, 'set_sources', row, { id, audience, owner: after.setId }, writer.now)
}
