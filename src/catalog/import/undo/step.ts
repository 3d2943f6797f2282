import type { Database, Transaction } from '../../../../db/client.ts'
import type { Writer } from '../../write/record.ts'
import type { ImportReport } from '../write/report.ts'

/** What one transaction of a step did, and where the next continues. Undefined once the step is finished. */
export type Step = { after: string; part: ImportReport } | undefined

/** What one transaction of an undo needs. `keep` saves the progress in that transaction. */
export type Undoing = {
  db: Database
  importId: string
  writer: Writer
  keep: (tx: Transaction, done: NonNullable<Step>) => Promise<void>
}
