import { count, eq, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../../db/client.ts'
import { settings, subscriptions, users, waitingList } from '../../../db/schema/index.ts'
import { isAddress, keyOf } from '../address.ts'

/** The founding slots. Both are null if their number is unlimited (decisions.md §10). */
type Slots = { remaining: number | null; capacity: number | null }

/** How many founding slots there are, and how many are left. An account that signed up takes one while it is trialing or active. */
export const readSlots = async (db: Queryable, capacity: number): Promise<Slots> =>
  capacity === Number.POSITIVE_INFINITY
    ? { remaining: null, capacity: null }
    : { remaining: Math.max(0, capacity - (await countTaken(db))), capacity }

/** Whether the pool is full right now. This may already be out of date, so call `holdSlots` before giving a slot away. */
export const isPoolFull = async (db: Queryable, capacity: number) => (await readSlots(db, capacity)).remaining === 0

/** How many slots this transaction may give away. No other transaction gives any away until it ends. */
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

/** An entry of the waiting list: an address, and the verified account that it belongs to, if there is one. */
type Waiting = { email: string; userId?: string }

/**
 * Puts somebody on the waiting list. An address that is already on it keeps its place, even if it was offered a slot and came
 * too late.
 */
export const addToWaitingList = async (db: Queryable, { email, userId }: Waiting, now: Date) => {
  await db.sql`
    insert into waiting_list (id, email, email_key, user_id, listed_at)
    values (${Bun.randomUUIDv7()}, ${email}, ${keyOf(email)}, ${userId ?? null}, ${now.toISOString()})
    on conflict (email_key collate "C") do update set offered_at = null,
      user_id = coalesce(excluded.user_id, waiting_list.user_id)`
}

/** Takes an address off the list once it has a slot. */
export const leaveWaitingList = async (db: Queryable, email: string) => {
  await db.orm.delete(waitingList).where(isAddress(waitingList.email_key, email))
}
