import type { Database, Transaction } from '../../../../db/client.ts'
import { turn } from '../../../lib/turn.ts'
import { lostRace } from '../locks/order.ts'
import { keepFromErasing, lockSets, readSets } from '../locks/sets.ts'
import type { CardChange, CardOutcome, CardPlan, LockedSet, Subject, Writer } from '../record.ts'
import { countCards } from './counts.ts'
import { cardRows } from './rows.ts'
import { layOutNew, type NewRows, writeNewRows } from './store.ts'
import { findSetIds, readLockedSubjects, weighCards, written } from './write.ts'

/** New cards, laid out while nothing is locked: their rows, and the sets and subjects that these were made from. */
export type OptimisticInsert = {
  now: Date
  changes: CardChange[]
  sets: Map<string, LockedSet>
  subjects: Map<string, Subject>
  rows: NewRows
}

/**
 * Lays out an optimistic insert of cards. Undefined if one of them exists already, is refused or has an image: those are
 * for `writeCards`.
 */
export const layOutInsert = async (
  db: Pick<Database, 'sql' | 'kind'>,
  plans: CardPlan[],
  writer: Writer,
): Promise<OptimisticInsert | undefined> => {
  if (plans.length === 0 || (await findSetIds(db, plans)).size > 0) return undefined
  const sets = await readSets(db, [...new Set(plans.flatMap((plan) => plan.setId ?? []))])
  const { changes, subjects } = await weighCards(db, plans, sets, new Map(), writer)
  if (changes.length < plans.length || changes.some(({ after }) => after.image_uuid)) return undefined
  await turn()
  const rows = cardRows(changes, sets, subjects, writer)
  await turn()
  return { now: writer.now, changes, sets, subjects, rows: layOutNew(db, rows) }
}

/**
 * Inserts the rows, which takes longest: it locks nothing that others count or change, so that two writers do it side by
 * side. `settleInsert` has to follow in the same transaction.
 */
export const insertAhead = async (tx: Transaction, { rows }: OptimisticInsert) => {
  await keepFromErasing(tx)
  await writeNewRows(tx, rows)
}

/**
 * Locks and counts as `writeCards` does, only after the rows. It loses a race where a set or a subject was changed since the
 * cards were laid out: rows made from the past must not be committed.
 */
export const settleInsert = async (
  tx: Transaction,
  { now, changes, sets, subjects }: OptimisticInsert,
): Promise<CardOutcome[]> => {
  const locked = await lockSets(tx, [...sets.keys()])
  for (const { id, no, audience } of sets.values()) {
    const set = locked.get(id)
    if (set?.no !== no || set.audience !== audience) throw lostRace('a set was changed')
  }
  const finish = await countCards(tx, changes, locked, subjects)
  const { isRenamed } = await readLockedSubjects(tx, changes, subjects)
  if (isRenamed) throw lostRace('what is on a card was renamed')
  await finish(now)
  return changes.map((change) => written(change, locked))
}
