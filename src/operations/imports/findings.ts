import { asc, eq } from 'drizzle-orm'
import type { Queryable } from '../../../db/client.ts'
import { importFindings } from '../../../db/schema/index.ts'
import type { ImportReport } from '../../catalog/import/write/report.ts'

/** The lists of a report that have their own rows in the database, so that a job's progress stays small. */
export const findingKinds = ['kept', 'missing', 'changes', 'left'] as const
type Findings = Pick<ImportReport, (typeof findingKinds)[number]>

export const noFindings = (): Findings => ({ kept: [], missing: [], changes: [], left: [] })

/** Stores new findings. `stored` is how many of each list are stored already. */
export const keepFindings = async (
  { sql }: Queryable,
  id: string,
  from: Findings,
  stored: Record<keyof Findings, number>,
) => {
  const rows = findingKinds.flatMap((kind) =>
    from[kind].slice(stored[kind]).map((finding, at) => ({ kind, no: stored[kind] + at, finding })),
  )
  if (rows.length === 0) return
  await sql`
    insert into import_findings (import_id, kind, no, finding)
    select ${id}, kind, no, finding
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as f (kind text, no int, finding json)
    on conflict do nothing`
}

/** The stored findings, in order. */
export const listFindings = async ({ orm }: Queryable, id: string): Promise<Findings> => {
  const { import_id, kind, no, finding } = importFindings
  const rows = await orm
    .select({ kind, finding })
    .from(importFindings)
    .where(eq(import_id, id))
    .orderBy(asc(kind), asc(no))
  const found = noFindings()
  for (const row of rows) (found[row.kind] as unknown[]).push(row.finding)
  return found
}

/** Deletes the findings, because a dry run starts over. */
export const clearFindings = async ({ sql }: Queryable, id: string) => {
  await sql`delete from import_findings where import_id = ${id}`
  await sql`delete from import_faults where import_id = ${id}`
}
