import type { Database, Transaction } from '../../../db/client.ts'
import { hasCode } from '../../../db/faults.ts'
import { settle } from './counts/settle.ts'
import { takeClaims } from './locks/claims.ts'
import { addClaims, beginOrder, type Claims, lostRace, noClaims, OutOfOrder } from './locks/order.ts'

/** After so many lessons about what it locks a transaction keeps everybody else out of the tallies. */
const lessonsAtMost = 2
const triesAtMost = 8

/**
 * The transaction of everything that writes the catalog. It waits for a lock that is next in the order of the house
 * (docs/architecture.md). A lock out of that order rolls everything back: the transaction starts over and takes it at its
 * place. One write keeps the order by itself; a request of several says with `claim` what they will touch (locks/claims.ts).
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

/** Writes the catalog in a transaction of the caller, where nobody else writes it: in a mirror. */
export const enterAlone = async <T>(tx: Transaction, work: () => Promise<T>): Promise<T> => {
  beginOrder(tx, 'all')
  const result = await work()
  await settle(tx)
  return result
}
