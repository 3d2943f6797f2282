import type { PgTable } from 'drizzle-orm/pg-core'
import type { Transaction } from '../../../../db/client.ts'
import { bindRows, type ColumnName } from '../../../../db/rows.ts'
import { notFound } from '../../../jsonapi/errors.ts'
import { Audience } from '../../../lib/audience.ts'
import {
  type AttachedType,
  attachments,
  type ByDocument,
  columnsOf,
  type ObjectKind,
  ownerIn,
} from '../../model/attached.ts'
import { tableOf, tables } from '../../model/tables.ts'
import { type Attached, countAttached } from '../counts/attached.ts'
import { type Changes, note, writeChanges } from '../counts/changes.ts'
import { noteEdits } from '../history/audit.ts'
import { deletion } from '../history/fields.ts'
import { writeRevisions } from '../history/revisions.ts'
import { lostRace, type Tallies } from '../locks/order.ts'
import { applyTallies } from '../locks/tallies.ts'
import type { Columns, Owner, Writer } from '../record.ts'
import { pointerOf, refuseTaken, requireAttributes, taken, unlessTaken } from './faults.ts'
import { lockIdentifiers } from './identifiers.ts'
import { attributesOf, countedBy, lockOwners, ownerOf, requireVisibleOwner } from './owners.ts'

/** Attaches a record with its content in columns by name. 409 if another one has its place. */
export const createAttached = async (
  tx: Transaction,
  type: ByDocument,
  id: string,
  content: Columns,
  writer: Writer,
) => {
  const { level, now } = writer
  const owner = ownerOf(type, content)
  const [locked = 0] = await lockOwners(tx, [owner], attributesOf(content))
  const audience = requireVisibleOwner(owner, locked, pointerOf(type), level)
  await requireAttributes(tx, attributesOf(content))
  if (type === 'identifiers') await lockIdentifiers(tx, [content], writer)
  const isInserted = await insertAttached(tx, type, id, content, audience, now)
  if (!isInserted) throw taken(type, content)
  await commitAttached(tx, type, undefined, { id, audience, ...countedBy(type, content) }, now)
  noteEdits(tx, type, 'created', [id], writer)
}

/**
 * Inserts the row of an attached record, which may be a deleted one. Returns whether it did. An object attribute needs its
 * attribute, and every record a free place.
 */
export const insertAttached = async (
  tx: Transaction,
  type: ByDocument,
  id: string,
  content: Columns,
  audience: number,
  now: Date,
  isDeleted = false,
): Promise<boolean> => {
  const schema: PgTable = tables[type]
  const names = ['id', 'audience', ...columnsOf(type)] as ColumnName<typeof schema>[]
  const { from, values } = bindRows(schema, names, [{ ...attachments[type].defaults, ...content, id, audience }], 3)
  const where =
    type === 'object-attributes'
      ? 'where exists (select 1 from attributes a where a.id = n.attribute_id and (a.audience > 0 or n.audience = 0))'
      : ''
  const inserted = await tx.sql.unsafe(
    `insert into ${tableOf(type)} (${names.join(', ')}, created_at, updated_at, deleted_at)
     select ${names.join(', ')}, $1::timestamptz, $1::timestamptz, $2::timestamptz from ${from} ${where} ${unlessTaken(type)}`,
    [now.toISOString(), isDeleted ? now.toISOString() : null, ...values],
    { prepare: true },
  )
  return inserted.count > 0
}

