import type { Database, Transaction } from '../../../../db/client.ts'
import type { Writer } from '../../write/record.ts'
import type { ImportReport } from '../write/report.ts'

/** What a step did: the id behind which it goes on, undefined at its end. */
export type Step = { after: string; part: ImportReport } | undefined

/** What one transaction of an undo needs; `keep` saves the progress with it. */
export type Undoing = {
  db: Database
  importId: string
  writer: Writer
  keep: (tx: Transaction, done: NonNullable<Step>) => Promise<void>
}
