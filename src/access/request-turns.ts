import { ClientLeft } from '../../db/late.ts'
import { unavailable } from '../jsonapi/errors.ts'
import { tooManyPolls } from '../jsonapi/overload.ts'
import { type Asking, openTurns } from '../lib/fair-queue.ts'
import { sizes } from '../limits.ts'
import type { Caller } from './caller.ts'
import { networkOf } from './network.ts'

/** Ends a turn. */
type Leave = () => void

export type RequestTurns = {
  /**
   * Waits for a caller's turn until `endsAt` (by `performance.now()`). 503 if that is too late or the line is too long. Not a
   * promise if there is no need to wait. A request that `leaves` while it waits gives up its place in line.
   */
  enter: (caller: string, endsAt: number, leaves?: () => AbortSignal) => Leave | Promise<Leave>
  /** Takes one of the few places for long polls. 429 if none is free. */
  enterPoll: (caller: string) => Leave
}

/** Whose turn a request uses: its credential's, or without one its network's (decisions.md §12). */
export const turnKeyOf = ({ credentialId, address }: Caller) => credentialId ?? `address ${networkOf(address)}`

/** A request is refused if this many of its caller's are already waiting. */
const longestLine = sizes.callerWaiting.most
/** How many waiting requests may start in one turn of the event loop. Fewer if turns take longer than `turnMilliseconds`. */
const startedAtMost = 16
const turnMilliseconds = 2
/** Most get their turn sooner than this. The rest are watched until they are late or their client leaves. */
const unwatchedMilliseconds = 100
const polls = { ofCaller: sizes.polls.most, ofProcess: 512 }

/** Limits how many requests of one caller are handled at a time. The others wait in that caller's line (decisions.md §12). */
export const openRequestTurns = ({ concurrencyPerCaller }: { concurrencyPerCaller: number }): RequestTurns => {
  const turns = openTurns({ places: Number.POSITIVE_INFINITY, each: concurrencyPerCaller })
  const polling = new Map<string, number>()
  let pollingInAll = 0
  const leaving: Asking[] = []
  let inOneGo = startedAtMost
  let tookAt = 0
  const takeBack = () => {
    const now = performance.now()
    inOneGo = now - tookAt > turnMilliseconds ? Math.ceil(inOneGo / 2) : Math.min(startedAtMost, inOneGo + 1)
    tookAt = now
    for (const asking of leaving.splice(0, inOneGo)) turns.leave(asking)
    if (leaving.length > 0) setImmediate(takeBack)
  }
  /**
   * Answers from memory finish at once. Without this pause, all waiting requests would be answered in one go, and nobody else
   * would get a turn until then.
   */
  const giveBack = (asking: Asking) => {
    if (turns.waitingFor(asking.key) === 0) return turns.leave(asking)
    if (leaving.push(asking) > 1) return
    tookAt = performance.now()
    setImmediate(takeBack)
  }

  const unwatched = new Set<() => void>()
  let watchTimer: Timer | undefined
  const watchAll = () => {
    clearTimeout(watchTimer)
    watchTimer = undefined
    const begin = [...unwatched]
    unwatched.clear()
    for (const watch of begin) watch()
  }

  return {
    enter: (key, endsAt, leaves) => {
      let isReady = false
      let ready = () => {
        isReady = true
      }
      const asking: Asking = { key, begin: () => ready() }
      const leave = () => giveBack(asking)
      // Some of those in line may have left.
      if (turns.waitingFor(key) >= longestLine) watchAll()
      if (turns.waitingFor(key) >= longestLine) throw tooBusy()
      turns.ask(asking)
      if (isReady) return leave
      return new Promise((resolve, reject) => {
        const watch = () => {
          const signal = leaves?.()
          const giveUp = (error: Error) => {
            settle()
            turns.forget(asking)
            reject(error)
          }
          const late = setTimeout(() => giveUp(tooBusy()), Math.max(0, endsAt - performance.now()))
          const gone = () => giveUp(new ClientLeft())
          settle = () => {
            clearTimeout(late)
            signal?.removeEventListener('abort', gone)
          }
          signal?.addEventListener('abort', gone)
          if (signal?.aborted) gone()
        }
        let settle = () => void unwatched.delete(watch)
        unwatched.add(watch)
        watchTimer ??= setTimeout(watchAll, unwatchedMilliseconds)
        ready = () => {
          settle()
          resolve(leave)
        }
      })
    },
    enterPoll: (key) => {
      const ofCaller = polling.get(key) ?? 0
      if (ofCaller >= polls.ofCaller || pollingInAll >= polls.ofProcess) throw tooManyPolls()
      polling.set(key, ofCaller + 1)
      pollingInAll++
      return () => {
        const left = (polling.get(key) ?? 1) - 1
        if (left === 0) polling.delete(key)
        else polling.set(key, left)
        pollingInAll--
      }
    },
  }
}

const tooBusy = () => unavailable('Too many of your requests are already waiting. Try again in a moment.')
