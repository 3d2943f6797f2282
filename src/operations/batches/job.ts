import { Type } from '@sinclair/typebox'
import { refuseOnMirror } from '../../access/mirror.ts'
import type { Context } from '../../context.ts'
import { defineJob } from '../../jobs/define.ts'
import { keepResults } from './results.ts'
import { writeBatch } from './write.ts'

const count = () => Type.Integer({ minimum: 0 })

/**
 * Writes a large card batch. Each chunk, its results and the progress are one transaction, so that an interrupted job continues
 * after the last of them. The rows are deleted when all are written. It has priority over imports, which may be long.
 */
export const writeCardBatch = defineJob({
  name: 'card_batch',
  payload: Type.Object({
    rows: Type.Array(Type.Unknown()),
    propagate: Type.Boolean(),
    agent: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  }),
  progress: Type.Object({ done: count(), created: count(), updated: count(), failed: count() }),
  forgets: true,
  priority: 1,
  run: async ({ db, clock }: Context, batch, job) => {
    await refuseOnMirror(db)
    await writeBatch(db, batch, {
      now: clock.now,
      agent: batch.agent ?? null,
      from: job.progress,
      signal: job.signal,
      isBeside: true,
      keep: async (tx, results, { first, reached }) => {
        await keepResults(tx, job.id, first, results)
        await job.save(tx, reached)
      },
    })
  },
})
