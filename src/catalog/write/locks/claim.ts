import type { Transaction } from '../../../../db/client.ts'
import { applyTallies } from '../counts/tallies.ts'
import { beAlone, type Claims } from './order.ts'
import { lockRows } from './rows-locked.ts'
import { lockSets } from './sets-locked.ts'

/**
 * Takes all locks that a transaction will need, in the order of the house. `alone`: as what it needs could not be foreseen,
 * it waits until nobody else is in the tallies and keeps the others out, so that it finds nothing locked from there on.
 */
export const claim = async (tx: Transaction, { sets, images, tallies, rows }: Claims, alone: boolean) => {
  await lockSets(tx, [...sets])
  if (sets.size > 0)
    await tx.sql`
      select count(*) from (
        select 1 from workflows where set_id = any(${[...sets]}::uuid[]) order by set_id for no key update
      ) locked`
  if (images.size > 0)
    await tx.sql`
      select count(*) from (
        select 1 from card_images where id = any(${[...images]}::uuid[]) order by id for update
      ) locked`
  if (alone) {
    await tx.sql`lock table tallies in share row exclusive mode`
    beAlone(tx)
  }
  await applyTallies(tx, tallies)
  await lockRows(tx, [...rows])
}
