import type { Database, Transaction } from '../../../db/client.ts'
import { hasCode } from '../../../db/faults.ts'
import { settle } from './counts/settle.ts'
import { claim } from './locks/claim.ts'
import { addClaims, beginOrder, type Claims, noClaims, OutOfOrder } from './locks/order.ts'
import { lostRace } from './race.ts'

/** What a transaction of several writes will lock, as it is foreseen at its beginning. */
export type Foresee = (tx: Transaction) => Promise<Claims>

/** So often a transaction learns what it comes to need; then nobody else may be in the tallies. */
const tries = 2
const mostTries = 8

/**
 * The transaction of whatever writes the catalog. A lock that is asked for in the order of the house (docs/architecture.md)
 * is waited for; where one is asked for out of it, all is rolled back and begins again with that lock at its place. One
 * write keeps the order by itself; several in one transaction say by `foresee` what they will touch.
 */
export const enter = async <T>(db: Database, work: (tx: Transaction) => Promise<T>, foresee?: Foresee): Promise<T> => {
  const learned = noClaims()
  let lessons = 0
  for (let attempt = 1; ; attempt++)
    try {
      return await db.transaction(async (tx) => {
        beginOrder(tx)
        const claims = foresee ? await foresee(tx) : noClaims()
        addClaims(claims, learned)
        await claim(tx, claims, lessons >= tries)
        const result = await work(tx)
        await settle(tx)
        return result
      })
    } catch (error) {
      const isOvertaken = error instanceof OutOfOrder || hasCode(error, '40001', '40P01')
      if (!isOvertaken) throw error
      if (attempt === mostTries) throw error instanceof OutOfOrder ? lostRace(error.message) : error
      if (!(error instanceof OutOfOrder)) continue
      addClaims(learned, error.claims)
      lessons++
    }
}

/** Makes a transaction one of the door where nobody else writes the catalog: in a mirror. */
export const enterAlone = async <T>(tx: Transaction, work: () => Promise<T>): Promise<T> => {
  beginOrder(tx, 'all')
  const result = await work()
  await settle(tx)
  return result
}
