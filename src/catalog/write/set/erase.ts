import type { Transaction } from '../../../../db/client.ts'
import { type Changes, note, writeChanges } from '../counts/changes.ts'
import { type LockedSet, lockSets } from '../locks/sets-locked.ts'
import { lostRace } from '../race.ts'
import { beginErasing } from './erasing.ts'

/**
 * Locks a set that shall be erased, and with it its children, deleted ones that is, and the sets whose cards refer to its cards: those have
 * an image of them as their own, or were made from them. It comes before the soft deletion, as sets are locked in one order.
 */
export const lockForErasing = async (tx: Transaction, id: string): Promise<Map<string, LockedSet>> => {
  await beginErasing(tx)
  const children = await tx.sql<{ id: string }[]>`select id from sets where parent_id = ${id}`
  const referrers = await referrersOf(tx, id)
  return lockSets(tx, [...new Set([id, ...children.map((set) => set.id), ...referrers.map((card) => card.set_id)])])
}

/**
 * Removes a soft-deleted set and its cards for good; answers the ids of the images whose files may go. What cards of other
 * sets refer to of it they lose, as a change of their own; a card that came to refer to it in the meantime begins it again.
 */
export const eraseSet = async (
  tx: Transaction,
  id: string,
  locked: Map<string, LockedSet>,
  now: Date,
): Promise<string[]> => {
  const images = await tx.sql<{ id: string }[]>`
    select i.id from card_images i join cards c on c.id = i.card_id where c.set_id = ${id}`
  await tx.sql`
    delete from object_attributes
    where (object_type = 'set' and object_id = ${id})
      or (object_type = 'card' and object_id in (select id from cards where set_id = ${id}))`
  await loosenReferrers(tx, id, locked, now)
  await tx.sql`update cards set image_uuid = null, parent_id = null where set_id = ${id}`
  await tx.sql`delete from cards where set_id = ${id}`
  await tx.sql`update sets set parent_id = null where parent_id = ${id}`
  await tx.sql`delete from sets where id = ${id}`
  return images.map((image) => image.id)
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

const loosenReferrers = async (tx: Transaction, id: string, locked: Map<string, LockedSet>, now: Date) => {
  const changes: Changes = new Map()
  const referrers = await referrersOf(tx, id)
  for (const card of referrers) {
    const set = locked.get(card.set_id)
    if (!set) throw lostRace('a card came to refer to a set that is erased')
    if (set.audience > 0 && !card.deleted) note(changes, 'cards', set.audience, set.audience, [card.id])
  }
  if (referrers.length === 0) return
  await tx.sql`
    update cards r set
      image_uuid = case when exists (
        select 1 from card_images i join cards c on c.id = i.card_id where i.id = r.image_uuid and c.set_id = ${id}
      ) then null else r.image_uuid end,
      parent_id = case when exists (
        select 1 from cards c where c.id = r.parent_id and c.set_id = ${id}
      ) then null else r.parent_id end,
      version = r.version + 1, updated_at = ${now.toISOString()}::timestamptz
    where r.id = any(${referrers.map((card) => card.id)}::uuid[])`
  await writeChanges(tx, changes, now)
}
