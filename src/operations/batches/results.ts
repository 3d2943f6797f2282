import type { Queryable, Transaction } from '../../../db/client.ts'
import { cardBatches, cardBatchResults } from '../../../db/schema/index.ts'
import type { JobStatus } from '../../jobs/read.ts'
import type { Result } from './row.ts'

/** The progress of a batch: how many rows are done, and with which results. */
export type Reached = { done: number; created: number; updated: number; failed: number }

/** A batch before its first row. */
export const atStart: Reached = { done: 0, created: 0, updated: 0, failed: 0 }

/** The progress of a batch after the results of its next rows. */
export const withResults = (reached: Reached, results: Result[]): Reached => {
  const next = { ...reached, done: reached.done + results.length }
  for (const { status } of results) next[status]++
  return next
}

/** Stores how many rows a job's batch has, before its first chunk is written. */
export const beginResults = async (tx: Transaction, jobId: string, total: number) => {
  await tx.orm.insert(cardBatches).values({ job_id: jobId, total })
}

/** Stores the results of a chunk, in the transaction that wrote it. */
export const keepResults = async (tx: Transaction, jobId: string, first: number, results: Result[]) => {
  await tx.orm.insert(cardBatchResults).values({ job_id: jobId, first, results })
}

/** The state of a job's batch: status, total, counts, and the results so far as the text of a JSON array. */
export const readResults = async ({ sql }: Queryable, jobId: string) => {
  const [row] = await sql<{ status: JobStatus; total: number; reached: Reached | null; results: string | null }[]>`
    select j.status, b.total, j.progress as reached, (
      select string_agg(substr(r.results::text, 2, length(r.results::text) - 2), ',' order by r.first)
      from card_batch_results r where r.job_id = b.job_id
    ) as results
    from jobs j join card_batches b on b.job_id = j.id where j.id = ${jobId}`
  return row && { ...row, results: `[${row.results ?? ''}]` }
}
