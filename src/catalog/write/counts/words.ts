import { arrayOfTexts } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { lateOf } from '../locks/order.ts'

/** Keeps the words of names that are written, at the end of the transaction: what is misspelt in a search is looked for among them. */
export const keepWords = (tx: Transaction, names: string[]) => void lateOf(tx)?.words.push(...names)

/** Stores the words of names. */
export const writeWords = async (tx: Transaction, names: string[]) => {
  if (names.length === 0) return
  await tx.sql`
    insert into words select distinct w from unnest(${arrayOfTexts(names)}::text[]) n cross join lateral words_of(n) w
    order by w on conflict do nothing`
}
