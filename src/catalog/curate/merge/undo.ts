import type { Database, Transaction } from '../../../../db/client.ts'
import { hasCode } from '../../../../db/faults.ts'
import { type Act, writeAudit } from '../../../audit/write.ts'
import { conflict, notFound } from '../../../jsonapi/errors.ts'
import { lifetimes, sayDuration } from '../../../limits.ts'
import { claimsOf } from '../../write/locks/claims.ts'
import { enter } from '../../write/write-transaction.ts'
import { findMerge } from './list.ts'
import { type Revised, readChanged, refuseChanged } from './merge-diff.ts'
import { putBack } from './put-back.ts'
import { type Merge, writerOf } from './record.ts'

/**
 * Undoes a merge (decisions.md §13): every record that it changed is restored, and its redirects are removed. 404 if it is
 * unknown. 409 if it was already undone, is too old, or one of its records was changed or merged since.
 */
export const undoMerge = async (db: Database, id: string, by: Act): Promise<Merge> => {
  // Read once, for the locks and for the work. Its row is locked by then, and only the work itself adds to its history.
  let changed: Revised[] = []
  const work = async (tx: Transaction) => {
    const merge = await requireMerge(tx, id, by.now)
    await refuseChanged(tx, merge, changed)
    // Redirects go first, because restored references would follow them.
    await tx.sql`delete from redirects where merge_id = ${id}`
    await putBack(tx, changed, writerOf(by, 'merge', id))
    const undoneAt = by.now.toISOString()
    await tx.sql`update merges set undone_at = ${undoneAt}::timestamptz where id = ${id}`
    const { objectType: auditableType, intoId: auditableId, fromIds } = merge
    const data = { from_ids: fromIds, merge_id: id }
    await writeAudit(tx, by, { eventType: 'merge.undone', auditableType, auditableId, data })
    return { ...merge, undoneAt }
  }
  const claim = async (tx: Transaction) => {
    const merge = await requireMerge(tx, id, by.now)
    changed = await readChanged(tx, id)
    return claimsOfUndo(tx, merge, changed)
  }
  return enter(db, work, claim).catch((error) => {
    throw hasCode(error, '23505') ? conflict('Another record now has the name of one of the merged records.') : error
  })
}

const requireMerge = async (tx: Transaction, id: string, now: Date): Promise<Merge> => {
  const [locked] = await tx.sql`select 1 from merges where id = ${id} for update`
  const merge = locked && (await findMerge(tx, id))
  if (!merge) throw notFound('There is no such merge.')
  if (merge.undoneAt) throw conflict('The merge has already been undone.')
  if (now.getTime() - Date.parse(merge.createdAt) > lifetimes.undo.seconds * 1000)
    throw conflict(`A merge can be undone for ${sayDuration(lifetimes.undo.seconds)}.`)
  return merge
}

/** Everything that was changed, what it refers to, and the rows of everyone whose cards come back. */
const claimsOfUndo = async (tx: Transaction, { objectType: type, fromIds, intoId }: Merge, changed: Revised[]) => {
  const named = [...fromIds, intoId].map((one) => ({ type, id: one }))
  const records = changed.map((one) => ({ type: one.type, id: one.id }))
  const pairs = records.filter((one) => one.type === 'playerteams')
  const touched = type === 'players' || type === 'teams' || type === 'attributes' ? [{ type, id: intoId }] : []
  const claims = await claimsOf(
    tx,
    [...named, ...records, ...changed.flatMap(namedBefore)],
    [
      ...touched.map((one) => ({ ...one, isRenamed: true, isMoved: false })),
      ...pairs.map((one) => ({ ...one, isRenamed: false, isMoved: false })),
    ],
  )
  for (const one of fromIds) if (type === 'players' || type === 'teams') claims.rows.add(`pairs of ${type}:${one}`)
  for (const { id: pair } of pairs) claims.rows.add(`cards of playerteams:${pair}`)
  return claims
}

/** What a record referred to before, and will refer to again. */
const namedBefore = ({ before }: Revised) => [
  ...((before.oncard as { type: string; id: string }[] | undefined) ?? []),
  ...((before.attributes as string[] | undefined) ?? []).map((id) => ({ type: 'attributes', id })),
  ...(typeof before.set_id === 'string' ? [{ type: 'sets', id: before.set_id }] : []),
]
