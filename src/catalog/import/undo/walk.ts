import type { Transaction } from '../../../../db/client.ts'
import { enter } from '../../write/enter.ts'
import type { Claims } from '../../write/locks/order.ts'
import { type ImportReport, newReport } from '../write/report.ts'
import type { Step, Undoing } from './step.ts'

/** Records that are looked at in one transaction. */
const recordsInOne = 500

type Work = (tx: Transaction, ids: string[], undoing: Undoing, part: ImportReport) => Promise<void>

/** A step through what the import made of a type, the last of it first; it goes on behind `after`, which is a row and a place in it. */
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
    const ids = row.ids.toReversed().slice(first, first + recordsInOne)
    const next = first + recordsInOne < row.ids.length ? String(first + recordsInOne) : 'end'
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
