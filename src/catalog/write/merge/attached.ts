import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { Audience } from '../../../lib/audience.ts'
import { type AttachedType, attachableTo, attachments, ownerIn } from '../../model/attached.ts'
import { tableOf } from '../../model/tables.ts'
import { keepImageIds } from '../attached/card-images.ts'
import { type Attached, countAttached } from '../counts/attached.ts'
import { type Changes, note, writeChanges } from '../counts/changes.ts'
import { writeRevisions } from '../history/revisions.ts'
import type { Tallies } from '../locks/order.ts'
import { applyTallies } from '../locks/tallies.ts'
import type { Writer } from '../record.ts'

/** An attached record as stored. */
type StoredAttached = Attached & { deleted: boolean }

/** An attached record that moves to another record or attribute, is deleted or restored. `audience` is its new owner's. */
type AttachedChange = {
  row: StoredAttached
  after: { owner: string; attributeId?: string; deleted: boolean }
  audience: number
}

/** What is attached to records, without deleted ones. */
const readAttachedTo = (tx: Transaction, type: AttachedType, says: string | undefined, owners: string[]) =>
  readAttached(
    tx,
    type,
    `${attachments[type].owner} = any($1::text::uuid[]) and deleted_at is null${says ? ` and object_type = '${says}'` : ''}`,
    owners,
  )

/** The values of attributes, without deleted ones. */
const readValuesOf = (tx: Transaction, attributeIds: string[]) =>
  readAttached(tx, 'object-attributes', 'attribute_id = any($1::text::uuid[]) and deleted_at is null', attributeIds)

/** Attached records by their own ids, including deleted ones. */
export const readAttachedById = (tx: Transaction, type: AttachedType, ids: string[]) =>
  readAttached(tx, type, 'id = any($1::text::uuid[])', ids)

const readAttached = (tx: Transaction, type: AttachedType, where: string, ids: string[]) =>
  tx.sql.unsafe<StoredAttached[]>(
    `select id, audience, deleted_at is not null as deleted, ${ownerIn(type)}
     from ${tableOf(type)} where ${where} order by created_at, id`,
    [arrayOf(ids)],
    { prepare: true },
  )

/**
 * Moves everything that is attached to records to others of the same type: `targets` by id, each with its audience in
 * `audiences`. If a target would have several values of one attribute, the oldest stays.
 */
export const moveAttached = async (
  tx: Transaction,
  type: string,
  { targets, audiences }: { targets: ReadonlyMap<string, string>; audiences: ReadonlyMap<string, number> },
  writer: Writer,
) => {
  const owners = [...new Set([...targets.keys(), ...targets.values()])]
  for (const [attached, says] of attachableTo(type)) {
    const rows = await readAttachedTo(tx, attached, says, owners)
    const changes = rows.map((row): AttachedChange => {
      const owner = targets.get(row.owner) ?? row.owner
      return { row, after: { ...row, owner, deleted: false }, audience: audiences.get(owner) ?? row.audience }
    })
    await changeAttached(tx, attached, attached === 'object-attributes' ? keepOldest(changes) : changes, writer)
  }
}

/** Moves the values of several attributes to one of them. */
export const moveValues = async (tx: Transaction, from: string[], into: string, writer: Writer) => {
  const rows = await readValuesOf(tx, [...from, into])
  const changes = rows.map((row) => ({
    ...{ row, audience: row.audience },
    after: { owner: row.owner, attributeId: into, deleted: false },
  }))
  await changeAttached(tx, 'object-attributes', keepOldest(changes), writer)
}

/** If several values want the same place, the oldest, which comes first, gets it. The others are deleted where they are. */
const keepOldest = (changes: AttachedChange[]): AttachedChange[] => {
  const taken = new Set<string>()
  return changes.map((change) => {
    const place = `${change.row.kind} ${change.after.owner} ${change.after.attributeId}`
    if (taken.has(place)) return { ...change, after: { ...change.row, deleted: true } }
    taken.add(place)
    return change
  })
}

/**
 * Writes these changes, with counts and history. Records that stay the same are left out. Those that leave a place come before
 * those that take one.
 */
export const changeAttached = async (tx: Transaction, type: AttachedType, all: AttachedChange[], writer: Writer) => {
  const changes = all.filter(
    ({ row, after }) =>
      row.deleted !== after.deleted || row.owner !== after.owner || row.attributeId !== after.attributeId,
  )
  if (changes.length === 0) return
  for (const isNext of [isDeleted, isMoved, isRestored]) await write(tx, type, changes.filter(isNext), writer.now)
  const [tallies, noted]: [Tallies, Changes] = [new Map(), new Map()]
  for (const change of changes) {
    const { row, after } = change
    countAttached(tallies, type, row, row.audience, Audience.deleted)
    countAttached(tallies, type, { ...row, ...after }, Audience.deleted, audienceOf(change))
    note(noted, type, row.audience, audienceOf(change), [row.id])
  }
  if (type === 'card_images') {
    const cards = changes.flatMap(({ row, after }) => [row.owner, after.owner])
    await keepImageIds(tx, [...new Set(cards)], noted, { now: writer.now })
  }
  await applyTallies(tx, tallies)
  await writeChanges(tx, noted, writer.now)
  const fields = ({ owner, attributeId, deleted }: AttachedChange['after']) => ({
    ...{ [attachments[type].owner]: owner, deleted },
    ...(type === 'object-attributes' ? { attribute_id: attributeId } : {}),
  })
  const changed = changes.map(({ row, after }) => ({ id: row.id, before: fields(row), after: fields(after) }))
  await writeRevisions(tx, type, changed, writer)
}

const isDeleted = ({ after }: AttachedChange) => after.deleted
const isMoved = ({ row, after }: AttachedChange) => !after.deleted && !row.deleted
const isRestored = ({ row, after }: AttachedChange) => !after.deleted && row.deleted

const audienceOf = ({ after, audience }: AttachedChange) => (after.deleted ? Audience.deleted : audience)

const write = async (tx: Transaction, type: AttachedType, changes: AttachedChange[], now: Date) => {
  if (changes.length === 0) return
  const attribute = type === 'object-attributes' ? 'attribute_id = n.attribute_id,' : ''
  await tx.sql.unsafe(
    `update ${tableOf(type)} t set ${attachments[type].owner} = n.owner, ${attribute} audience = n.audience,
       deleted_at = case when n.deleted then coalesce(t.deleted_at, $1::timestamptz) end, version = t.version + 1,
       updated_at = $1::timestamptz
     from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::smallint[], $6::boolean[])
       as n (id, owner, attribute_id, audience, deleted)
     where t.id = n.id`,
    [
      now.toISOString(),
      arrayOf(changes.map(({ row }) => row.id)),
      arrayOf(changes.map(({ after }) => after.owner)),
      arrayOf(changes.map(({ after }) => after.attributeId ?? null)),
      arrayOf(changes.map(audienceOf)),
      arrayOf(changes.map(({ after }) => after.deleted)),
    ],
    { prepare: true },
  )
}
