import type { Database, Transaction } from '../../../../db/client.ts'
import type { Agent } from '../../../audit/write.ts'
import { Audience } from '../../../lib/audience.ts'
import { typesByDocument } from '../../model/attached.ts'
import type { Writer } from '../../write/record.ts'
import { addReport, copyReport, type ImportReport, newReport } from '../write/report.ts'
import { deleteAttachedMade, deleteRedirectsMade } from './attached.ts'
import { putBack } from './fields.ts'
import { deleteMade, madeTypes } from './made.ts'

/** How far an undo got: its step, the last id that it looked at there, and its report. */
export type UndoPoint = { step: number; after: string | null; report: ImportReport }

type UndoOptions = {
  now: () => Date
  agent?: Agent
  signal?: AbortSignal
  /** Continues where an earlier run ended. */
  from?: UndoPoint
  /** Saves the progress, in the transaction that made it. */
  keep?: (tx: Transaction, point: UndoPoint) => Promise<void>
  /** Called after each transaction. */
  noted?: (report: ImportReport) => void
}

/**
 * Takes back what an import did (decisions.md §14): fields that it changed and nobody changed since get their values of before,
 * then what it made and nobody touched is deleted. The rest is listed. Some hundred records a transaction; a killed undo goes on
 * where it was.
 */
export const undoImport = async (db: Database, importId: string, options: UndoOptions): Promise<ImportReport> => {
  const { now, agent, signal, from, keep, noted } = options
  const report = newReport()
  if (from) addReport(report, from.report)
  const steps = [putBack, deleteRedirectsMade, ...typesByDocument.map(deleteAttachedMade), ...madeTypes.map(deleteMade)]
  let after = from?.after ?? null
  for (let step = from?.step ?? 0; step < steps.length; step++) {
    for (;;) {
      signal?.throwIfAborted()
      const writer: Writer = { level: Audience.draft, now: now(), agent, cause: { kind: 'undo', id: importId } }
      const done = await steps[step]?.(after, {
        ...{ db, importId, writer },
        keep: async (tx, { after, part }) => {
          const counted = copyReport(report)
          addReport(counted, part)
          await keep?.(tx, { step, after, report: counted })
        },
      })
      if (!done) break
      addReport(report, done.part)
      noted?.(report)
      after = done.after
    }
    after = null
  }
  return report
}
