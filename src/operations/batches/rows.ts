/*
 * A card batch stores its rows next to its job, in pieces of 250, so that the job never has more than two chunks of
 * rows in memory. They're deleted with the last chunk, or with the job if it failed permanently.
 */

import type { Database, Transaction } from '../../../db/client.ts'
import { cardBatchRows } from '../../../db/schema/index.ts'
import { GiveUp } from '../../jobs/define.ts'
import { repeatedIn } from './row.ts'

/** The rows of a batch, read some at a time. `repeated` has the positions of rows whose id an earlier row already has. */
export type Rows = {
  count: number
  repeated: ReadonlySet<number>
  read: (first: number, most: number) => Promise<readonly unknown[]>
}

/** Rows that are all in memory. */
export const rowsInMemory = (rows: readonly unknown[]): Rows => ({
  count: rows.length,
  repeated: new Set(repeatedIn(rows)),
  read: async (first, most) => rows.slice(first, first + most),
})

/** Rows per piece. A job reads a few pieces per chunk, and `cardstock copy` has a thousand pieces in memory. */
const atOnce = 250

/** Stores the rows of a job's batch. */
export const keepRows = async (tx: Transaction, jobId: string, rows: readonly unknown[]) => {
  for (let first = 0; first < rows.length; first += atOnce)
    await tx.orm.insert(cardBatchRows).values({ job_id: jobId, first, rows: rows.slice(first, first + atOnce) })
}

/** The stored rows of a job's batch. Only the rows being read are in memory. */
export const keptRows = ({ sql }: Database, jobId: string, count: number, repeated: readonly number[]): Rows => ({
  count,
  repeated: new Set(repeated),
  read: async (from, most) => {
    const pieces = await sql<{ first: number; rows: unknown[] }[]>`
      select first, rows from card_batch_rows where job_id = ${jobId} and first < ${from + most}::int and first >= (
        select max(first) from card_batch_rows where job_id = ${jobId} and first <= ${from}::int
      ) order by first`
    const [piece] = pieces
    if (!piece) throw new GiveUp('Its rows no longer exist.')
    return pieces.flatMap(({ rows }) => rows).slice(from - piece.first, from - piece.first + most)
  },
})

/** Removes the rows of a job's batch, in the transaction that wrote the last one. */
export const removeRows = async ({ sql }: Transaction, jobId: string) => {
  await sql`delete from card_batch_rows where job_id = ${jobId}`
}
