import type { Keep } from '../checkpoint.ts'
import type { Known } from '../lookup-cache.ts'
import type { ImportReport } from '../report.ts'
import type { Session } from '../session.ts'

/** A part of an import, whose items are written and counted together. */
export type Part = {
  session: Session
  known: Known
  /** What the part adds to the import's report. */
  report: ImportReport
  now: Date
  /** The place of its last item. */
  upTo: number
  keep: Keep
}
