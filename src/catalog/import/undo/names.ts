import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { attachments, typesByDocument } from '../../model/attached.ts'
import { type StoredType, tableOf } from '../../model/tables.ts'

/** Reads the names of records, by id. */
export const readNames = async (tx: Transaction, type: StoredType, ids: string[]): Promise<Map<string, string>> => {
  const attached = typesByDocument.find((one) => one === type)
  const name = attached ? attachments[attached].label : type === 'attributes' ? 'attribute' : 'name'
  const rows = await tx.sql.unsafe<{ id: string; name: string }[]>(
    `select t.id, ${name} as name from ${tableOf(type)} t where t.id = any($1::text::uuid[])`,
    [arrayOf(ids)],
  )
  return new Map(rows.map((row) => [row.id, row.name]))
}
