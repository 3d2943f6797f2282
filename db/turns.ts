import { type Asking, openTurns } from '../src/lib/turns.ts'
import { lifetimes } from '../src/limits.ts'
import { ClientLeft, DatabaseAway, DeadlinePassed, NoTurn } from './late.ts'

/** For whom statements run: whose turn they take, whether they write, and until when somebody waits for them. */
export type Asker = {
  /** A credential, or the network of an address without one. */
  key: string
  writes?: boolean
  /** Goes first: the gate and /health if they have no connection of their own. */
  isUrgent?: boolean
  /** Has no deadline: the service itself. */
  isPatient?: boolean
  /** Takes its work from its client as it comes, however long that lasts: each statement has a deadline, the whole has none. */
  isStreamed?: boolean
  /** Asks for many callers at once. */
  isForMany?: boolean
  /** When the answer is due, by `performance.now()`; without it each statement counts from when it was asked for. */
  endsAt?: number
  /** Whether nobody waits for the answer any more. */
  isGone?: () => boolean
}

/** How long things may take, in milliseconds: a statement, a request that reads, a write. */
export type Deadlines = { statement: number; read: number; write: number }

/** The deadlines of decisions.md §12. */
export const usualDeadlines: Deadlines = {
  statement: 5000,
  read: lifetimes.read.seconds * 1000,
  write: lifetimes.write.seconds * 1000,
}

/** A statement that may be ended in the database: it is at work once it was sent, which may wait for a connection to be made. */
export type Stoppable = { isSent: () => boolean; stop: () => void }
type Running = Stoppable & { beganAt: number }

/** One statement or one transaction, from being asked for to its end. */
export type Turn = Asking & {
  asker: Asker
  askedAt: number
  hasBegun?: boolean
  /** When it began, or a statement of it began or ended, by `performance.now()`. */
  movedAt?: number
  /** What runs in it now. */
  running?: Running
  /** Why it was given up; whatever runs still has its place until it really ends. */
  failed?: Error
  /** Rejects the waiting caller. */
  giveUp: (error: Error) => void
}

export type Connections = {
  take: (turn: Turn) => void
  /** Notes which statement a turn runs now; undefined for none. */
  note: (turn: Turn, statement: Stoppable | undefined) => void
  /** To be called once when it has ended, whatever became of it. */
  end: (turn: Turn) => void
  counts: () => { running: number; waiting: number }
  /** When something ended last, by `performance.now()`. */
  endedAt: () => number
}

type Options = {
  places: number
  deadlines: Deadlines
  /** Whether the database answers at all; asked while something has waited for long. */
  isAnswering: () => Promise<boolean>
  /** Whether a statement may be stopped for no other reason than that nobody waits for it. */
  stopsFreely: boolean
}

const tickMilliseconds = 100
/** After this long the database is asked whether it answers at all; if it does not, a request ends within 9 s. */
const suspiciousMilliseconds = 7000
const askAgainMilliseconds = 500
/** A process that slept or stalled for longer than this did not give its statements their time. */
const stallMilliseconds = 1000

/**
 * Shares the connections of a database among callers in turn (decisions.md §12): of one caller at most a quarter of them are
 * at work, in the lane of what may read much at most half. Ends what is late, and what nobody waits for.
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
  /** Time as statements see it: without what the process slept. */
  const time = () => performance.now() - stalled

  const giveUp = (turn: Turn, error: Error) => {
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
