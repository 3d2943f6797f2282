import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import type { Writer } from '../record.ts'

/** The import that writes. Null for anyone else. */
export const importOf = ({ cause }: Pick<Writer, 'cause'>): string | null =>
  cause?.kind === 'import' ? (cause.id ?? null) : null

/**
 * Notes that an import mentioned records that stay as they are, if no import had before: any later change to them is a
 * correction. It adds no version and doesn't wait: a row that somebody else has locked is noted by the next import.
 */
export const markImported = async (
  db: Pick<Transaction, 'sql'>,
  table: string,
  ids: string[],
  writer: Pick<Writer, 'cause'>,
) => {
  const importId = importOf(writer)
  if (!importId || ids.length === 0) return
  await db.sql`
    update ${db.sql(table)} set import_id = ${importId}::uuid
    where id in (
      select id from ${db.sql(table)} where id = any(${arrayOf(ids)}::uuid[]) and import_id is null
      for no key update skip locked
    )`
}
