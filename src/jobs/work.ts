/*
 * Work that can wait until after the answer is a row of `jobs`. It's enqueued in the transaction of the change it
 * belongs to, so that either both exist or neither. A unique `key` makes it one job however often it's enqueued.
 * Workers claim due jobs in small batches (`for update skip locked`), the highest priority first, then the oldest, and
 * leave half of the connections to requests. A notification at commit wakes them. As a fallback, PostgreSQL is polled
 * every two seconds. The embedded database, which loses no notification, sets a timer for the next job, so an idle
 * queue reads nothing.
 *
 * Leases. A claimed job belongs to its holder for four seconds, renewed every second. If a process is killed, its
 * lease lapses and another process takes over. If it hangs in the middle of a transaction, PostgreSQL ends that after
 * 20 seconds (`db/database.ts`). On the embedded database nobody else can be alive, so leases are void at the start.
 * SIGTERM aborts the job's signal, waits five seconds, and gives the rest back without counting the attempt.
 *
 * Progress. A job saves its progress with `save(tx, progress)` in the transaction that made it. The save finds the row
 * only while the job still belongs to its holder, so no step is lost or done twice, even by a process that was merely
 * asleep.
 *
 * Failures. A job that fails runs again after 2, 4, 8 … seconds, an hour at most, with some jitter. After its last
 * attempt, or after `GiveUp`, it has `failed` and waits 30 days for `cardstock jobs retry`. Results are kept for 24
 * hours.
 *
 * Schedules. A tick of the schedule is a job whose key is its time: every replica may enqueue it, one succeeds, and a
 * tick they all missed is made up for at the next start. Leases run by the database's clock; due times and retention
 * run by the service's.
 */

import { startListening } from '../../db/listening.ts'
import { attempt, type Outcome, Stopping, type Surroundings } from './attempt.ts'
import { makeBell } from './bell.ts'
import { type Claimed, claim, recover, renew, untilNext } from './claim.ts'
import type { Runnable } from './define.ts'
import { channel } from './enqueue.ts'
import { gather } from './gather.ts'
import { complete, LeaseLost, release } from './settle.ts'

/** A process working on the queue. `stop` gives running jobs some milliseconds to finish, and requeues the rest. */
export type Working = { stop: (deadlineMilliseconds?: number) => Promise<void> }

const heartbeatMilliseconds = 1000
const drainMilliseconds = 5000
const afterFaultMilliseconds = 1000
/** A job frees its slot when it is done, before its outcome is written. Up to this many outcomes per slot may be waiting. */
const unwrittenAtMost = 4
/** A server can lose notifications, and leases expire there. Inside one process, nothing is lost. */
const longestWait = { postgres: 2000, embedded: 3_600_000 }

/**
 * Works the queue until it is stopped, with `slots` jobs at once and one more for higher priorities, so that a mail doesn't
 * wait for a long import.
 */
export const startWorking = <World extends Surroundings>(
  world: World,
  jobs: readonly Runnable<World>[],
  { slots = 4 }: { slots?: number } = {},
): Working => {
  const { db, clock, log } = world
  const holder = Bun.randomUUIDv7()
  const names = jobs.map(({ name }) => name)
  const bell = makeBell()
  const running = new Map<string, { abort: AbortController; ended: Promise<Outcome>; isAtWork: boolean }>()
  let stopping = false
  let isShort = false
  let recoverAt = 0
  const completed = gather(
    (done: Parameters<typeof complete>[3]) => complete(db, clock, holder, done),
    () => stopping,
  )

  const start = (claimed: Claimed) => {
    const job = jobs.find(({ name }) => name === claimed.name)
    if (!job) return
    const abort = new AbortController()
    const leavePlace = () => {
      const left = running.get(claimed.id)
      if (left) left.isAtWork = false
      if (!isShort) bell.ring()
    }
    const ended = attempt(world, job, claimed, {
      holder,
      signal: abort.signal,
      completed: (done) => {
        leavePlace()
        return completed(done)
      },
    })
      .catch((error: unknown): Outcome => {
        log.warn('job outcome not recorded', { name: job.name, id: claimed.id, message: String(error) })
        return 'lost'
      })
      .finally(() => {
        running.delete(claimed.id)
        if (!isShort) bell.ring()
      })
    running.set(claimed.id, { abort, ended, isAtWork: true })
  }

  const bringBack = async () => {
    if (performance.now() < recoverAt) return
    for (const { id, name, status, origin } of await recover(db, clock, [...running.keys()])) {
      const fields = { id, name, status, request_id: origin?.request_id }
      log[status === 'failed' ? 'error' : 'warn']('job recovered', fields)
    }
    recoverAt = db.kind === 'embedded' ? Number.POSITIVE_INFINITY : performance.now() + longestWait.postgres
  }

  const round = async () => {
    await bringBack()
    const atWork = [...running.values()].filter((one) => one.isAtWork).length
    const free = running.size < slots * unwrittenAtMost ? slots - atWork : -1
    const claimed =
      free > 0
        ? await claim(db, clock, holder, names, free)
        : free === 0
          ? await claim(db, clock, holder, names, 1, 1)
          : []
    if (stopping) return 0
    for (const one of claimed) start(one)
    isShort = claimed.length < free
    if (!isShort) return longestWait.postgres
    const next = await untilNext(db, clock, names, [...running.keys()])
    if (db.kind === 'postgres' && next !== undefined) recoverAt = Math.min(recoverAt, performance.now() + next)
    return Math.min(next ?? Number.POSITIVE_INFINITY, longestWait[db.kind])
  }

  const loop = async () => {
    while (!stopping)
      try {
        await bell.wait(await round())
      } catch (error) {
        if (stopping) return
        log.warn('queue unreachable', { message: (error as Error).message })
        // A claim may have succeeded, although its answer was lost.
        recoverAt = 0
        await Bun.sleep(afterFaultMilliseconds)
      }
  }

  // The embedded database needs no heartbeat: nobody else uses it.
  let beating = false
  const heartbeat = async () => {
    if (running.size === 0 || beating || db.kind === 'embedded') return
    beating = true
    const asked = new Map(running)
    const mine = await renew(db, holder, [...asked.keys()]).finally(() => {
      beating = false
    })
    for (const [id, { abort }] of asked)
      if (!mine.has(id)) abort.abort(new LeaseLost('Another process has taken over this job.'))
  }
  const heart = setInterval(() => void heartbeat().catch(() => {}), heartbeatMilliseconds)
  const leave = startListening(db, channel, bell.ring, ({ message }) =>
    log.warn('queue notifications lost', { message }),
  )
  const looping = loop()

  return {
    stop: async (deadlineMilliseconds = drainMilliseconds) => {
      stopping = true
      bell.ring()
      for (const { abort } of running.values()) abort.abort(new Stopping('The service is stopping.'))
      const over = Bun.sleep(deadlineMilliseconds)
      await Promise.race([Promise.all([looping, ...[...running.values()].map(({ ended }) => ended)]), over])
      clearInterval(heart)
      const released = release(db, holder).catch((error: Error) => {
        log.warn('jobs not released', { message: error.message })
      })
      await Promise.race([released, over.then(() => Bun.sleep(1000))])
      await leave()
    },
  }
}
