import type { Database } from '../../../../db/client.ts'
import { startListening } from '../../../../db/listening.ts'
import { feedChannel } from './number.ts'

/** Those who wait for something new in the feed of a database. */
type Waiting = { wake: Set<() => void>; told: number; isOver: boolean }

const waiting = new WeakMap<Database, Waiting>()

const waitingOn = (db: Database): Waiting => {
  const known = waiting.get(db.shared) ?? { wake: new Set(), told: 0, isOver: false }
  waiting.set(db.shared, known)
  return known
}

/** A notification can be lost on a server; then a reader looks again after this long. */
const lookAgainMilliseconds = 2000

/** How often something was told yet; to be asked before one looks. */
export const countNews = (db: Database) => waitingOn(db).told

/** Ends when something was numbered since `told` was asked, when the time is over, or when the service stops. */
export const waitForNews = (db: Database, told: number, milliseconds: number): Promise<void> => {
  const here = waitingOn(db)
  if (here.isOver || here.told !== told) return Promise.resolve()
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

/** Whether the service stops, so that nobody shall wait any more. */
export const isWaitingOver = (db: Database) => waitingOn(db).isOver

/** Wakes readers whenever changes were numbered, here or in another process; answers what ends all waiting. */
export const startNews = (db: Database, warn: (message: string) => void): (() => Promise<void>) => {
  const here = waitingOn(db)
  const wakeAll = () => {
    here.told++
    for (const wake of [...here.wake]) wake()
  }
  const leave = startListening(db, feedChannel, wakeAll, ({ message }) => warn(message))
  return async () => {
    here.isOver = true
    wakeAll()
    await leave()
  }
}
