import type { Config } from '../config.ts'
import type { Log } from '../lib/log.ts'
import { type Child, type Ending, startChild } from './child.ts'
import type { ToProcess, ToSupervisor } from './messages.ts'
import { openScrapes } from './scrapes.ts'

/** A place for a process: a new one takes it when the one in it has ended or is replaced. */
type Seat = { number: number; child: Child; failures: number }

export type Fleet = {
  /** Starts the first process. Throws if it ends before it listens. */
  startFirst: () => Promise<void>
  /** Starts the others. */
  startOthers: (count: number) => void
  /** Replaces the processes one after the other, until a new one doesn't start. */
  restart: () => Promise<void>
  /** Ends all processes, and resolves once they have ended. */
  stop: (signal: 'SIGTERM' | 'SIGINT') => Promise<void>
  kill: () => void
}

/** A process that ends sooner than this didn't get started. */
const startMilliseconds = 10_000
/** What a process that stops may take, beyond SHUTDOWN_DELAY_MS. */
const stopMilliseconds = 15_000

/** The processes on a port. One that ends by itself is replaced, with growing pauses if it ends at its start. */
export const openFleet = (config: Config, port: number, log: Log): Fleet => {
  const seats: Seat[] = []
  const living = new Set<Child>()
  /** Those that listen, in the order in which the kernel has their sockets. */
  const listening: Child[] = []
  const scrapes = openScrapes(listening)
  const stopped = Promise.withResolvers<void>()
  let isStopping = false

  const hear = (message: ToSupervisor, child: Child) => {
    if (message.kind === 'listening') listening.push(child)
    else scrapes.hear(message, child)
  }

  const start = (number: number): Child => {
    const child = startChild({ number, port, othersServe: listening.length > 0 }, hear)
    living.add(child)
    log.info('process started', { process: number, pid: child.pid })
    void child.ended.then(() => {
      living.delete(child)
      removeAsKernel(listening, child)
      scrapes.forget(child)
    })
    return child
  }

  const seat = (number: number, child: Child) => {
    const taken = { number, child, failures: 0 }
    seats.push(taken)
    void watch(taken, child)
  }

  const watch = async (seat: Seat, child: Child) => {
    const ending = await child.ended
    if (isStopping || seat.child !== child) return
    seat.failures = performance.now() - child.startedAt < startMilliseconds ? seat.failures + 1 : 0
    const pauseSeconds = pauseAfter(seat.failures)
    log.error('process ended', { process: seat.number, pid: child.pid, ...ending, next_in_seconds: pauseSeconds })
    await Promise.race([Bun.sleep(pauseSeconds * 1000), stopped.promise])
    if (isStopping || seat.child !== child) return
    scrapes.countReplaced()
    seat.child = start(seat.number)
    void watch(seat, seat.child)
  }

  /** Puts a new process in the place of one that serves. If it doesn't start, the old one stays, unless it has ended, too. */
  const replace = async (seat: Seat): Promise<boolean> => {
    const old = seat.child
    if (!(await old.listening)) return true
    const fresh = start(seat.number)
    seat.child = fresh
    const isServing = await fresh.listening
    if (isStopping) return true
    if (!isServing && living.has(old)) seat.child = old
    else void watch(seat, fresh)
    if (!isServing) return false
    await end(old, { kind: 'replaced', place: listening.indexOf(old), others: listening.length - 1 })
    fresh.say({ kind: 'share' })
    return true
  }

  const end = async (child: Child, message: ToProcess) => {
    if (listening.includes(child)) child.say(message)
    else child.kill()
    const late = setTimeout(child.kill, config.shutdownDelayMilliseconds + stopMilliseconds)
    await child.ended
    clearTimeout(late)
  }

  return {
    startFirst: async () => {
      const first = start(1)
      if ((await first.listening) || isStopping) return seat(1, first)
      throw new Error(noneStarted(await first.ended))
    },
    startOthers: (count) => {
      for (let number = 2; number <= count && !isStopping; number++) seat(number, start(number))
    },
    restart: async () => {
      log.info('restarting', { processes: seats.length })
      for (const seat of seats)
        if (!isStopping && !(await replace(seat)))
          return log.error('restart given up', { process: seat.number, reason: 'its new process did not start' })
      log.info('restarted', { processes: seats.length })
    },
    stop: async (signal) => {
      isStopping = true
      stopped.resolve()
      await Promise.all([...living].map((child) => end(child, { kind: 'stop', signal })))
    },
    kill: () => {
      for (const child of living) child.kill()
    },
  }
}

const longestPauseSeconds = 30

/** None after the first failure, then 1, 2, 4 … seconds. */
const pauseAfter = (failures: number) => (failures < 2 ? 0 : Math.min(longestPauseSeconds, 2 ** (failures - 2)))

/** The kernel fills a gap with the last one. */
const removeAsKernel = (listening: Child[], child: Child) => {
  const place = listening.indexOf(child)
  const last = listening.at(-1)
  if (place < 0 || !last) return
  listening[place] = last
  listening.pop()
}

const noneStarted = ({ code, signal, reason }: Ending) =>
  `No process could start: ${reason ?? `the first one ended with ${signal ?? `exit code ${code}`}`}.`
