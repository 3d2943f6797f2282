import { arrayOf } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import { columnNames } from '../../../model/record-columns.ts'
import { tableOf } from '../../../model/tables.ts'
import { type RecordItem, resourceTypeOf } from '../../read/item.ts'
import { planRedirectsOnly } from '../records/redirects.ts'
import type { ImportReport } from '../report.ts'

/** Counts what an export would do to records of one type, without writing anything. */
export const planRecordsOnly = async (db: Database, items: RecordItem[], report: ImportReport) => {
  const [first] = items
  if (!first) return
  if (first.type === 'merges') return planRedirectsOnly(db, items, report)
  const type = resourceTypeOf(first.type)
  const columns: string[] = columnNames(type)
  const rows = await db.sql.unsafe<(Record<string, string | null> & { id: string; is_deleted: boolean })[]>(
    `select id, deleted_at is not null as is_deleted, ${columns.map((name) => `${name}::text as ${name}`).join(', ')}
     from ${tableOf(type)} where id = any($1::uuid[])`,
    [arrayOf(items.map(({ id }) => id))],
    { prepare: true },
  )
  const stored = new Map(rows.map((row) => [row.id, row]))
  for (const { id, deleted, fields } of items) {
    const row = stored.get(id)
    const isSame =
      row?.is_deleted === deleted && columns.every((name) => fields[name] === undefined || row[name] === fields[name])
    const isBack = row?.is_deleted && !deleted
    report.records[row && !isBack ? (isSame ? 'unchanged' : 'updated') : 'created']++
  }
}
