/*
 * The write floor. Cards, sets and entities are written only through this folder, in a transaction that `enter`
 * starts. It keeps counts, names, visibility and the change feed correct in that same transaction.
 *
 * Its folders are floors, top to bottom: this file and documents.ts (POST, PATCH and DELETE of each type); merge/ (what
 * merging moves); entity/ and attached/; card/ and set/ (documents.ts: what a document does to a record; write.ts: the
 * steps); counts/ (what changes elsewhere) and history/ (revisions, and the fields that count as curated afterwards);
 * locks/; record.ts (the types of all of it).
 *
 * A plan names a record, and has a function from its stored state to the new one, which is called once the record is
 * locked. A record crosses when its readers change. Whatever it refers to, and whatever is attached to it, is then
 * counted, shown or hidden with it.
 *
 * `card/write.ts`, `set/write.ts` and `entity/write.ts` have the same steps: lock, read, check each plan
 * (`faults.ts`), count, lay out the rows, write them, and finish with visibility and the feed.
 * `model/record-columns.ts` says which columns a writer decides: statements, comparisons, documents, exports and
 * mirrors iterate over the table’s columns.
 */

import type { Database, Transaction } from '../../../db/client.ts'
import { hasCode } from '../../../db/faults.ts'
import { settle } from './counts/settle.ts'
import { takeClaims } from './locks/claims.ts'
import { addClaims, beginOrder, type Claims, lostRace, noClaims, OutOfOrder } from './locks/order.ts'

/** After learning this many times that it needs other locks, a transaction keeps everybody else out of the tallies. */
const lessonsAtMost = 2
const triesAtMost = 8

/**
 * The transaction for everything that writes the catalog. It waits for locks in the fixed order (locks/order.ts). A lock
 * out of that order rolls everything back, and the transaction starts over and takes the lock at its place. A single write
 * keeps the order anyway. A request with several declares with `claim` what they will touch (locks/claims.ts).
 */
export const enter = async <T>(
  db: Database,
  work: (tx: Transaction) => Promise<T>,
  claim: (tx: Transaction) => Promise<Claims> = async () => noClaims(),
): Promise<T> => {
  const learned = noClaims()
  let lessons = 0
  for (let attempt = 1; ; attempt++)
    try {
      return await db.transaction(async (tx) => {
        beginOrder(tx)
        const claims = await claim(tx)
        addClaims(claims, learned)
        await takeClaims(tx, claims, lessons >= lessonsAtMost)
        const result = await work(tx)
        await settle(tx)
        return result
      })
    } catch (error) {
      const isOvertaken = error instanceof OutOfOrder || hasCode(error, '40001', '40P01')
      if (!isOvertaken) throw error
      if (attempt === triesAtMost) throw error instanceof OutOfOrder ? lostRace(error.message) : error
      if (!(error instanceof OutOfOrder)) continue
      addClaims(learned, error.claims)
      lessons++
    }
}

/** Writes the catalog in the caller's transaction, where nobody else writes it: in a mirror. */
export const enterAlone = async <T>(tx: Transaction, work: () => Promise<T>): Promise<T> => {
  beginOrder(tx, 'all')
  const result = await work()
  await settle(tx)
  return result
}
