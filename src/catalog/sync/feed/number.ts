import type { Database } from '../../../../db/client.ts'
import { batched } from '../../../lib/batched.ts'
import { batchLimits } from '../../show/rows.ts'

/** Where those who wait for numbered changes listen. */
export const feedChannel = 'feed'

/** How many changes get their number in one short transaction. */
const atOnce = 1000

/**
 * Gives the changes that have committed their numbers, in the order in which they were noted, and answers how many: a
 * number taken by the writer itself would show up behind one that was read before. The row of `feed` is the lock; where
 * another process is at it, this one leaves the work to it.
 */
export const numberChanges = async (db: Database): Promise<number> => {
  let numbered = 0
  for (;;) {
    const count = await numberSome(db, 'skips')
    numbered += count
    if (count < atOnce) return numbered
  }
}

const catchers = new WeakMap<Database, (ask: undefined) => Promise<number>>()

/**
 * Numbers what has committed until now, at most a thousand changes, for a reader who finds some that have no number yet: who
 * wrote and then asks is told of it. Waits for another process that is at it; readers of this one who ask together share a call.
 */
export const catchUp = (db: Database): Promise<number> => {
  const catching =
    catchers.get(db.shared) ??
    batched(
      async (asks: undefined[]) => {
        const count = await numberSome(db.shared, 'waits')
        return asks.map(() => count)
      },
      { ...batchLimits, atOnce: 1 },
    )
  catchers.set(db.shared, catching)
  return catching(undefined)
}

const numberSome = (db: Database, whereLocked: 'skips' | 'waits') =>
  db.transaction(async ({ sql, notify }) => {
    const [feed] = await sql<{ last: string }[]>`
      select last from feed for update ${sql.unsafe(whereLocked === 'skips' ? 'skip locked' : '')}`
    if (!feed) return 0
    const { count } = await sql`
      update changes c set no = ${feed.last}::bigint + n.place
      from (
        select id, row_number() over (order by noted_at, id) as place from (
          select id, noted_at from changes where no is null order by noted_at, id limit ${atOnce}
        ) w
      ) n
      where c.id = n.id`
    if (count > 0) await sql`update feed set last = last + ${count}`
    if (count > 0) await notify(feedChannel)
    return count
  })
