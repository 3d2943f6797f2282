import { agentOf } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import { type Call, flatForOperators, type Reply, type Route } from '../../http/route.ts'
import { findJob } from '../../jobs/read.ts'
import { notFound, unavailable } from '../../jsonapi/errors.ts'
import { isUuid } from '../../jsonapi/fields.ts'
import { openLane } from '../../lib/lane.ts'
import { lifetimes, sayDuration } from '../../limits.ts'
import { example, path, readBatch, request, requestExample, state } from './document.ts'
import { enqueueBatch, writeCardBatch } from './job.ts'
import { atStart, type Reached, readResults } from './results.ts'
import type { Result } from './row.ts'
import { rowsInMemory } from './rows.ts'
import { writeBatch } from './write.ts'

type Sent = ReturnType<typeof readBatch>

/** Larger bodies are read one after the other. As objects and statements, one takes ten times its size. */
const largeBytes = 256 * 1024
const inTurn = openLane({
  atOnce: 1,
  waiting: 1000,
  full: () => unavailable('Too many large batches are being read right now. Try again in a moment.'),
  left: () => unavailable('The client left before its batch was read.'),
})

const post = async (context: Context, call: Call): Promise<Reply> => {
  const { batchMax, batchInlineMax } = context.config
  const body = await call.body()
  const read = async () => {
    const batch = readBatch(body, batchMax)
    return batch.rows.length <= batchInlineMax ? batch : writeLater(context, call, batch)
  }
  const done = await (body.length > largeBytes ? inTurn(read) : read())
  return 'rows' in done ? writeNow(context, call, done) : done
}

const writeNow = async ({ db, clock }: Context, call: Call, { rows, propagate }: Sent): Promise<Reply> => {
  const chunks = new Map<number, Result[]>()
  const batch = { rows: rowsInMemory(rows), propagate }
  const reached = await writeBatch(db, batch, {
    now: clock.now,
    agent: agentOf(call.caller),
    keep: async (_, results, { first }) => void chunks.set(first, results),
  })
  const counts = { total: rows.length, ...countsOf(reached) }
  return { status: 200, body: { status: 'completed', job_id: null, ...counts, results: [...chunks.values()].flat() } }
}

const writeLater = async (
  { db, config }: Context,
  { caller, now }: Call,
  { rows, propagate }: Sent,
): Promise<Reply> => {
  const total = rows.length
  const id = await db.transaction((tx) => enqueueBatch(tx, rows, { propagate, agent: agentOf(caller), now }))
  return {
    status: 202,
    headers: { Location: `${config.baseUrl}${path}/${id}` },
    body: { status: 'queued', job_id: id, total, ...countsOf(atStart), results: [] },
  }
}

const poll = async ({ db }: Context, { params, now }: Call): Promise<Reply> => {
  const { job_id: id = '' } = params
  const job = isUuid(id) ? await findJob(db, writeCardBatch.name, id, now) : undefined
  const found = job && (await readResults(db, job.id))
  if (!found) throw notFound('There is no such batch, or its results are no longer kept.')
  const { status, total, reached, results } = found
  const head = JSON.stringify({ status, job_id: job.id, total, ...countsOf(reached ?? atStart) })
  return { status: 200, body: `${head.slice(0, -1)},"results":${results}}` }
}

const countsOf = ({ created, updated, failed }: Reached) => ({ created, updated, failed })

/** Writing many cards at once. Each can fail without affecting the others. */
export const batchRoutes: Route[] = [
  {
    ...flatForOperators,
    method: 'POST',
    path,
    writesCatalog: true,
    operationId: 'writeCardBatch',
    summary: 'Write many cards',
    description:
      'Creates each card, or updates the one with its id. Fields that a row leaves out stay, and a deleted card is restored. An invalid row doesn’t affect the others. Its error points into the request. If two rows have the same id, the second fails. With `meta.propagate`, the set’s parallels get the card, too, with its number, title and entries, and the card as their `parent`. Up to BATCH_INLINE_MAX rows (100) are written before the answer. More, up to BATCH_MAX (10,000), are written by a job: poll its `Location` until it is `completed`.',
    body: {
      schema: request(),
      required: true,
      example: requestExample,
    },
    answers: {
      200: { description: 'The result of each row.', schema: state, example },
      202: {
        description: 'A job writes the rows.',
        schema: state,
        example: { ...example, status: 'queued', job_id: example.results[0]?.id, created: 0, failed: 0, results: [] },
        headers: { Location: 'The URL of the batch’s status.' },
      },
    },
    refusals: [400, 422],
    handle: post,
  },
  {
    ...flatForOperators,
    method: 'GET',
    path: `${path}/:job_id`,
    operationId: 'getCardBatch',
    summary: 'Get the status of a card batch',
    description: `Counts and results of the rows written so far. Available for ${sayDuration(lifetimes.doneJob.seconds)} after the batch is done. After that, returns 404.`,
    answers: { 200: { description: 'The batch.', schema: state, example } },
    refusals: [404],
    handle: poll,
  },
]
