import { arrayOfTexts } from '../../../db/arrays.ts'
import type { Transaction } from '../../../db/client.ts'

/** Keeps the words of names that are written: what is misspelt in a search is looked for among them. */
export const keepWords = async (tx: Transaction, names: string[]) => {
  if (names.length === 0) return
  await tx.sql`
    insert into words select distinct w from unnest(${arrayOfTexts(names)}::text[]) n cross join lateral words_of(n) w
    order by w on conflict do nothing`
}
