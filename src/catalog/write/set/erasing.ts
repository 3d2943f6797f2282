import type { Transaction } from '../../../../db/client.ts'

const name = 'sets.erasing'

/**
 * Keeps apart who erases a set and who writes rows before locking their set (foreseen.ts): each of the two would have what
 * the other one waits for. The first lock of both, before sets: one eraser, or any number of such writers.
 */
export const keepFromErasing = (tx: Transaction) => lock(tx, 'for key share')

/** Waits for those who write rows ahead, and lets no other begin. */
export const beginErasing = (tx: Transaction) => lock(tx, 'for update')

const lock = async (tx: Transaction, how: 'for key share' | 'for update') => {
  const find = () => tx.sql`select 1 from counters where name = ${name} ${tx.sql.unsafe(how)}`
  if ((await find()).length > 0) return
  await tx.sql`insert into counters (name, value) values (${name}, 0) on conflict (name) do nothing`
  await find()
}
