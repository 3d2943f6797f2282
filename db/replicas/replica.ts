import postgres from 'postgres'
import type { Log } from '../../src/lib/log.ts'
import { readPostgresUrl, sayAddress } from '../../src/lib/postgres-url.ts'
import { hasCode } from '../faults.ts'
import type { Statement } from '../serve.ts'
import { type Connections, type Deadlines, shareConnections } from '../turns.ts'
import { inTime, Late } from './in-time.ts'
import { openLag } from './lag.ts'
import { drop, type Read, type Refusal, readOnLane } from './lane.ts'
import { openPauses } from './pauses.ts'
import type { Mark } from './position.ts'
import { findForeign, readSeen, type Seen } from './probe.ts'

/** What replicas have in common. `mark` is where they have to be. */
export type Surroundings = {
  connect: (url: string) => postgres.Sql
  places: number
  deadlines: Deadlines
  database: string
  mark: () => Mark
  log?: Log
}

/** A server that answers reads while it has reached the catalog's state. */
export type Replica = {
  server: string
  connections: Connections
  /** Whether reads may go there, as far as is known. */
  isServing: () => boolean
  /** Reads there. Undefined if it was left out meanwhile. */
  read: (statement: Statement) => Read | undefined
  lagSeconds: () => number
  close: () => Promise<unknown>
}

/** How often one that serves is examined, in milliseconds, and how long it may take to answer that. */
const everyMilliseconds = 1000
const answerMilliseconds = 1000

const silent = 'it does not answer'

/**
 * Follows a replica. One that refuses is left out for a pause that grows, is asked again in the background, and comes back by
 * itself.
 */
export const openReplica = (
  url: string,
  { connect, places, deadlines, database, mark, log }: Surroundings,
): Replica => {
  const server = sayAddress(readPostgresUrl(url))
  const lanes = Array.from({ length: places }, () => connect(url))
  const free = [...lanes]
  const examiner = connect(url)
  const [pauses, lag] = [openPauses(), openLag()]
  let serving: { started: string; timeline: string } | undefined
  let said: string | undefined
  let timer: Timer | undefined
  let isClosed = false

  const examineIn = (milliseconds: number) => {
    clearTimeout(timer)
    if (isClosed) return
    timer = setTimeout(() => void examine(), milliseconds)
    timer.unref()
  }
  /** `reason` is for the log. One that is behind or slow for a moment needs no line. */
  const leaveOut = (kind: 'brief' | 'long', reason?: string) => {
    serving = undefined
    if (reason && reason !== said) log?.warn('replica left out', { server, reason })
    said = reason ?? said
    examineIn(pauses.next(kind, performance.now()))
  }
  const examine = async () => {
    const now = mark()
    try {
      const seen = await inTime(readSeen(examiner, now), answerMilliseconds)
      lag.note(now.flushed, seen.replayed, performance.now())
      const fault = findForeign(seen, database, mark())
      if (fault) return leaveOut('long', fault)
      if (!serving && !seen.has_reached) return leaveOut('brief')
      serve(seen)
    } catch (error) {
      if (error instanceof Late) drop(examiner)
      lag.note(now.flushed, undefined, performance.now())
      if (hasCode(error, '40001')) return leaveOut('brief')
      leaveOut('long', error instanceof postgres.PostgresError ? error.message : silent)
    }
  }
  const serve = ({ started, timeline }: Seen) => {
    if (!serving) pauses.well(performance.now())
    if (said !== undefined) log?.info('replica is back', { server })
    said = undefined
    serving = { started, timeline }
    examineIn(everyMilliseconds)
  }
  const isServing = () => serving !== undefined && serving.timeline === mark().needed.timeline
  const heed = (refusal: Refusal) => {
    if (!serving || refusal === 'statement') return
    if (refusal === 'behind' || refusal === 'slow') leaveOut('brief')
    else leaveOut('long', refusal === 'away' ? silent : 'it was promoted or started anew')
  }

  examineIn(0)
  return {
    server,
    connections: shareConnections({ places, deadlines, isAnswering: async () => true, stopsFreely: false }),
    isServing,
    read: (statement) => {
      const lane = serving && isServing() ? free.pop() : undefined
      if (!lane || !serving) return undefined
      const { outcome, settled } = readOnLane(lane, statement, { lsn: mark().needed.lsn, started: serving.started })
      void settled.then(() => free.push(lane))
      void outcome.then((result) => 'refusal' in result && heed(result.refusal))
      return { outcome, settled }
    },
    lagSeconds: () => lag.seconds(performance.now()),
    close: () => {
      isClosed = true
      clearTimeout(timer)
      return Promise.all([...lanes, examiner].map((client) => client.end({ timeout: 1 })))
    },
  }
}
