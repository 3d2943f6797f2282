/*
 * On a server, imports and large batches make optimistic inserts of new cards. They insert the rows first, which
 * nobody else sees or waits for. Then they take the locks in this order, and check that sets, players, teams and
 * attributes are still what the rows were made from. If not, the rows are rolled back and made again. This way two
 * chunks can write their rows at the same time and commit one after the other. Meanwhile an import looks up the names
 * of a third chunk and reads a fourth. It remembers who is on cards from chunk to chunk. After a chunk of new cards,
 * it looks up only some ids of the next one: if another one does exist, it violates the primary key, and the rows are
 * written as those of existing cards.
 */

import type { Database, Transaction } from '../../../../db/client.ts'
import { hasCode } from '../../../../db/faults.ts'
import { turn } from '../../../lib/yield-to-event-loop.ts'
import { lostRace } from '../locks/order.ts'
import { keepFromErasing, lockSets, readSets } from '../locks/sets.ts'
import type { CardChange, CardPlan, LockedSet, Subject, Writer } from '../record.ts'
import { countCards } from './counts.ts'
import { cardRows } from './rows.ts'
import { layOutNew, type NewRows, writeNewRows } from './store.ts'
import { areStill } from './subjects.ts'
import { findSetIds, weighCards } from './write.ts'

/** New cards, prepared while nothing is locked: their rows, and the sets and subjects that these were made from. */
export type OptimisticInsert = {
  now: Date
  changes: CardChange[]
  sets: Map<string, LockedSet>
  subjects: Map<string, Subject>
  rows: NewRows
  remembered: Remembered
}

/**
 * What a writer of many cards remembers from one optimistic insert to the next: who and what is on cards, and whether the last
 * ones were all new. Each insert checks whether that still holds.
 */
export type Remembered = { subjects: Map<string, Subject>; wasNew: boolean }
/** Nothing remembered yet. */
export const nothingRemembered = (): Remembered => ({ subjects: new Map(), wasNew: false })

/** One of so many cards is looked up first, as a sample. If the last cards were all new, only these are. */
const lookedUp = 16
const subjectsAtMost = 50_000

/**
 * Prepares an optimistic insert of cards. Undefined if one of them already exists, is refused or has an image, so that
 * `writeCards` must write them.
 */
export const layOutInsert = async (
  db: Pick<Database, 'sql' | 'kind'>,
  plans: CardPlan[],
  writer: Writer,
  remembered = nothingRemembered(),
): Promise<OptimisticInsert | undefined> => {
  remembered.wasNew = await areNew(db, plans, remembered)
  if (!remembered.wasNew) return undefined
  if (remembered.subjects.size > subjectsAtMost) remembered.subjects.clear()
  const sets = await readSets(db, [...new Set(plans.flatMap((plan) => plan.setId ?? []))])
  const { changes, subjects } = await weighCards(db, plans, sets, new Map(), writer, undefined, remembered.subjects)
  if (changes.length < plans.length || changes.some(({ after }) => after.image_uuid)) return undefined
  await turn()
  const rows = cardRows(changes, sets, subjects, writer)
  await turn()
  return { now: writer.now, changes, sets, subjects, rows: layOutNew(db, rows), remembered }
}

/** Whether none of some cards exists, as far as a sample tells if the last ones were all new. */
const areNew = async (db: Pick<Database, 'sql'>, plans: CardPlan[], { wasNew }: Remembered) => {
  const sample = plans.filter((_, at) => at % lookedUp === 0)
  if (sample.length === 0 || (await findSetIds(db, sample)).size > 0) return false
  if (wasNew || sample.length === plans.length) return true
  return (
    (
      await findSetIds(
        db,
        plans.filter((_, at) => at % lookedUp > 0),
      )
    ).size === 0
  )
}

/**
 * Inserts new cards in a transaction of `begin`: their rows while the previous writer is still at work, everything else and
 * what `keep` writes once that one has committed. Returns whether it worked. It fails if `isBeforeWritten` resolves to false or
 * another writer was faster, and then `writeCards` must write the cards.
 */
export const insertBeside = async (
  begin: (work: (tx: Transaction) => Promise<void>) => Promise<void>,
  optimistic: OptimisticInsert,
  isBeforeWritten: Promise<boolean>,
  keep: (tx: Transaction) => Promise<void>,
): Promise<boolean> => {
  let isFirst = true
  try {
    await begin(async (tx) => {
      if (!isFirst) throw new Overtaken()
      isFirst = false
      await insertAhead(tx, optimistic)
      if (!(await soon(isBeforeWritten))) throw new Overtaken()
      await settleInsert(tx, optimistic)
      await keep(tx)
    })
  } catch (error) {
    if (!(error instanceof Overtaken || hasCode(error, '23503', '40001', '40P01'))) throw error
    Object.assign(optimistic.remembered, nothingRemembered())
    return false
  }
  return true
}

/** The catalog changed during the optimistic insert, so the cards are written again from its current state. */
class Overtaken extends Error {}

const patience = 5000

/**
 * The answer, or false after some seconds: the previous chunk may be waiting for a writer that waits for rows of this one, a
 * deadlock that the database can't see.
 */
const soon = async (answer: Promise<boolean>) => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, patience, false)
  const first = await Promise.race([answer, promise])
  clearTimeout(timer)
  return first
}

/**
 * Inserts the rows, which takes the longest. It locks nothing that others count or change, so two writers can do it at the same
 * time. `settleInsert` must follow in the same transaction.
 */
const insertAhead = async (tx: Transaction, { rows }: OptimisticInsert) => {
  await keepFromErasing(tx)
  // PostgreSQL keeps its plans for checking foreign keys: a scan of a small table would stay one as the table grows.
  await tx.sql`set local enable_seqscan = off`
  await writeNewRows(tx, rows)
}

/**
 * Locks and counts like `writeCards`, but after the rows. It loses the race if a set or a subject has changed since the cards
 * were prepared, because outdated rows must not be committed.
 */
const settleInsert = async (tx: Transaction, { now, changes, sets, subjects }: OptimisticInsert) => {
  const locked = await lockSets(tx, [...sets.keys()])
  for (const { id, no, audience } of sets.values()) {
    const set = locked.get(id)
    if (set?.no !== no || set.audience !== audience) throw lostRace('a set was changed')
  }
  const finish = await countCards(tx, changes, locked, subjects)
  if (!(await areStill(tx, subjects))) throw lostRace('what is on a card was changed')
  await finish(now)
}
