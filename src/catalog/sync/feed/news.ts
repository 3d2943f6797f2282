import type { Database } from '../../../../db/client.ts'
import { startListening } from '../../../../db/listening.ts'

/** The readers of a database who wait for news in the feed, and how often there has been news. */
type Waiting = { wake: Set<() => void>; count: number; isOver: boolean }

const waiting = new WeakMap<Database, Waiting>()

const waitingOn = (db: Database): Waiting =>
  waiting.getOrInsertComputed(db.shared, () => ({ wake: new Set(), count: 0, isOver: false }))

/** A server can lose a notification, so a reader looks again after this long. */
const lookAgainMilliseconds = 2000

/** How often there has been news so far. Call it before reading the feed. */
export const countNews = (db: Database) => waitingOn(db).count

/** Waits for news after the count was `seen`, at most for some time, or until the service stops. */
export const waitForNews = (db: Database, seen: number, milliseconds: number): Promise<void> => {
  const here = waitingOn(db)
  if (here.isOver || here.count !== seen) return Promise.resolve()
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer)
      here.wake.delete(wake)
      resolve()
    }
    const timer = setTimeout(wake, Math.min(milliseconds, lookAgainMilliseconds))
    here.wake.add(wake)
  })
}

/** Whether the service is stopping, so that nobody should wait anymore. */
export const isWaitingOver = (db: Database) => waitingOn(db).isOver

/** Wakes readers whenever changes are numbered, here or in another process. Returns a function that ends all waiting. */
export const startNews = (db: Database, channel: string, warn: (message: string) => void): (() => Promise<void>) => {
  const here = waitingOn(db)
  const wakeAll = () => {
    here.count++
    for (const wake of [...here.wake]) wake()
  }
  const leave = startListening(db, channel, wakeAll, ({ message }) => warn(message))
  return async () => {
    here.isOver = true
    wakeAll()
    await leave()
  }
}
