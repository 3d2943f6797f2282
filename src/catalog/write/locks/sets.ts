import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import type { LockedSet } from '../record.ts'
import { askSets } from './order.ts'

/**
 * Locks sets against every other writer of their cards or status, in the order of `no`: the first locks of a transaction.
 * Sets that do not exist are not in the answer.
 */
export const lockSets = async (tx: Transaction, ids: string[]): Promise<Map<string, LockedSet>> => {
  if (ids.length === 0) return new Map()
  askSets(tx, ids)
  const rows = await tx.sql<LockedSet[]>`
    select id, no, audience, live_cards from sets
    where id = any(${ids}::uuid[]) order by no for no key update`
  return new Map(rows.map((row) => [row.id, row]))
}

/** Reads the same of sets as they are now, without a lock. */
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
 * Keeps those who erase a set apart from those who insert rows before they lock their set (card/optimistic.ts): each of the two
 * would hold what the other one waits for. Both lock it before any set: one eraser, or any number of such writers.
 */
export const keepFromErasing = (tx: Transaction) => lockErasing(tx, 'for key share')

/** Waits for optimistic inserts, and lets no other begin. */
export const beginErasing = (tx: Transaction) => lockErasing(tx, 'for update')

const lockErasing = async (tx: Transaction, how: 'for key share' | 'for update') => {
  const find = () => tx.sql`select 1 from counters where name = ${erasing} ${tx.sql.unsafe(how)}`
  if ((await find()).length > 0) return
  await tx.sql`insert into counters (name, value) values (${erasing}, 0) on conflict (name) do nothing`
  await find()
}
