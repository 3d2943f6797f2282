import type { Database, Transaction } from '../../../db/client.ts'
import type { Act } from '../../audit/write.ts'
import { keepPace } from '../../catalog/import/write/run/pace.ts'
import type { Identifier } from '../../catalog/model/resource.ts'
import { cardState } from '../../catalog/write/card/documents.ts'
import { writeCards } from '../../catalog/write/card/write.ts'
import { enter } from '../../catalog/write/enter.ts'
import type { CardPlan, Writer } from '../../catalog/write/record.ts'
import { validationFailed } from '../../jsonapi/errors.ts'
import { followMerged } from './merged.ts'
import { planParallels, watch } from './propagate.ts'
import { atStart, type Reached, withResults } from './results.ts'
import { failed, firstPlaces, type Result, type Row, readRow, refuseRepeated } from './row.ts'

/** The input of a batch: resource objects of cards, and whether parallels get them, too. */
export type Batch = { rows: readonly unknown[]; propagate: boolean }

type Options = {
  now: () => Date
  /** Who sent the batch. */
  agent: Act['agent']
  /** The progress of the batch so far. */
  from?: Reached
  /** Stores the results of a chunk, in its transaction: the position of its first row, and the progress of the batch after it. */
  keep: (tx: Transaction, results: Result[], chunk: { first: number; reached: Reached }) => Promise<void>
  signal?: AbortSignal
}

/** With parallels, a row is many cards: the guess until the first chunk shows the real number. */
const guessedPropagated = 10

/**
 * Writes a batch in chunks, each in its own transaction: a chunk that committed is not written again. An invalid row
 * fails alone; if the database refuses a chunk, smaller ones find the row. Returns the progress: all rows.
 */
export const writeBatch = async (db: Database, { rows, propagate }: Batch, options: Options): Promise<Reached> => {
  const { now, agent, signal } = options
  const places = firstPlaces(rows)
  const pace = keepPace(db.kind)
  let reached = options.from ?? atStart
  let most = rows.length
  let cardsOfRow = propagate ? guessedPropagated : 1
  const commit = (work: (tx: Transaction) => Promise<Written> | Written) =>
    enter(db, async (tx) => {
      const { results, cards } = await work(tx)
      const next = withResults(reached, results)
      await options.keep(tx, results, { first: reached.done, reached: next })
      return { next, cards }
    })
  while (reached.done < rows.length) {
    signal?.throwIfAborted()
    const first = reached.done
    const some = rows.slice(first, first + Math.min(most, Math.max(1, Math.floor(pace.cards() / cardsOfRow))))
    const read = some.map((row, at) => onlyFirst(readRow(row, first + at), places))
    const started = performance.now()
    let cards = some.length
    try {
      const written = await commit((tx) => writeRows(tx, read, propagate, { level: 1, now: now(), agent }))
      reached = written.next
      cards = written.cards
    } catch (error) {
      if (!isOfRows(error)) throw error
      most = Math.ceil(some.length / 2)
      if (some.length > 1) continue
      reached = (await commit(() => ({ results: read.map(refusedByDatabase), cards }))).next
    }
    most = rows.length
    cardsOfRow = Math.max(1, cards / some.length)
    pace.took(cards, performance.now() - started)
    if (reached.done < rows.length) await pace.rest()
  }
  return reached
}

/** Of two rows of one card the second fails. */
const onlyFirst = (row: Row | Result, places: Map<string, number>): Row | Result =>
  'document' in row && places.get(row.id) !== row.no ? refuseRepeated(row) : row

/** The results of rows, in order, and how many cards they took. */
type Written = { results: Result[]; cards: number }

/** Writes rows in the caller's transaction. */
const writeRows = async (
  tx: Transaction,
  given: (Row | Result)[],
  propagate: boolean,
  writer: Writer,
): Promise<Written> => {
  const rows = await followMerged(tx, given)
  const good = rows.filter((row) => 'document' in row)
  const watched = good.map((row) => watch(planOf(row)))
  const parallels = propagate ? await planParallels(tx, watched) : []
  const outcomes = await writeCards(tx, [...watched.map(({ plan }) => plan), ...parallels], writer)
  let next = 0
  const results = rows.map((row): Result => {
    if (!('document' in row)) return row
    const outcome = outcomes[next++]
    if (!outcome || outcome.error) return failed(row.id, row.no, outcome?.error ?? unnamedSet())
    const status = outcome.result === 'created' ? 'created' : 'updated'
    return { id: row.id, status, restored: outcome.restored, error: null }
  })
  return { results, cards: outcomes.length }
}

const planOf = ({ id, document }: Row): CardPlan => {
  const setId = (document.relationships.set as Identifier | undefined)?.id
  return { id, setId, change: (before) => (before || setId ? cardState(document, before) : unnamedSet()) }
}

const unnamedSet = () =>
  validationFailed([{ pointer: '/data/relationships/set', detail: 'Is required for a new card.' }])

/** Whether the database refused the data; connections and locks are not the fault of a row. */
const isOfRows = (error: unknown) => /^2[23]/.test(String((error as { code?: unknown }).code ?? ''))

const refusedByDatabase = (row: Row | Result): Result =>
  'document' in row
    ? failed(row.id, row.no, validationFailed([{ pointer: '/data', detail: 'The database refuses this card.' }]))
    : row
