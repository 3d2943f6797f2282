import { count, eq, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../../db/client.ts'
import { settings, subscriptions, users, waitingList } from '../../../db/schema/index.ts'
import { isAddress, keyOf } from '../address.ts'

/** The founding slots: null where the pool is lifted (decisions.md §10). */
type Slots = { remaining: number | null; capacity: number | null }

/** How many founding slots there are and are left. An account that came by sign-up takes one while trialing or active. */
export const readSlots = async (db: Queryable, capacity: number): Promise<Slots> =>
  capacity === Number.POSITIVE_INFINITY
    ? { remaining: null, capacity: null }
    : { remaining: Math.max(0, capacity - (await countTaken(db))), capacity }

/** Whether nobody else gets in now. That may change the next moment; whoever gives a slot away asks `holdSlots`. */
export const isPoolFull = async (db: Queryable, capacity: number) => (await readSlots(db, capacity)).remaining === 0

/** How many slots this transaction may give away; nobody else gives any away until it ends. */
export const holdSlots = async (tx: Transaction, capacity: number): Promise<number> => {
  if (capacity === Number.POSITIVE_INFINITY) return capacity
  const { name } = settings
  await tx.orm.select({ name }).from(settings).where(eq(name, 'founding_slots')).for('update')
  return Math.max(0, capacity - (await countTaken(tx)))
}

const countTaken = async (db: Queryable) => {
  const { user_id, status } = subscriptions
  const [row] = await db.orm
    .select({ taken: count() })
    .from(subscriptions)
    .innerJoin(users, eq(users.id, user_id))
    .where(sql`${status} in ('trialing', 'active') and ${users.signed_up}`)
  return row?.taken ?? 0
}

/** Somebody who waits: an address, and the verified account that it belongs to, if there is one. */
type Waiting = { email: string; userId?: string }

/**
 * Puts somebody on the waiting list. Whoever is there already keeps the place; an address that was offered a slot and came too
 * late waits again where it did.
 */
export const addToWaitingList = async (db: Queryable, { email, userId }: Waiting, now: Date) => {
  await db.sql`
    insert into waiting_list (id, email, email_key, user_id, listed_at)
    values (${Bun.randomUUIDv7()}, ${email}, ${keyOf(email)}, ${userId ?? null}, ${now.toISOString()})
    on conflict (email_key collate "C") do update set offered_at = null,
      user_id = coalesce(excluded.user_id, waiting_list.user_id)`
}

/** Takes an address off the list, since it got what it waited for. */
export const leaveWaitingList = async (db: Queryable, email: string) => {
  await db.orm.delete(waitingList).where(isAddress(waitingList.email_key, email))
}
