import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import type { LockedSet } from '../record.ts'
import { askSets } from './order.ts'

/**
 * Locks sets against every other writer of their cards or status, in the order of `no`. These are a transaction's first locks.
 * Sets that don't exist are missing from the result.
 */
export const lockSets = async (tx: Transaction, ids: string[]): Promise<Map<string, LockedSet>> => {
  if (ids.length === 0) return new Map()
  askSets(tx, ids)
  const rows = await tx.sql<LockedSet[]>`
    select id, no, audience, live_cards from sets
    where id = any(${ids}::uuid[]) order by no for no key update`
  return new Map(rows.map((row) => [row.id, row]))
}

/** Reads the same about sets as they are now, without locking them. */
export const readSets = async (db: Pick<Transaction, 'sql'>, ids: string[]): Promise<Map<string, LockedSet>> => {
  const rows = await db.sql<LockedSet[]>`
    select id, no, audience, live_cards from sets where id = any(${arrayOf(ids)}::uuid[])`
  return new Map(rows.map((row) => [row.id, row]))
}

/** The sets that cards are in. */
export const setsOfCards = async (tx: Transaction, ids: string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const rows = await tx.sql<{ id: string }[]>`
    select distinct set_id as id from cards where id = any(${arrayOf(ids)}::text::uuid[])`
  return rows.map(({ id }) => id)
}

const erasing = 'sets.erasing'

/**
 * Separates those that erase a set from those that insert rows before locking their set (card/optimistic.ts), because each
 * could hold what the other waits for. Both take this lock before any set: one eraser, or any number of inserters.
 */
export const keepFromErasing = (tx: Transaction) => lockErasing(tx, 'for key share')

/** Waits for optimistic inserts to end, and lets no new ones begin. */
export const beginErasing = (tx: Transaction) => lockErasing(tx, 'for update')

const lockErasing = async (tx: Transaction, how: 'for key share' | 'for update') => {
  const find = () => tx.sql`select 1 from counters where name = ${erasing} ${tx.sql.unsafe(how)}`
  if ((await find()).length > 0) return
  await tx.sql`insert into counters (name, value) values (${erasing}, 0) on conflict (name) do nothing`
  await find()
}
