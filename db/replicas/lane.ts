import type postgres from 'postgres'
import { hasCode, isAway, isConnectionLost } from '../faults.ts'
import type { Statement } from '../serve.ts'
import { inTime, Late } from './in-time.ts'

/**
 * Why a replica didn't answer: it is `away`, or `changed` since it was examined, or `behind`, or `slow` (which includes a conflict
 * with what it replays); or the `statement` itself failed.
 */
export type Refusal = 'away' | 'changed' | 'behind' | 'slow' | 'statement'

/** What came of a read, and when its connection is free again. */
export type Read = { outcome: Promise<{ rows: unknown } | { refusal: Refusal }>; settled: Promise<unknown> }

/** Where a read has to find a replica: this far, and started at the time that it had when it was examined. */
export type Required = { lsn: string; started: string }

/** How long a replica may take to say its position, and for a statement altogether, in milliseconds. */
export const laneDeadlines = { position: 1000, statement: 2000 }

const askPosition = `
  select pg_is_in_recovery() and pg_postmaster_start_time()::text = $2 as is_same,
    pg_last_wal_replay_lsn() >= $1::text::pg_lsn as has_reached`

type Place = { is_same: boolean; has_reached: boolean }

/**
 * Reads on a replica's connection if that has reached a position. This is asked in a statement of its own, because within one
 * statement it would be answered later than the rows are chosen. Both are sent at once.
 */
export const readOnLane = (client: postgres.Sql, statement: Statement, { lsn, started }: Required): Read => {
  const beganAt = performance.now()
  const place = client.unsafe<[Place]>(askPosition, [lsn, started], { prepare: true, texts: true }).execute()
  const rows = twinOn(client, statement).execute()
  const read = async () => {
    try {
      const [{ is_same: isSame, has_reached: hasReached }] = await inTime(place, laneDeadlines.position)
      if (!isSame) return { refusal: 'changed' } as const
      if (!hasReached) return { refusal: 'behind' } as const
    } catch (error) {
      if (error instanceof Late) drop(client)
      return { refusal: hasCode(error, '40001') ? 'slow' : 'away' } as const
    }
    try {
      const answer = await inTime(rows, laneDeadlines.statement - (performance.now() - beganAt))
      Object.assign(statement, { string: rows.string, sentAt: beganAt })
      return { rows: answer }
    } catch (error) {
      if (error instanceof Late) drop(client)
      return { refusal: refusalOf(error) }
    }
  }
  return { outcome: read(), settled: Promise.allSettled([place, rows]) }
}

/** Throws a client's connections away without waiting for their server. */
export const drop = (client: postgres.Sql) => {
  for (const line of client.lines()) line.drop()
}

const refusalOf = (error: unknown): Refusal => {
  if (error instanceof Late || hasCode(error, '40001', '57014')) return 'slow'
  // It only reads, which some statements can't do with.
  if (hasCode(error, '25006', '55000')) return 'statement'
  return isConnectionLost(error) || isAway(error) ? 'away' : 'statement'
}

/** The same statement for another client. */
const twinOn = (client: postgres.Sql, { tagged, strings, args, options, isRaw }: Statement) => {
  const twin: postgres.PendingQuery<postgres.Row[]> & { string?: string } = tagged
    ? client(strings as unknown as TemplateStringsArray, ...(args as never[]))
    : client.unsafe(strings[0] ?? '', args as never[], { ...options })
  return Object.assign(twin, { isRaw })
}

/** Whether a statement reads, and arrives as a whole. */
export const isRead = ({ strings, cursorFn, forEachFn, onlyDescribe }: Statement): boolean =>
  !cursorFn && !forEachFn && !onlyDescribe && /^\s*(select|with)\b/i.test(strings[0] ?? '')