/** Changes an attached record. If it moves to another object, set or attribute, it is counted there. */
export const updateAttached = async (
  tx: Transaction,
  type: ByDocument,
  id: string,
  change: Columns,
  writer: Writer,
) => {
  const schema: PgTable = tables[type]
  const names = columnsOf(type) as ColumnName<typeof schema>[]
  const row = await lockAttached(tx, type, id, writer, change)
  const before = await readContent(tx, type, id)
  const after: Columns = { ...before, ...change }
  if (names.every((name) => after[name] === before?.[name])) return
  const owner = ownerOf(type, after)
  const isMoved = owner.kind !== row.kind || owner.id !== row.owner
  const audience = isMoved ? requireVisibleOwner(owner, row.nextAudience, pointerOf(type), writer.level) : row.audience
  if (type === 'object-attributes' && after.attribute_id !== row.attributeId)
    await requireAttributes(tx, attributesOf(after))
  if (type === 'identifiers') await lockIdentifiers(tx, [after], writer)
  await refuseTaken(tx, type, id, after)
  const { from, values } = bindRows(schema, names, [after], 4)
  await tx.sql.unsafe(
    `update ${tableOf(type)} t set ${names.map((name) => `${name} = n.${name}`).join(', ')}, audience = $3::smallint,
       version = version + 1, updated_at = $2::timestamptz
     from ${from} where t.id = $1::uuid`,
    [id, writer.now.toISOString(), audience, ...values],
    { prepare: true },
  )
  await commitAttached(tx, type, row, { id, audience, ...countedBy(type, after) }, writer.now)
  const fields = (content: Columns = {}) => Object.fromEntries(names.map((name) => [name, content[name] ?? null]))
  await writeRevisions(tx, type, [{ id, before: fields(before), after: fields(after) }], writer)
}

/** An attached record's stored content, and whether it is deleted. */
export const readContent = async (
  tx: Transaction,
  type: ByDocument,
  id: string,
): Promise<(Columns & { deleted_at: string | null }) | undefined> => {
  const [row] = await tx.sql.unsafe<(Columns & { deleted_at: string | null })[]>(
    `select ${columnsOf(type).join(', ')}, deleted_at from ${tableOf(type)} where id = $1`,
    [id],
    { prepare: true },
  )
  return row
}

/** Soft-deletes an attached record. */
export const deleteAttached = async (tx: Transaction, type: AttachedType, id: string, writer: Writer) => {
  const row = await lockAttached(tx, type, id, writer)
  await tx.sql`
    update ${tx.sql(tableOf(type))}
    set audience = 0, deleted_at = ${writer.now.toISOString()}::timestamptz,
      updated_at = ${writer.now.toISOString()}::timestamptz, version = version + 1
    where id = ${id}`
  await commitAttached(tx, type, row, undefined, writer.now)
  await writeRevisions(tx, type, [{ id, ...deletion }], writer)
}

type Found = Attached & { kind: ObjectKind; revision: string }

/**
 * Locks an attached record through its owner, together with the owner and attribute that a change gives it. Returns it with the
 * audience of its new owner. 404 if the writer can't see the record. The writer may expect a revision of it.
 */
export const lockAttached = async (
  tx: Transaction,
  type: AttachedType,
  id: string,
  { level, expects }: Writer,
  change: Columns = {},
) => {
  const find = async () => {
    const [row] = await tx.sql.unsafe<Found[]>(
      `select id, audience, version || '.' || (extract(epoch from created_at) * 1000)::bigint as revision, ${ownerIn(type)}
       from ${tableOf(type)} where id = $1 and deleted_at is null`,
      [id],
      { prepare: true },
    )
    return row
  }
  const first = await find()
  if (!first) throw notFound()
  const now: Owner = { kind: first.kind, id: first.owner }
  const next: Owner = {
    kind: (change.object_type ? ownerOf(type as ByDocument, change).kind : undefined) ?? now.kind,
    id: change.object_id ?? change.set_id ?? now.id,
  }
  const [, nextAudience = 0] = await lockOwners(tx, [now, next], attributesOf(change))
  const row = await find()
  if (!row || row.audience === Audience.deleted || row.audience < level) throw notFound()
  if (row.owner !== first.owner || row.kind !== first.kind) throw lostRace('something attached was moved')
  expects?.(row.revision)
  return { ...row, nextAudience }
}

/** Counts and notes a change of an attached record. It is undefined before its creation and after its deletion. */
export const commitAttached = async (
  tx: Transaction,
  type: AttachedType,
  before: Attached | undefined,
  after: Attached | undefined,
  now: Date,
) => {
  const changes: Changes = new Map()
  const tallies: Tallies = new Map()
  const [was, is] = [before?.audience ?? Audience.deleted, after?.audience ?? Audience.deleted]
  if (before) countAttached(tallies, type, before, was, Audience.deleted)
  if (after) countAttached(tallies, type, after, Audience.deleted, is)
  note(changes, type, was, is, [(after ?? before)?.id as string])
  await applyTallies(tx, tallies)
  await writeChanges(tx, changes, now)
}
