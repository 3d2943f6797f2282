import type { Database, Transaction } from '../../../db/client.ts'
import { startListening } from '../../../db/listening.ts'
import { feedChannel } from '../../catalog/sync/feed/number.ts'
import type { Context } from '../../context.ts'
import { makeBell } from '../../jobs/bell.ts'
import { batched } from '../../lib/batched.ts'
import { webhookChannel } from '../webhook.ts'
import { type Resolve, resolveName } from './address.ts'
import {
  type Claimed,
  claimWebhooks,
  leaseSeconds,
  releaseAll,
  releaseWebhooks,
  renewWebhooks,
  untilDue,
} from './claim.ts'
import { deliverNext, type Sending } from './deliver.ts'

/** How many attempts a process makes at once. Those to webhooks that failed last time, and those that take long, have shares of their own. */
const atOnce = { quick: 64, slow: 200, failing: 100 }
/** An attempt that takes longer is slow: it no longer counts among the quick ones, so others get its place. */
const quickMilliseconds = 250
/** Changes that follow each other closely are looked at together. */
const newsMilliseconds = 100
/**
 * The time from one look at what is due to the next, at least, and how many attempts start then, so that requests get their turn
 * however much there is to send.
 */
const roundMilliseconds = 50
const perRound = 32
const heartbeatMilliseconds = 1000
const afterFaultMilliseconds = 1000
const drainMilliseconds = 5000
/** A server can lose notifications. Inside one process, nothing is lost. */
const longestWait = { postgres: 5000, embedded: 3_600_000 }

const writeLimits = {
  atOnce: 1,
  most: 64,
  deadlineMilliseconds: 10_000,
  late: () => new Error('The database is late.'),
}

/** When a lease ends that is taken or renewed now, on the clock of `performance`. */
const leaseFromNow = () => performance.now() + leaseSeconds * 1000

/** Writes at about the same time share a transaction, because each commit of the embedded database waits for the disk. */
const writingTogether = (db: Database): Sending['write'] => {
  const write = batched(
    (works: ((tx: Transaction) => Promise<unknown>)[]) =>
      db.transaction(async (tx) => {
        const ended = await Promise.allSettled(works.map((work) => work(tx)))
        const failed = ended.find(({ status }) => status === 'rejected')
        if (failed) throw (failed as PromiseRejectedResult).reason
        return ended.map((one) => (one as PromiseFulfilledResult<unknown>).value)
      }),
    writeLimits,
  )
  return <T>(work: (tx: Transaction) => Promise<T>) => write(work) as Promise<T>
}

/** Sends deliveries until it is stopped. `stop` gives running attempts some milliseconds to finish, and leaves the rest. */
export type Delivering = { stop: (deadlineMilliseconds?: number) => Promise<void> }

/** Sends to webhooks whenever there is something to tell. While there are none, it only listens. */
export const startDelivering = (context: Context, resolve: Resolve = resolveName): Delivering => {
  const { db, clock, log } = context
  const holder = Bun.randomUUIDv7()
  const write = writingTogether(db)
  const bell = makeBell()
  const abort = new AbortController()
  const running = new Map<string, { isFailing: boolean; isQuick: boolean; heldUntil: number; ended: Promise<void> }>()
  let stopping = false
  let listens = true

  const start = (webhook: Claimed, isFailing: boolean, heldUntil: number) => {
    const sending = { isFailing, isQuick: true, heldUntil, ended: Promise.resolve() }
    const slow = setTimeout(() => {
      sending.isQuick = false
      bell.ring()
    }, quickMilliseconds)
    const isHeld = () => db.kind === 'embedded' || performance.now() < sending.heldUntil
    sending.ended = deliverNext(context, webhook, { holder, resolve, write, isHeld, signal: abort.signal })
      .catch(async (error: Error) => {
        if (!stopping) log.warn('webhook not sent', { webhook: webhook.id, message: error.message })
        if (!stopping) await Bun.sleep(afterFaultMilliseconds)
        await releaseWebhooks(db, holder, [webhook.id])
      })
      .catch(() => {})
      .finally(() => {
        clearTimeout(slow)
        running.delete(webhook.id)
        bell.ring()
      })
    running.set(webhook.id, sending)
  }

  const claimSome = async (isFailing: boolean) => {
    const alike = [...running.values()].filter((one) => one.isFailing === isFailing)
    const free = isFailing
      ? atOnce.failing - alike.length
      : Math.min(atOnce.quick - alike.filter(({ isQuick }) => isQuick).length, atOnce.slow - alike.length)
    if (free <= 0 || stopping) return 'full'
    const limit = Math.min(free, perRound)
    const heldUntil = leaseFromNow()
    const kept = [...running.keys()]
    const claimed = await claimWebhooks(db, holder, clock.now(), { limit, failing: isFailing, kept })
    for (const one of claimed) start(one, isFailing, heldUntil)
    if (claimed.length < limit) return 'done'
    return limit < free ? 'more' : 'full'
  }

  // The embedded database needs no heartbeat: nobody else uses it. Quick attempts don't, either.
  let beating = false
  const heartbeat = async () => {
    const ids = [...running].flatMap(([id, { isQuick }]) => (isQuick ? [] : [id]))
    if (ids.length === 0 || beating || db.kind === 'embedded') return
    beating = true
    const heldUntil = leaseFromNow()
    const mine = await renewWebhooks(db, holder, ids).finally(() => {
      beating = false
    })
    for (const id of mine) {
      const sending = running.get(id)
      if (sending) sending.heldUntil = heldUntil
    }
  }

  const round = async () => {
    const found = await Promise.all([claimSome(false), claimSome(true)])
    if (found.includes('more')) return 0
    // An attempt that ends, or turns out to be slow, rings the bell.
    if (found[0] === 'full') return longestWait.postgres
    const next = await untilDue(db, holder, clock.now())
    listens = next.listens
    return Math.min(next.milliseconds ?? Number.POSITIVE_INFINITY, longestWait[db.kind])
  }

  const loop = async () => {
    let isFirst = db.kind === 'embedded'
    while (!stopping)
      try {
        if (isFirst) await releaseAll(db)
        isFirst = false
        const began = performance.now()
        await bell.wait(await round())
        // What ends at about the same time is followed by one round.
        await Bun.sleep(Math.max(0, roundMilliseconds - (performance.now() - began)))
      } catch (error) {
        if (stopping) return
        log.warn('webhooks not read', { message: (error as Error).message })
        await Bun.sleep(afterFaultMilliseconds)
      }
  }

  const heart = setInterval(() => void heartbeat().catch(() => {}), heartbeatMilliseconds)
  let news: Timer | undefined
  const hearNews = () => {
    if (!listens) return
    news ??= setTimeout(() => {
      news = undefined
      bell.ring()
    }, newsMilliseconds)
  }
  const warn = ({ message }: Error) => log.warn('webhooks not heard', { message })
  const leaving = [startListening(db, feedChannel, hearNews, warn), startListening(db, webhookChannel, bell.ring, warn)]
  const looping = loop()

  return {
    stop: async (deadlineMilliseconds = drainMilliseconds) => {
      stopping = true
      bell.ring()
      clearTimeout(news)
      const ended = () => Promise.all([looping, ...[...running.values()].map((one) => one.ended)])
      await Promise.race([ended(), Bun.sleep(deadlineMilliseconds)])
      abort.abort(new Error('The service is stopping.'))
      await Promise.race([ended(), Bun.sleep(1000)])
      clearInterval(heart)
      await Promise.all(leaving.map((leave) => leave()))
    },
  }
}
