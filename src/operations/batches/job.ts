import { Type } from '@sinclair/typebox'
import type { Transaction } from '../../../db/client.ts'
import { refuseOnMirror } from '../../access/mirror.ts'
import type { Act } from '../../audit/write.ts'
import type { Context } from '../../context.ts'
import { defineJob } from '../../jobs/define.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { beginResults, keepResults } from './results.ts'
import { repeatedIn } from './row.ts'
import { keepRows, keptRows, removeRows, rowsInMemory } from './rows.ts'
import { writeBatch } from './write.ts'

const count = () => Type.Integer({ minimum: 0 })

/**
 * Writes a large card batch. Each chunk is written in one transaction with its results and the progress, so that an interrupted job
 * continues after the last one. The rows are read one chunk at a time and deleted with the last chunk. The job has priority over
 * imports, which may take long.
 */
export const writeCardBatch = defineJob({
  name: 'card_batch',
  payload: Type.Object({
    kept: Type.Optional(Type.Object({ count: count(), repeated: Type.Array(count()) })),
    /** In jobs from before rows were kept apart. */
    rows: Type.Optional(Type.Array(Type.Unknown())),
    propagate: Type.Boolean(),
    agent: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  }),
  progress: Type.Object({ done: count(), created: count(), updated: count(), failed: count() }),
  forgets: true,
  priority: 1,
  run: async ({ db, clock }: Context, { kept, rows: sent = [], propagate, agent }, job) => {
    await refuseOnMirror(db)
    const rows = kept ? keptRows(db, job.id, kept.count, kept.repeated) : rowsInMemory(sent)
    await writeBatch(
      db,
      { rows, propagate },
      {
        now: clock.now,
        agent: agent ?? null,
        from: job.progress,
        signal: job.signal,
        isBeside: true,
        keep: async (tx, results, { first, reached }) => {
          await keepResults(tx, job.id, first, results)
          if (reached.done === rows.count) await removeRows(tx, job.id)
          await job.save(tx, reached)
        },
      },
    )
  },
})

/** Queues a job that writes a batch, in the caller's transaction, and returns its id. */
export const enqueueBatch = async (
  tx: Transaction,
  rows: readonly unknown[],
  { now, ...batch }: { propagate: boolean; agent: Act['agent']; now: Date },
): Promise<string> => {
  const kept = { count: rows.length, repeated: repeatedIn(rows) }
  const jobId = await enqueue(tx, writeCardBatch, { ...batch, kept }, { now })
  await beginResults(tx, jobId, rows.length)
  await keepRows(tx, jobId, rows)
  return jobId
}
