import type { Transaction } from '../../../../db/client.ts'
import { enter } from '../../write/enter.ts'
import type { Claims } from '../../write/locks/order.ts'
import { type ImportReport, newReport } from '../write/report.ts'
import type { Step, Undoing } from './step.ts'

/** How many records one transaction looks at. */
const recordsPerTransaction = 500

type Work = (tx: Transaction, ids: string[], undoing: Undoing, part: ImportReport) => Promise<void>

/** A step over the import's records of one type, newest first. `after` is a row of ids and a place in it, where the step continues. */
export const eachMade =
  (type: string, work: Work, claim?: (tx: Transaction, ids: string[]) => Promise<Claims>) =>
  async (after: string | null, undoing: Undoing): Promise<Step> => {
    const { db, importId, keep } = undoing
    const [place, from = '0'] = after?.split(' ') ?? []
    const beforeId = place ?? null
    const [row] = await db.sql<{ id: string; ids: string[] }[]>`
      select id, ids from import_made
      where import_id = ${importId} and object_type = ${type}
        and (${beforeId}::uuid is null or id <= ${beforeId}::uuid) and not (id is not distinct from ${beforeId}::uuid and ${from} = 'end')
      order by id desc limit 1`
    if (!row) return undefined
    const first = row.id === beforeId ? Number(from) : 0
    const ids = row.ids.toReversed().slice(first, first + recordsPerTransaction)
    const next = first + recordsPerTransaction < row.ids.length ? String(first + recordsPerTransaction) : 'end'
    return enter(
      db,
      async (tx) => {
        const part = newReport()
        await work(tx, ids, undoing, part)
        const done = { after: `${row.id} ${next}`, part }
        await keep(tx, done)
        return done
      },
      claim && ((tx) => claim(tx, ids)),
    )
  }
