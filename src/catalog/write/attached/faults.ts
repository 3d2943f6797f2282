import type { Queryable, Transaction } from '../../../../db/client.ts'
import { conflict, validationFailed } from '../../../jsonapi/errors.ts'
import { attachments, type ByDocument } from '../../model/attached.ts'
import { tableOf } from '../../model/tables.ts'
import type { Columns } from '../record.ts'

/** Where faults of the owner point to. */
export const pointerOf = (type: ByDocument): string => `/data/attributes/${attachments[type].owner}`

/** The end of an insert that skips records whose place is taken. */
export const unlessTaken = (type: ByDocument): string => {
  const { place } = attachments[type]
  return place ? `on conflict (${place.join(', ')}) where deleted_at is null do nothing` : ''
}

/** The 409 for a taken place. */
export const taken = (type: ByDocument, content: Columns) =>
  conflict(attachments[type].taken?.(content) ?? 'This record already exists.')

/**
 * Refuses a record if another live one has its place: 409. A new record may have no id yet. With a `level`, only records that its
 * callers may see count.
 */
export const refuseTaken = async (
  { sql }: Queryable,
  type: ByDocument,
  id: string | null,
  content: Columns,
  level = 0,
) => {
  const { place } = attachments[type]
  if (!place) return
  const rows = await sql.unsafe(
    `select 1 from ${tableOf(type)}
     where ${place.map((name, index) => `${name} = $${index + 3}`).join(' and ')} and deleted_at is null
       and id is distinct from $1 and audience >= $2`,
    [id, level, ...place.map((name) => content[name] ?? null)],
    { prepare: true },
  )
  if (rows.length > 0) throw taken(type, content)
}

/** Refuses attributes that don't exist or are deleted: 422. */
export const requireAttributes = async (tx: Transaction, ids: string[]) => {
  if (ids.length === 0) return
  const [row] = await tx.sql`select 1 from attributes where id = any(${ids}::uuid[]) and deleted_at is null`
  if (row) return
  throw validationFailed([{ pointer: '/data/attributes/attribute_id', detail: 'There is no such attribute.' }])
}
