import type { Database } from '../../../../db/client.ts'
import { hasCode } from '../../../../db/faults.ts'
import { type Foreseen, foreseeCards, insertForeseen, settleForeseen } from '../../write/card/foreseen.ts'
import { enter } from '../../write/enter.ts'
import { planRows, type Row, writerAt } from './cards.ts'
import type { WantedCard } from './identify.ts'
import type { Keep } from './point.ts'
import type { ImportReport } from './report.ts'
import type { PlacedSets } from './sets.ts'

/** Rows that were planned while the chunks before were being written; `foreseen` where all of their cards are new. */
export type Ahead = { rows: Row[]; foreseen: Foreseen | undefined }

/** Plans rows that need nothing of the chunks before: those with ids of their own. Undefined for any other. */
export const planAhead = async (
  db: Database,
  wanted: WantedCard[],
  sets: PlacedSets,
  report: ImportReport,
  now: Date,
): Promise<Ahead | undefined> => {
  if (wanted.some(({ item }) => !item.id || item.parent || item.imageId)) return undefined
  const rows = await planRows(db, wanted, sets, report)
  const plans = rows.map((row) => row.plan)
  return { rows, foreseen: await foreseeCards(db, plans, writerAt(now)) }
}

/**
 * Writes foreseen cards in one transaction: their rows beside the chunk before, all else once that is written. Answers
 * whether they are; not where `isBeforeWritten` says no or another writer was faster. Then they are for `writeCardItems`.
 */
export const writeAhead = async (
  db: Database,
  foreseen: Foreseen,
  isBeforeWritten: Promise<boolean>,
  report: ImportReport,
  now: Date,
  keep: Keep,
): Promise<boolean> => {
  const count = (into: ImportReport) => {
    into.cards.created += foreseen.changes.length
  }
  let isFirst = true
  try {
    await enter(db, async (tx) => {
      if (!isFirst) throw new Overtaken()
      isFirst = false
      await insertForeseen(tx, foreseen, now)
      if (!(await soon(isBeforeWritten))) throw new Overtaken()
      await settleForeseen(tx, foreseen, now)
      await keep(tx, count)
    })
  } catch (error) {
    if (error instanceof Overtaken || hasCode(error, '23503', '40001', '40P01')) return false
    throw error
  }
  count(report)
  return true
}

/** The catalog is not as the cards were foreseen: they are written anew, from what is there. */
class Overtaken extends Error {}

const patience = 5000

/**
 * The answer, or no after some seconds: the chunk before may wait for somebody who waits for the rows of this one, a
 * ring that the database does not see.
 */
const soon = async (answer: Promise<boolean>) => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, patience, false)
  const said = await Promise.race([answer, promise])
  clearTimeout(timer)
  return said
}
