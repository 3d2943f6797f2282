import type { Queryable, Transaction } from '../../../db/client.ts'

/** The founding slots: null where the pool is lifted (decisions.md §10). */
export type Slots = { remaining: number | null; capacity: number | null }

/** How many founding slots there are, and are left: accounts that came by sign-up take one while trialing or active. */
export const readSlots = async (db: Queryable, capacity: number): Promise<Slots> =>
  capacity === Number.POSITIVE_INFINITY
    ? { remaining: null, capacity: null }
    : { remaining: Math.max(0, capacity - (await countTaken(db))), capacity }

/** Whether nobody else gets in now. It may change the next moment: `holdSlots` is for who gives one away. */
export const isPoolFull = async (db: Queryable, capacity: number) => (await readSlots(db, capacity)).remaining === 0

/** How many slots may be given away in this transaction; nobody else gives any away until it ends. */
export const holdSlots = async (tx: Transaction, capacity: number): Promise<number> => {
  if (capacity === Number.POSITIVE_INFINITY) return capacity
  await tx.sql`select name from settings where name = 'founding_slots' for update`
  return Math.max(0, capacity - (await countTaken(tx)))
}

const countTaken = async (db: Queryable) => {
  const [row] = await db.sql<{ taken: string }[]>`
    select count(*)::text as taken from subscriptions s join users u on u.id = s.user_id
    where s.status in ('trialing', 'active') and u.signed_up`
  return Number(row?.taken)
}
