/*
 * `changes` records what happened, many ids in one row, with who saw it before and after. If a parent, player or team
 * is shown or hidden, its children are listed, too (`write/counts/children.ts`). A sequencer (`sync/feed/`) numbers
 * changes after their commit, so that no number ever appears after a later one: that is the order of the `/v2` feed. A
 * feed cursor holds a number and a mark of the change before it. If a restored database gives that number to another
 * change, the cursor has expired.
 */

import type { Database } from '../../../../db/client.ts'
import { startListening } from '../../../../db/listening.ts'
import type { Context } from '../../../context.ts'
import { batched } from '../../../lib/batched.ts'
import { batchLimits } from '../../show/rows.ts'
import { changesChannel } from '../../write/counts/changes.ts'
import { startNews } from './news.ts'

/** The notification channel for numbered changes. */
export const feedChannel = 'feed'

/** How many changes are numbered in one short transaction. */
const atOnce = 1000

/**
 * Numbers the changes that have committed, in the order they were noted, and returns how many. Writers can't number their own changes,
 * since a lower number might commit after a higher one was read. The row of `feed` is the lock. If another process has it, that process
 * does the work.
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
 * Numbers what has committed so far, at most a thousand changes, for a reader who finds some without a number. That way, callers find their
 * own writes in the feed. Waits for another process that is numbering. Readers of this process share a call.
 */
export const catchUp = (db: Database): Promise<number> => catchers.getOrInsertComputed(db.shared, catcherOn)(undefined)

const catcherOn = (db: Database) =>
  batched(
    async (asks: undefined[]) => {
      const count = await numberSome(db, 'waits')
      return asks.map(() => count)
    },
    { ...batchLimits, atOnce: 1 },
  )

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

/** A server can lose notifications. The process with the embedded database loses none. */
const pollMilliseconds = { postgres: 2000, embedded: 60_000 }

/** Numbers changes as they commit, in this process or another, and wakes those who wait for them. Returns a function that stops it. */
export const startNumbering = ({ db, log }: Context): (() => Promise<void>) => {
  let stopped = false
  let again = false
  let atWork: Promise<void> | undefined
  const work = async () => {
    do {
      again = false
      await numberChanges(db)
    } while (again && !stopped)
  }
  const wake = () => {
    again = true
    if (stopped || atWork) return
    atWork = work()
      .catch((error: Error) => log.warn('changes not numbered', { message: error.message }))
      .finally(() => {
        atWork = undefined
      })
  }
  const polling = setInterval(wake, pollMilliseconds[db.kind])
  const leave = startListening(db, changesChannel, wake, ({ message }) => log.warn('changes not heard', { message }))
  const stopNews = startNews(db, feedChannel, (message) => log.warn('feed not heard', { message }))
  wake()
  return async () => {
    stopped = true
    const ended = stopNews()
    clearInterval(polling)
    await Promise.all([leave(), atWork, ended])
  }
}
