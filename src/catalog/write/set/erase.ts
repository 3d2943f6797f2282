import type { Transaction } from '../../../../db/client.ts'
import { Audience } from '../../../lib/audience.ts'
import { attachableTo, attachments } from '../../model/attached.ts'
import { tableOf } from '../../model/tables.ts'
import { type Changes, note, writeChanges } from '../counts/changes.ts'
import type { Fields } from '../history/fields.ts'
import { writeRevisions } from '../history/revisions.ts'
import { lostRace } from '../locks/order.ts'
import { beginErasing, lockSets } from '../locks/sets.ts'
import type { LockedSet, Writer } from '../record.ts'

/**
 * Locks a set that is going to be erased, its children, which are deleted, and sets with cards that were made from its cards or
 * use their images. This comes before the soft deletion, because sets are locked in one order.
 */
export const lockForErasing = async (tx: Transaction, id: string): Promise<Map<string, LockedSet>> => {
  await beginErasing(tx)
  const children = await tx.sql<{ id: string }[]>`select id from sets where parent_id = ${id}`
  const referrers = await referrersOf(tx, id)
  return lockSets(tx, [...new Set([id, ...children.map((set) => set.id), ...referrers.map((card) => card.set_id)])])
}

/**
 * Removes a soft-deleted set and its cards permanently, and the files of its images once that has committed. Their history
 * stays. Cards of other sets lose their references to it, which is a change to them. If a card starts to refer to it in the
 * meantime, the race is lost.
 */
export const eraseSet = async (tx: Transaction, id: string, locked: Map<string, LockedSet>, writer: Writer) => {
  const images = await tx.sql<{ id: string }[]>`
    select i.id from card_images i join cards c on c.id = i.card_id where c.set_id = ${id}`
  await eraseAttached(tx, id)
  await tx.sql`
    delete from curated_fields
    where object_id = ${id} or object_id in (select id from cards where set_id = ${id})`
  await loosenReferrers(tx, id, locked, writer)
  await tx.sql`update cards set image_uuid = null, parent_id = null where set_id = ${id}`
  await tx.sql`delete from cards where set_id = ${id}`
  await loosenChildren(tx, id, writer)
  await tx.sql`delete from sets where id = ${id}`
  const imageIds = images.map((image) => image.id)
  await noteLooseImages(tx, imageIds, writer.now)
}

/** Erases what is attached to the set and its cards. It would outlive them, because its owner isn't a foreign key. */
const eraseAttached = async (tx: Transaction, id: string) => {
  const owners = { sets: tx.sql`${id}`, cards: tx.sql`select id from cards where set_id = ${id}` }
  for (const [type, ids] of Object.entries(owners))
    for (const [attached, says] of attachableTo(type))
      if (says)
        await tx.sql`
          delete from ${tx.sql(tableOf(attached))}
          where object_type = ${says} and ${tx.sql(attachments[attached].owner)} in (${ids})`
}

/** Notes in the erasing transaction that the files of these images are to be removed once it has committed. */
export const noteLooseImages = async (tx: Transaction, imageIds: string[], now: Date) => {
  await tx.sql`
    insert into loose_images (id, loose_from) select id, ${now.toISOString()}::timestamptz from unnest(${imageIds}::uuid[]) as e (id)
    on conflict (id) do nothing`
}

const referrersOf = (tx: Transaction, setId: string) => tx.sql<{ id: string; set_id: string; deleted: boolean }[]>`
  select r.id, r.set_id, r.deleted_at is not null as deleted
  from cards c join card_images i on i.card_id = c.id join cards r on r.image_uuid = i.id
  where c.set_id = ${setId} and r.set_id <> ${setId}
  union
  select r.id, r.set_id, r.deleted_at is not null
  from cards c join cards r on r.parent_id = c.id
  where c.set_id = ${setId} and r.set_id <> ${setId}
  order by id`

/** Removes the set as the parent of its children, which are deleted. */
const loosenChildren = async (tx: Transaction, id: string, writer: Writer) => {
  const loosened = await tx.sql<{ id: string }[]>`update sets set parent_id = null where parent_id = ${id} returning id`
  const changed = loosened.map((set) => ({ id: set.id, before: { parent_id: id }, after: { parent_id: null } }))
  await writeRevisions(tx, 'sets', changed, writer)
}

const loosenReferrers = async (tx: Transaction, id: string, locked: Map<string, LockedSet>, writer: Writer) => {
  const changes: Changes = new Map()
  const referrers = await referrersOf(tx, id)
  for (const card of referrers) {
    const set = locked.get(card.set_id)
    if (!set) throw lostRace('a card came to refer to a set that is erased')
    if (set.audience > Audience.deleted && !card.deleted) note(changes, 'cards', set.audience, set.audience, [card.id])
  }
  if (referrers.length === 0) return
  const ids = referrers.map((card) => card.id)
  const before = await readReferences(tx, ids)
  await tx.sql`
    update cards r set
      image_uuid = case when exists (
        select 1 from card_images i join cards c on c.id = i.card_id where i.id = r.image_uuid and c.set_id = ${id}
      ) then null else r.image_uuid end,
      parent_id = case when exists (
        select 1 from cards c where c.id = r.parent_id and c.set_id = ${id}
      ) then null else r.parent_id end,
      version = r.version + 1, updated_at = ${writer.now.toISOString()}::timestamptz
    where r.id = any(${ids}::uuid[])`
  await writeChanges(tx, changes, writer.now)
  const after = new Map((await readReferences(tx, ids)).map((card) => [card.id, card.fields]))
  const changed = before.map((card) => ({ id: card.id, before: card.fields, after: after.get(card.id) ?? {} }))
  await writeRevisions(tx, 'cards', changed, writer)
}

const readReferences = (tx: Transaction, ids: string[]) => tx.sql<{ id: string; fields: Fields }[]>`
  select id, jsonb_build_object('image_uuid', image_uuid, 'parent_id', parent_id) as fields
  from cards where id = any(${ids}::uuid[])`
