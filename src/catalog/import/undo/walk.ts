import type { Transaction } from '../../../../db/client.ts'
import { ApiError } from '../../../jsonapi/errors.ts'
import type { StoredType } from '../../model/tables.ts'
import type { Claims } from '../../write/locks/order.ts'
import { enter } from '../../write/write-transaction.ts'
import { addLeft, type ImportReport, newReport } from '../write/report.ts'
import { readNames } from './names.ts'
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
    return inParts(ids.length, (size) => {
      const some = ids.slice(0, size)
      const next = first + size < row.ids.length ? String(first + size) : 'end'
      const done = (part: ImportReport) => ({ after: `${row.id} ${next}`, part })
      return {
        write: () =>
          enter(
            db,
            async (tx) => {
              const part = newReport()
              await work(tx, some, undoing, part)
              await keep(tx, done(part))
              return done(part)
            },
            claim && ((tx) => claim(tx, some)),
          ),
        leave: (reason) =>
          db.transaction(async (tx) => {
            const part = newReport()
            await leaveOne(tx, type, some[0] as string, reason, part)
            await keep(tx, done(part))
            return done(part)
          }),
      }
    })
  }

type Attempt = { write: () => Promise<Step>; leave: (reason: string) => Promise<Step> }

/**
 * Writes as many records as one transaction takes. Where something refuses them all, writes half as many, until only the record
 * is left that is refused: an undo finishes whatever it meets (decisions.md §22).
 */
export const inParts = async (most: number, attempt: (size: number) => Attempt): Promise<Step> => {
  for (let size = most; ; size = Math.ceil(size / 2)) {
    const { write, leave } = attempt(size)
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (size <= 1) return leave(error.errors[0]?.detail ?? error.message)
    }
  }
}

/** Lists a live record that stays, with the reason. */
export const leaveOne = async (tx: Transaction, type: string, id: string, reason: string, part: ImportReport) => {
  if (type === 'merges') return
  const names = await readNames(tx, type as StoredType, [id])
  addLeft(part, { type, id, name: names.get(id) ?? id, reason })
}
