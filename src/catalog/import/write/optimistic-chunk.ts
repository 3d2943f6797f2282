import type { Database } from '../../../../db/client.ts'
import { insertBeside, layOutInsert, type OptimisticInsert } from '../../write/card/optimistic.ts'
import { countLive, inFiles } from './cards.ts'
import type { WantedCard } from './find/cards.ts'
import { planRows } from './plan/plan-cards.ts'
import type { Row } from './plan/row.ts'
import type { ImportReport } from './report.ts'
import type { Part } from './run/chunk-context.ts'
import { enterImport, noteMadeCards, type PlacedSets, writerOf } from './session.ts'

/** Rows planned while earlier chunks are still being written. `optimistic` is set if all of their cards are new. */
export type Ahead = { rows: Row[]; optimistic: OptimisticInsert | undefined }

/** Plans rows that do not depend on earlier chunks: those with ids of their own. Undefined for any other. */
export const planAhead = async (
  db: Database,
  wanted: WantedCard[],
  sets: PlacedSets,
  part: Part,
): Promise<Ahead | undefined> => {
  if (wanted.some(({ item }) => !item.id || item.parent || item.imageId || item.identifiers)) return undefined
  const { session, now } = part
  const { rows } = await planRows(db, wanted, sets, part)
  const plans = rows.map((row) => row.plan)
  return { rows, optimistic: await layOutInsert(db, plans, writerOf(session, now, true), session.remembered) }
}

/**
 * Inserts new cards optimistically, in one transaction: their rows while the chunk before is written, everything else after it.
 * Returns false if `isBeforeWritten` is false or another writer was faster. Then `writeCardItems` has to write them.
 */
export const writeAhead = async (
  db: Database,
  { rows, optimistic }: Ahead & { optimistic: OptimisticInsert },
  isBeforeWritten: Promise<boolean>,
  { report, session, keep }: Part,
): Promise<boolean> => {
  const count = (into: ImportReport) => {
    into.cards.created += optimistic.changes.length
  }
  const isWritten = await insertBeside(
    (work) => enterImport(db, session, work),
    optimistic,
    isBeforeWritten,
    async (tx) => {
      await noteMadeCards(tx, session, inFiles(rows))
      await keep(tx, count)
    },
  )
  if (!isWritten) return false
  count(report)
  countLive(
    rows,
    rows.map(({ plan: { id } }) => ({ id, result: 'created' })),
    session,
  )
  return true
}
