import type { Database } from '../../db/client.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { traceOf } from '../lib/origin.ts'
import type { Storage } from '../lib/storage.ts'
import { type SpanTerms, type Tracing, traced } from '../lib/tracing.ts'
import type { Claimed } from './claim.ts'
import { GiveUp, type Runnable } from './define.ts'
import { untilWritten } from './gather.ts'
import { type Completed, fail, LeaseLost, saveProgress } from './settle.ts'

/** What the queue itself needs from the world that jobs run in. */
export type Surroundings = { db: Database; clock: Clock; log: Log; storage?: Pick<Storage, 'note'>; tracing?: Tracing }

/** The reason of an aborted signal: the process is stopping, and the job continues at the next start. */
export class Stopping extends Error {}

/** How the attempt ended. A job that was `cut` continues at the next start, one that was `lost` in another process. */
export type Outcome = 'completed' | 'queued' | 'failed' | 'cut' | 'lost'

/** Runs a claimed job once and records how it went. Success is recorded with `completed`. */
export const attempt = async <World extends Surroundings>(
  world: World,
  job: Runnable<World>,
  claimed: Claimed,
  own: { holder: string; signal: AbortSignal; completed: (done: Completed) => Promise<void> },
): Promise<Outcome> => {
  const { db, clock, log } = world
  const { id, payload, progress, attempt } = claimed
  const origin = claimed.origin ?? undefined
  const began = performance.now()
  const tell = (outcome: Outcome, level: 'info' | 'warn' | 'error' = 'info', more = {}) => {
    const milliseconds = Math.round(performance.now() - began)
    log[level]('job', { name: job.name, id, attempt, outcome, milliseconds, request_id: origin?.request_id, ...more })
    return outcome
  }
  try {
    const perform = () => {
      const cause = world.tracing ? { ...origin, ...world.tracing.current() } : origin
      return job.perform({ ...world, db: db.forJob(job.name, cause) }, payload, {
        id,
        attempt,
        now: clock.now(),
        signal: own.signal,
        progress: progress ?? undefined,
        save: (tx, reached) => saveProgress(tx, own.holder, id, reached),
      })
    }
    const result = await traced(world.tracing, spanOf(job.name, claimed), perform)
    await own.completed({ id, result, forgets: job.forgets })
    return tell('completed')
  } catch (error) {
    world.storage?.note(error)
    if (error instanceof LeaseLost || own.signal.reason instanceof LeaseLost) return tell('lost', 'warn')
    if (own.signal.aborted) return tell('cut')
    const message = error instanceof Error ? error.message || error.name : String(error)
    const isFinal = error instanceof GiveUp
    const status = await untilWritten(
      () => fail(db, clock, own.holder, { id, attempt, message, isFinal }),
      () => own.signal.aborted,
    )
    if (status === 'failed') return tell('failed', 'error', { message })
    return status === 'queued' ? tell('queued', 'warn', { message }) : tell('lost', 'warn')
  }
}

/** A job continues the trace of the request that enqueued it, by the semantic conventions of messages. */
const spanOf = (name: string, { id, attempt, origin }: Claimed): SpanTerms => ({
  name: `process ${name}`,
  kind: 'consumer',
  attributes: {
    'messaging.system': 'cardstock',
    'messaging.operation.type': 'process',
    'messaging.operation.name': 'process',
    'messaging.destination.name': name,
    'messaging.message.id': id,
    'cardstock.job.attempt': attempt,
    'cardstock.request_id': origin?.request_id,
  },
  from: traceOf(origin),
})
