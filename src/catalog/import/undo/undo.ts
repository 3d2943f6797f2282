import type { Database, Transaction } from '../../../../db/client.ts'
import type { Agent } from '../../../audit/write.ts'
import { Audience } from '../../../lib/audience.ts'
import { typesByDocument } from '../../model/attached.ts'
import type { Writer } from '../../write/record.ts'
import { addReport, copyReport, type ImportReport, newReport } from '../write/report.ts'
import { deleteAttachedMade, deleteRedirectsMade } from './attached.ts'
import { putBack } from './fields.ts'
import { deleteMade, madeTypes } from './made.ts'

/** How far an undo got: its step, the last id it looked at in that step, and its report. */
export type UndoPoint = { step: number; after: string | null; report: ImportReport }

type UndoOptions = {
  now: () => Date
  agent?: Agent
  signal?: AbortSignal
  /** Continues where an earlier run stopped. */
  from?: UndoPoint
  /** Saves the progress in the same transaction. */
  keep?: (tx: Transaction, point: UndoPoint) => Promise<void>
  /** Called after each transaction. */
  noted?: (report: ImportReport) => void
}

/**
 * Undoes an import (decisions.md §14). Fields that it changed, and nobody has changed since, get their old values back. Then
 * the records it created are deleted, unless somebody touched them. The rest is listed. Each transaction handles a few hundred
 * records, and an undo that was killed continues where it stopped. It finishes whatever it meets: a record that can't be written
 * is listed, too.
 */
export const undoImport = async (db: Database, importId: string, options: UndoOptions): Promise<ImportReport> => {
  const { now, agent, signal, from, keep, noted } = options
  const report = newReport()
  if (from) addReport(report, from.report)
  const steps = [
    ...[putBack, deleteRedirectsMade, ...typesByDocument.map(deleteAttachedMade)],
    // Somebody may have moved an older set below a newer one, so that it goes only once that is gone.
    ...madeTypes.flatMap((type) =>
      type === 'sets' ? [deleteMade(type, false), deleteMade(type)] : [deleteMade(type)],
    ),
  ]
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
