import { type Static, type TObject, type TSchema, type TUnknown, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Queryable } from '../../db/client.ts'

/** A running job, as its `run` sees it. */
export type Running<Progress> = {
  id: string
  /** 1 at the first attempt. */
  attempt: number
  /** The progress saved last, in this attempt or an earlier one. */
  progress: Progress | undefined
  /** The service's time when this attempt began. */
  now: Date
  /**
   * Saves the job's progress in the transaction of its work, so that both are committed or neither is. Throws if another
   * process has taken the job, so that nothing is done twice.
   */
  save: (tx: Queryable, progress: Progress) => Promise<void>
  /** Aborted when the process stops. Throw its reason at the next safe place. The job continues at the next start. */
  signal: AbortSignal
}

/** What is needed to enqueue a job. */
export type Enqueued<Payload> = {
  name: string
  attempts: number
  priority: number
  write: (payload: Payload) => string
}

/** What is needed to run a job. */
export type Runnable<World> = {
  name: string
  /** Whether the payload is erased once the job is completed. */
  forgets: boolean
  perform: (world: World, payload: unknown, job: Running<unknown>) => Promise<unknown>
}

type Job<World, Payload> = Enqueued<Payload> & Runnable<World>

/** Thrown by a job when another attempt would not help. */
export class GiveUp extends Error {}

/**
 * Declares a job. `run` can be interrupted anywhere and start over, so it does each thing under a key or together with its
 * progress. If it returns an object, that is kept as the result. A job fails permanently after its `attempts`, or when it
 * throws GiveUp. Higher priorities run first. A job that `forgets` loses its payload when it is done.
 */
export const defineJob = <World, P extends TSchema = typeof empty, G extends TSchema = TUnknown>(job: {
  name: string
  payload?: P
  progress?: G
  attempts?: number
  priority?: number
  forgets?: boolean
  run: (world: World, payload: Static<P>, job: Running<Static<G>>) => Promise<unknown>
}): Job<World, Static<P>> => {
  const payload = (job.payload ?? empty) as P
  return {
    name: job.name,
    attempts: job.attempts ?? 10,
    priority: job.priority ?? 0,
    forgets: job.forgets ?? false,
    write: (given) => JSON.stringify(required(job.name, payload, given)),
    perform: async (world, given, { progress, ...running }) =>
      job.run(world, required(job.name, payload, given), {
        ...running,
        progress: progress && job.progress ? required(job.name, job.progress, progress) : progress,
      }),
  }
}

/** The payload of a job without one. */
const empty: TObject<Record<never, never>> = Type.Object({})

const required = <S extends TSchema>(name: string, schema: S, value: unknown): Static<S> => {
  if (Value.Check(schema, value)) return value
  const fault = Value.Errors(schema, value).First()
  throw new GiveUp(`Invalid payload for the job ${name} at ${fault?.path || '/'}: ${fault?.message}`)
}
