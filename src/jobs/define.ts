import type { Static, TSchema, TUnknown } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Queryable } from '../../db/client.ts'

/** A job that is at work, as its `run` sees it. */
export type Running<Progress> = {
  id: string
  /** 1 at the first try. */
  attempt: number
  /** What was saved last, at this attempt or an earlier one. */
  progress: Progress | undefined
  /** The service's time when this attempt began. */
  now: Date
  /**
   * Keeps how far the job is, in the transaction of the work that it tells of: both are done or neither is. Throws where
   * the job was taken from this process meanwhile, so that nothing is done twice.
   */
  save: (tx: Queryable, progress: Progress) => Promise<void>
  /** Aborted when the process is told to stop: end at the next safe place by throwing its reason. The next start goes on. */
  signal: AbortSignal
}

/** What has to be known of a job to enqueue it. */
export type Enqueued<Payload> = {
  name: string
  attempts: number
  priority: number
  write: (payload: Payload) => string
}

/** What has to be known of a job to run it. */
export type Runnable<World> = {
  name: string
  /** Whether the payload is blanked once the job is completed. */
  forgets: boolean
  perform: (world: World, payload: unknown, job: Running<unknown>) => Promise<unknown>
}

export type Job<World, Payload> = Enqueued<Payload> & Runnable<World>

/** Thrown by a job that no further attempt would help. */
export class GiveUp extends Error {}

/**
 * Declares a job. `run` may be cut anywhere and begun again, so that it does each thing under a key or together with its
 * progress. An object that it answers is kept as the result. It fails for good after so many `attempts`, or by GiveUp.
 * Jobs of a higher priority go first; one that `forgets` loses its payload when it is done.
 */
export const defineJob = <World, P extends TSchema, G extends TSchema = TUnknown>(job: {
  name: string
  payload: P
  progress?: G
  attempts?: number
  priority?: number
  forgets?: boolean
  run: (world: World, payload: Static<P>, job: Running<Static<G>>) => Promise<unknown>
}): Job<World, Static<P>> => ({
  name: job.name,
  attempts: job.attempts ?? 10,
  priority: job.priority ?? 0,
  forgets: job.forgets ?? false,
  write: (payload) => JSON.stringify(required(job.name, job.payload, payload)),
  perform: async (world, payload, { progress, ...running }) =>
    job.run(world, required(job.name, job.payload, payload), {
      ...running,
      progress: progress && job.progress ? required(job.name, job.progress, progress) : progress,
    }),
})

const required = <S extends TSchema>(name: string, schema: S, value: unknown): Static<S> => {
  if (Value.Check(schema, value)) return value
  const fault = Value.Errors(schema, value).First()
  throw new GiveUp(`The job ${name} does not take this at ${fault?.path || '/'}: ${fault?.message}`)
}
