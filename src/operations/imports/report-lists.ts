import type { Queryable } from '../../../db/client.ts'
import { sizes } from '../../limits.ts'

/** The lists of a report that have pages, by their names in it. */
export const reportLists = ['bad_rows', 'kept', 'missing', 'changes', 'left'] as const
export type ReportList = (typeof reportLists)[number]

/** Some of a list, and where it goes on, if it does. */
export type Stretch = { rows: unknown[]; next: number | undefined }

/** All lists of a report together stay below the length of a page. */
const mostBytes = sizes.pageBytes.most / 8

/**
 * The entries of a list from a place on: up to 1,000, or fewer if they are long, and at least one. `count` is how many there are:
 * a job that runs may have found more since.
 */
export const readStretch = async (
  { sql }: Queryable,
  importId: string,
  list: ReportList,
  { from, count }: { from: number; count: number },
): Promise<Stretch> => {
  const entries =
    list === 'bad_rows'
      ? sql`select no, json_build_object('file', file, 'line', nullif(line, 0), 'reason', reason) as entry
          from import_faults where import_id = ${importId}`
      : sql`select no, finding as entry from import_findings where import_id = ${importId} and kind = ${list}`
  const rows = await sql<{ no: number; entry: unknown }[]>`
    select no, entry from (
      select no, entry, sum(octet_length(entry::text)) over (order by no) as bytes, row_number() over (order by no) as place
      from (${entries} and no >= ${from} and no < ${count} order by no limit ${sizes.findings.most}) e
    ) e where bytes <= ${mostBytes} or place = 1 order by no`
  const last = rows.at(-1)
  const hasMore = last !== undefined && last.no + 1 < count && (await isStored(sql, importId, list, last.no + 1))
  return { rows: rows.map(({ entry }) => entry), next: hasMore ? last.no + 1 : undefined }
}

/** Entries are counted beyond the ones that are stored. */
const isStored = async (sql: Queryable['sql'], importId: string, list: ReportList, no: number) => {
  const stored =
    list === 'bad_rows'
      ? await sql`select 1 from import_faults where import_id = ${importId} and no = ${no}`
      : await sql`select 1 from import_findings where import_id = ${importId} and kind = ${list} and no = ${no}`
  return stored.length > 0
}
