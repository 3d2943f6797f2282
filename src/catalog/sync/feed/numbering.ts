import { startListening } from '../../../../db/listening.ts'
import type { Context } from '../../../context.ts'
import { changesChannel } from '../../write/counts/changes.ts'
import { startNews } from './news.ts'
import { numberChanges } from './number.ts'

/** Notifications can be lost on a server; nothing is lost inside of the process that has the embedded database. */
const pollMilliseconds = { postgres: 2000, embedded: 60_000 }

/** Numbers changes as they are committed, by this process or another, and wakes who waits for them, until it is stopped. */
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
  const stopNews = startNews(db, (message) => log.warn('feed not heard', { message }))
  wake()
  return async () => {
    stopped = true
    const ended = stopNews()
    clearInterval(polling)
    await Promise.all([leave(), atWork, ended])
  }
}
