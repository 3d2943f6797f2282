import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { ApiError } from '../../../jsonapi/errors.ts'
import { attachments, type ByDocument } from '../../model/attached.ts'
import { tableOf } from '../../model/tables.ts'
import { reviveAttached } from '../../write/attached/revive.ts'
import { deleteAttached, readContent, updateAttached } from '../../write/attached/write.ts'
import type { Fields } from '../../write/history/fields.ts'
import { claimsOf } from '../../write/locks/claims.ts'
import { changeAttached, readAttachedById } from '../../write/merge/attached.ts'
import type { Columns, Outcome, Writer } from '../../write/record.ts'
import { removeRedirects } from '../write/records/redirects.ts'
import { addLeft } from '../write/report.ts'
import { eachMade } from './walk.ts'

/** Deletes what the import attached to records, unless somebody changed it since. */
export const deleteAttachedMade = (type: ByDocument) =>
  eachMade(
    type,
    async (tx, ids, { importId, writer }, part) => {
      const rows = await tx.sql.unsafe<{ id: string; name: string; isTouched: boolean }[]>(
        `select t.id, ${attachments[type].label} as name,
           exists (select from revisions r where r.object_id = t.id and r.cause_id is distinct from $2::uuid) as "isTouched"
         from ${tableOf(type)} t where t.id = any($1::text::uuid[]) and t.deleted_at is null`,
        [arrayOf(ids), importId],
        { prepare: true },
      )
      for (const { id, name, isTouched } of rows)
        if (isTouched) addLeft(part, { type, id, name, reason: 'Somebody has changed it since.' })
      const free = rows.flatMap(({ id, isTouched }) => (isTouched ? [] : [id]))
      const stored = await readAttachedById(tx, type, free)
      const changes = stored.map((row) => ({ row, after: { ...row, deleted: true }, audience: 0 }))
      await changeAttached(tx, type, changes, writer)
      part.deleted += stored.length
    },
    (tx, ids) =>
      claimsOf(
        tx,
        ids.map((id) => ({ type, id })),
        [],
      ),
  )

/** Removes the redirects that the import created. */
export const deleteRedirectsMade = eachMade('merges', async (tx, ids, { writer }, part) => {
  part.deleted += await removeRedirects(tx, ids, writer.now)
})

/** Restores fields of what is attached to records. A refusal becomes a failed outcome. */
export const putBackAttached = async (
  tx: Transaction,
  type: ByDocument,
  ids: string[],
  fieldsOf: (id: string, now: Fields) => Fields,
  writer: Writer,
): Promise<Outcome[]> => {
  const outcomes: Outcome[] = []
  for (const id of ids) {
    const stored = await readContent(tx, type, id)
    if (!stored) continue
    const { deleted_at: deletedAt, ...content } = stored
    const { deleted, ...columns } = fieldsOf(id, { ...content, deleted: deletedAt !== null })
    try {
      if (deleted === false) await reviveAttached(tx, type, id, writer)
      else if (deleted === true) await deleteAttached(tx, type, id, writer)
      if (Object.keys(columns).length > 0) await updateAttached(tx, type, id, columns as Columns, writer)
      outcomes.push({ id, result: 'updated' })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      outcomes.push({ id, result: 'failed', error })
    }
  }
  return outcomes
}
