import type { Database, Transaction } from '../../../db/client.ts'
import { hasCode } from '../../../db/faults.ts'
import { settle } from './counts/settle.ts'
import { takeClaims } from './locks/claims.ts'
import { addClaims, beginOrder, type Claims, lostRace, noClaims, OutOfOrder } from './locks/order.ts'

/** After learning this many times that it needs other locks, a transaction keeps everybody else out of the tallies. */
const lessonsAtMost = 2
const triesAtMost = 8

/**
 * The transaction for everything that writes the catalog. It waits for locks in the fixed order (docs/architecture.md). A lock
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
