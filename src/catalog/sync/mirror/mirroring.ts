/*
 * A mirror writes what another service decided, through the same floor (`Writer.mirrored`: times and places of sets
 * come from the source). A row of `mirror` marks the database. The gate reads it in its statement, so every process
 * refuses writes.
 *
 * - One process holds the row's lease and follows the feed. Its cursor, or its step while filling, is saved in the
 *   same transaction as whatever was applied.
 * - The feed shows records as they are now, so a record may refer to one that comes later. It then waits in
 *   `mirror_waiting` under the other one's id.
 * - Whatever only one record may have (a name, a player-team's pair, an object's value) goes at once to the record
 *   that has it at the source. The local record that has it gives it up, because its own change is still to come.
 *   Waiting for that change could leave two records waiting for each other.
 * - Filling writes each file from first line to last, parents first. Then, from the last type to the first, it removes
 *   whatever lies between two lines of a file but isn't in it: files and tables are both in the order of ids.
 */

import { setTimeout } from 'node:timers/promises'
import type { Database } from '../../../../db/client.ts'
import { findMirror } from '../../../access/mirror.ts'
import type { Context } from '../../../context.ts'
import { ApiError } from '../../../jsonapi/errors.ts'
import { DamagedFile, NoFittingFiles, openShelf } from './files.ts'
import { fill } from './fill.ts'
import { followOnce } from './follow.ts'
import type { Following } from './following.ts'
import { backoffSeconds, paceSeconds } from './pace.ts'
import { Unreadable } from './record.ts'
import { type Source, SourceFault } from './source.ts'
import { holdMirror, NotHolder, noteFault, releaseMirror, startFilling } from './state.ts'

const sources = new WeakMap<Database, Source>()

/** The source that this process follows for a database. */
export const sourceOf = (db: Database): Source | undefined => sources.get(db.shared)

const [holdMilliseconds, lookMilliseconds] = [1500, 1000]

/**
 * Follows a source on a database that is marked as a mirror: fills the catalog, then applies changes. If several processes share the
 * database, one follows and the others stand by. Failures are retried after longer and longer waits. Returns a function that stops it.
 */
export const startMirroring = (context: Context, source: Source): (() => Promise<void>) => {
  const { db, clock, log, config } = context
  const stopping = new AbortController()
  const { signal } = stopping
  const shelf = openShelf(`${config.dataDir}/mirror`)
  const holder = Bun.randomUUIDv7()
  sources.set(db.shared, source)
  let held: Promise<unknown> = Promise.resolve()
  const hold = () => {
    held = held.then(() => holdMirror(db, holder)).catch(() => {})
  }
  const holding = setInterval(hold, holdMilliseconds)
  const running = follow({ db, clock, log, source, holder, shelf, signal }).finally(() => clearInterval(holding))
  return async () => {
    stopping.abort(new Error('The service stops.'))
    await running
    // If the lease were taken after the release, the next process would have to wait.
    await held
    await releaseMirror(db, holder).catch(() => {})
  }
}

const follow = async (following: Following) => {
  const { db, log, signal, holder } = following
  let failures = 0
  while (!signal.aborted)
    try {
      const mirror = await findMirror(db)
      if (!mirror) return log.info('mirror_stopped')
      if (!(await holdMirror(db, holder))) await rest(lookMilliseconds, signal)
      else if (mirror.state !== 'following' || mirror.cursor === null) await fill(following)
      else await followPaced(following, mirror.cursor)
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      failures++
      await fail(following, error as Error, failures)
    }
}

/** Asks once, then waits as long as the credential's rate window requires. */
const followPaced = async (following: Following, cursor: string) => {
  const { source, signal } = following
  const began = performance.now()
  const hasMore = await followOnce(following, cursor)
  await rest(paceSeconds(source.allowance(), hasMore) * 1000 - (performance.now() - began), signal)
}

const fail = async (following: Following, error: Error, failures: number) => {
  const { db, clock, log, signal, holder, source } = following
  if (error instanceof NotHolder) return rest(lookMilliseconds, signal)
  const { message } = error
  const isLost = error instanceof SourceFault && (error.status === 410 || error.status === 400)
  if (isLost || (isRefused(error) && failures >= mostRefusals)) {
    log.warn('mirror_fills_again', { message })
    await startFilling(db, holder, isLost ? 'any' : 'newer').catch(() => {})
  } else if (error instanceof DamagedFile) {
    const { resource, expected, actual } = error
    log.error('bulk_file_damaged', { resource, expected_sha256: expected, actual_sha256: actual })
  } else if (error instanceof NoFittingFiles) log.warn('mirror_waits_for_files', { message })
  else if (error instanceof SourceFault) log.warn('mirror_source_away', { message, failures })
  else log.error('mirror_failed', { message, failures })
  await noteFault(db, holder, shown(error), clock.now()).catch(() => {})
  const asked = error instanceof SourceFault ? error.retryAfterSeconds : 0
  const paced = error instanceof NoFittingFiles ? paceSeconds(source.allowance(), false) * requestsPerLook : 0
  await rest(Math.max(backoffSeconds(failures, asked), paced) * 1000, signal)
}

/** Looking for files takes two requests: one for the list, and one to see if the feed continues from them. */
const requestsPerLook = 2

/** The message that everyone may read. What the database said only goes to the log. */
const shown = (error: Error) =>
  error instanceof SourceFault || error instanceof DamagedFile
    ? error.message
    : "The source's data could not be saved here. The log has the reason (mirror_failed)."

/** After this many failures, a page of changes is given up, and newer files are used to fill the catalog again. */
const mostRefusals = 3

const isRefused = (error: Error & { code?: unknown }) =>
  error instanceof ApiError || error instanceof Unreadable || /^2[23]/.test(String(error.code ?? ''))

/** Waits for some time, or until the process stops. */
const rest = async (milliseconds: number, signal: AbortSignal) => {
  if (milliseconds > 0) await setTimeout(milliseconds, undefined, { signal }).catch(() => {})
}
