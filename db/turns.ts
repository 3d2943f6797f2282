import { type Asking, openTurns } from '../src/lib/fair-queue.ts'
import type { Origin } from '../src/lib/origin.ts'
import { lifetimes } from '../src/limits.ts'
import { ClientLeft, DatabaseAway, DeadlinePassed, NoTurn, OutcomeUnknown } from './late.ts'

/** On whose behalf statements run: whose turn they take, whether they write, and how long somebody waits for them. */
export type Asker = {
  /** A credential, or the network of an address without one. */
  key: string
  writes?: boolean
  /** Goes first: the gate and /health, if they have no connection of their own. */
  isUrgent?: boolean
  /** Has no deadline: the service itself. */
  isPatient?: boolean
  /**
   * Reads its work from its client as it arrives, however long that takes. Each statement has a deadline, but the whole has
   * none.
   */
  isStreamed?: boolean
  /** Asks for many callers at once. */
  isForMany?: boolean
  /** When the answer is due, by `performance.now()`. Without it, each statement has its own time from when it was asked for. */
  endsAt?: number
  /** Whether nobody waits for the answer any more. */
  isGone?: () => boolean
  /** Whether one of its transactions has committed. */
  hasCommitted?: boolean
  /** What it is for, as logs name it. */
  purpose?: { method: string; path: string } | { job: string }
  /** The request that caused it. */
  origin?: Origin
}

/** How long things may take, in milliseconds: a statement, a request that reads, a write. */
export type Deadlines = { statement: number; read: number; write: number }

/** The deadlines of decisions.md §12. */
export const usualDeadlines: Deadlines = {
  statement: 5000,
  read: lifetimes.read.seconds * 1000,
  write: lifetimes.write.seconds * 1000,
}

/** A statement that the database can be asked to end. It is running once it was sent, which may wait for a new connection. */
export type Stoppable = { isSent: () => boolean; stop: () => void }
type Running = Stoppable & { beganAt: number }

/** One statement or one transaction, from when it is asked for to its end. */
export type Turn = Asking & {
  asker: Asker
  askedAt: number
  hasBegun?: boolean
  /** When it began, or one of its statements last began or ended, by `performance.now()`. */
  movedAt?: number
  /** The statement that it is running now. */
  running?: Running
  /** Whether its COMMIT was sent: from then on, only the database knows what becomes of it. */
  isCommitting?: boolean
  /** Why it was given up. Whatever is running keeps its place until it really ends. */
  failed?: Error
  /** Rejects the waiting caller. */
  giveUp: (error: Error) => void
}

export type Connections = {
  take: (turn: Turn) => void
  /** Notes which statement a turn is running now. Undefined for none. */
  note: (turn: Turn, statement: Stoppable | undefined) => void
  /** To be called once it has ended, whatever the outcome. */
  end: (turn: Turn) => void
  counts: () => { running: number; waiting: number }
  /** When something last ended, by `performance.now()`. */
  endedAt: () => number
}

type Options = {
  places: number
  deadlines: Deadlines
  /** Whether the database answers at all. Checked while something has been waiting for long. */
  isAnswering: () => Promise<boolean>
  /** Whether a statement may be stopped just because nobody waits for it. */
  stopsFreely: boolean
}

const tickMilliseconds = 100
/** After this long, check whether the database answers at all. If it doesn't, a request ends within 9 s. */
const suspiciousMilliseconds = 7000
const askAgainMilliseconds = 500
/** A process that slept or stalled for longer than this didn't give its statements their time. */
const stallMilliseconds = 1000

/**
 * Shares a database's connections among callers in turn (decisions.md §12). Each caller has at most a quarter of them, and the
 * lane for heavy reads at most half. Ends what is late, and what nobody waits for.
 */
export const shareConnections = ({ places, deadlines, isAnswering, stopsFreely }: Options): Connections => {
  const turns = openTurns({
    places,
    each: Math.max(1, Math.floor(places / 4)),
    heavy: Math.max(1, Math.floor(places / 2)),
  })
  const taken = new Set<Turn>()
  let timer: Timer | undefined
  let tickedAt = 0
  let stalled = 0
  let endedAt = performance.now()
  let askAgainAt = 0
  /** The time that statements have had: without the time that the process slept. */
  const time = () => performance.now() - stalled

  const giveUp = (turn: Turn, reason: Error) => {
    const error = turn.isCommitting ? new OutcomeUnknown(reason) : reason
    turn.failed = error
    if (!turn.hasBegun) {
      turns.forget(turn)
      taken.delete(turn)
    }
    turn.giveUp(error)
  }
  const lateness = (turn: Turn, now: number): Error | undefined => {
    const { asker } = turn
    if (asker.isPatient) return undefined
    if (!asker.writes && asker.isGone?.()) return new ClientLeft()
    const most = asker.writes ? deadlines.write : deadlines.read
    const isLate = now > (asker.endsAt ?? turn.askedAt + most)
    if (!turn.hasBegun) return isLate ? new NoTurn() : undefined
    if (isLate && !asker.isStreamed) return new DeadlinePassed(most)
    return isOverdue(turn) ? new DeadlinePassed(asker.writes ? deadlines.write : deadlines.statement) : undefined
  }
  const isSuspicious = (turn: Turn, now: number) =>
    !turn.failed && !turn.asker.isPatient && now - (turn.movedAt ?? turn.askedAt) > suspiciousMilliseconds
  const isOverdue = ({ asker, running }: Turn) =>
    running !== undefined && time() - running.beganAt > (asker.writes ? deadlines.write : deadlines.statement)

  const look = () => {
    const now = performance.now()
    stalled += Math.max(0, now - tickedAt - stallMilliseconds)
    tickedAt = now
    let mustAsk = false
    for (const turn of taken) {
      if (turn.running?.isSent() === false) turn.running.beganAt = time()
      const error = turn.failed ? undefined : lateness(turn, now)
      if (error) giveUp(turn, error)
      if (turn.failed && turn.running && (stopsFreely || isOverdue(turn))) stop(turn, turn.running)
      mustAsk ||= isSuspicious(turn, now)
    }
    if (mustAsk) void askWhetherAway(now)
    timer = taken.size > 0 ? setTimeout(look, tickMilliseconds) : undefined
  }
  const stop = (turn: Turn, running: Running) => {
    turn.running = undefined
    running.stop()
  }
  const askWhetherAway = async (now: number) => {
    if (now < askAgainAt) return
    askAgainAt = Number.POSITIVE_INFINITY
    const answers = await isAnswering().catch(() => false)
    askAgainAt = performance.now() + askAgainMilliseconds
    if (answers) return
    for (const turn of taken) if (isSuspicious(turn, performance.now())) giveUp(turn, new DatabaseAway())
  }
  const watch = () => {
    if (timer !== undefined) return
    tickedAt = performance.now()
    timer = setTimeout(look, tickMilliseconds)
  }

  return {
    take: (turn) => {
      taken.add(turn)
      watch()
      turns.ask(turn)
    },
    note: (turn, statement) => {
      turn.movedAt = performance.now()
      turn.running = statement && { ...statement, beganAt: time() }
    },
    end: (turn) => {
      if (!taken.delete(turn)) return
      endedAt = performance.now()
      turns.leave(turn)
    },
    counts: turns.counts,
    endedAt: () => endedAt,
  }
}
