import type { Database, Transaction } from '../../../db/client.ts'
import type { Identifier } from '../../catalog/model/resource.ts'
import { cardState } from '../../catalog/write/card/documents.ts'
import { layOutInsert, type OptimisticInsert } from '../../catalog/write/card/optimistic.ts'
import { writeCards } from '../../catalog/write/card/write.ts'
import type { CardPlan, Writer } from '../../catalog/write/record.ts'
import { validationFailed } from '../../jsonapi/errors.ts'
import { followMerged } from './merged.ts'
import { planParallels, watch } from './propagate.ts'
import { failed, type Result, type Row } from './row.ts'

/** The results of rows, in order, and how many cards were written for them. */
export type Written = { results: Result[]; cards: number }

/** Writes rows in the caller's transaction. */
export const writeRows = async (
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

/** Rows that are laid out as new cards while the previous chunk is written, and the results they will have. */
export type Ahead = { insert: OptimisticInsert; results: Result[] }

/** Lays out rows ahead. Undefined if one of their cards already exists or is refused. Then `writeRows` has to write them. */
export const layOutAhead = async (
  db: Database,
  given: (Row | Result)[],
  writer: Writer,
): Promise<Ahead | undefined> => {
  const rows = await followMerged(db, given)
  const plans = rows.flatMap((row) => ('document' in row ? [planOf(row)] : []))
  const insert = await layOutInsert(db, plans, writer)
  return insert && { insert, results: rows.map((row) => ('document' in row ? created(row) : row)) }
}

const created = ({ id }: Row): Result => ({ id, status: 'created', restored: false, error: null })

const planOf = ({ id, document }: Row): CardPlan => {
  const setId = (document.relationships.set as Identifier | undefined)?.id
  return { id, setId, change: (before) => (before || setId ? cardState(document, before) : unnamedSet()) }
}

const unnamedSet = () =>
  validationFailed([{ pointer: '/data/relationships/set', detail: 'Is required for a new card.' }])
