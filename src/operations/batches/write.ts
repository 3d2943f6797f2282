import type { Database, Transaction } from '../../../db/client.ts'
import { type Act, writeAudit } from '../../audit/write.ts'
import { keepPace } from '../../catalog/import/write/run/pace.ts'
import { insertBeside } from '../../catalog/write/card/optimistic.ts'
import { idsInEntry } from '../../catalog/write/history/audit.ts'
import type { Writer } from '../../catalog/write/record.ts'
import { enter } from '../../catalog/write/write-transaction.ts'
import { validationFailed } from '../../jsonapi/errors.ts'
import { type Ahead, layOutAhead, type Written, writeRows } from './chunk.ts'
import { atStart, type Reached, withResults } from './results.ts'
import { failed, type Result, type Row, readRow, refuseRepeated } from './row.ts'
import type { Rows } from './rows.ts'

/** The input of a batch: cards as resource objects, and whether to write them to parallels, too. */
type Batch = { rows: Rows; propagate: boolean }

type Options = {
  now: () => Date
  /** Who sent the batch. */
  agent: Act['agent']
  /** The progress of the batch so far. */
  from?: Reached
  /** Stores a chunk's results in its transaction. Gets the position of its first row, and the batch's progress after it. */
  keep: (tx: Transaction, results: Result[], chunk: { first: number; reached: Reached }) => Promise<void>
  signal?: AbortSignal
  /** Whether a chunk may be written at the same time as the previous one, which takes a second connection. */
  isBeside?: boolean
}

/** A chunk that is being written. `isWritten` resolves to false as soon as an insert ahead has to start over. */
type Writing = { isAhead: boolean; isWritten: Promise<boolean>; written: Promise<void> }
const nothing: Writing = { isAhead: true, isWritten: Promise.resolve(true), written: Promise.resolve() }

/** With parallels, a row is many cards. This is the guess until the first chunk shows the real number. */
const guessedPropagated = 10

/**
 * Writes a batch in chunks, each in its own transaction. A committed chunk isn't written again. An invalid row doesn't affect the
 * others. If the database refuses a chunk, smaller ones find the bad row. On a server, two chunks of new cards are written at the
 * same time, and committed one after the other. Returns the progress after all rows.
 */
export const writeBatch = async (db: Database, { rows, propagate }: Batch, options: Options): Promise<Reached> => {
  const { now, agent, signal } = options
  const pace = keepPace(db.kind)
  const mayBeAhead = options.isBeside && pace.isAhead && !propagate
  let reached = options.from ?? atStart
  let cardsOfRow = propagate ? guessedPropagated : 1
  const writer = (): Writer => ({ level: 1, now: now(), agent: agent as Writer['agent'], isFolded: true })
  const edited = { created: new Set<string>(), updated: new Set<string>() }
  const read = async (first: number) => {
    const some = await rows.read(first, Math.max(1, Math.floor(pace.cards() / cardsOfRow)))
    return some.map((row, at) => onlyFirst(readRow(row, first + at), rows.repeated))
  }
  const keep = async (tx: Transaction, results: Result[]) => {
    const next = withResults(reached, results)
    for (const { id, status } of results)
      if (status !== 'failed' && id && edited[status].size < idsInEntry) edited[status].add(id)
    await options.keep(tx, results, { first: reached.done, reached: next })
    if (next.done === rows.count) await logBatch(tx, next, edited, { agent, now: now() })
    return next
  }
  const commit = (work: (tx: Transaction) => Promise<Written> | Written) =>
    enter(db, async (tx) => {
      const { results, cards } = await work(tx)
      return { next: await keep(tx, results), cards }
    })

  const write = async (chunk: (Row | Result)[]) => {
    let most = chunk.length
    for (let first = 0; first < chunk.length; ) {
      signal?.throwIfAborted()
      const some = chunk.slice(first, first + most)
      const started = performance.now()
      let cards = some.length
      try {
        const written = await commit((tx) => writeRows(tx, some, propagate, writer()))
        reached = written.next
        cards = written.cards
      } catch (error) {
        if (!isOfRows(error)) throw error
        most = Math.ceil(some.length / 2)
        if (some.length > 1) continue
        reached = (await commit(() => ({ results: some.map(refusedByDatabase), cards }))).next
      }
      first += some.length
      most = chunk.length
      cardsOfRow = Math.max(1, cards / some.length)
      pace.took(cards, performance.now() - started)
      if (reached.done < rows.count) await pace.rest()
    }
  }

  const writeAhead = async ({ insert, results }: Ahead, isBeforeWritten: Promise<boolean>) => {
    let next = reached
    const isWritten = await insertBeside(
      (work) => enter(db, work),
      insert,
      isBeforeWritten,
      async (tx) => {
        next = await keep(tx, results)
      },
    ).catch((error) => {
      if (isOfRows(error)) return false
      throw error
    })
    if (isWritten) reached = next
    return isWritten
  }

  const begin = (chunk: (Row | Result)[], ahead: Ahead | undefined, before: Writing): Writing => {
    const tried = ahead ? writeAhead(ahead, before.isWritten) : Promise.resolve(false)
    const written = tried.then(async (isWritten) => {
      await before.written
      if (!isWritten) await write(chunk)
    })
    written.catch(() => undefined)
    return {
      isAhead: ahead !== undefined,
      isWritten: (ahead ? tried : written.then(() => true)).catch(() => false),
      written,
    }
  }

  let earlier = nothing
  let last = nothing
  try {
    for (let first = reached.done; first < rows.count; ) {
      if (!mayBeAhead) await last.written
      signal?.throwIfAborted()
      const chunk = await read(first)
      const ahead = mayBeAhead ? await layOutAhead(db, chunk, writer()) : undefined
      await (ahead && last.isAhead ? earlier : last).written
      ;[earlier, last] = [last, begin(chunk, ahead, last)]
      first += chunk.length
    }
    await last.written
  } finally {
    await Promise.allSettled([earlier.written, last.written])
  }
  return reached
}

/** One entry of the audit log for the cards that a batch created, and one for those that it updated. */
const logBatch = async (
  tx: Transaction,
  reached: Reached,
  edited: Record<'created' | 'updated', Set<string>>,
  by: Act,
) => {
  const entries = (['created', 'updated'] as const).flatMap((verb) => {
    const data = { count: reached[verb], ids: [...edited[verb]] }
    return data.count > 0 ? [{ eventType: `card.${verb}`, auditableType: 'card', data }] : []
  })
  await writeAudit(tx, by, entries)
}

/** Makes a row fail if an earlier one has the same id. */
const onlyFirst = (row: Row | Result, repeated: Rows['repeated']): Row | Result =>
  'document' in row && repeated.has(row.no) ? refuseRepeated(row) : row

/** Whether the database refused the data. Trouble with connections and locks isn't a row's fault. */
const isOfRows = (error: unknown) => /^2[23]/.test(String((error as { code?: unknown }).code ?? ''))

const refusedByDatabase = (row: Row | Result): Result =>
  'document' in row
    ? failed(row.id, row.no, validationFailed([{ pointer: '/data', detail: 'The database refuses this card.' }]))
    : row
