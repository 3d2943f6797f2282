import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Database, Queryable, Transaction } from '../../../db/client.ts'
import { importFaults, imports, type Row } from '../../../db/schema/index.ts'
import type { Agent } from '../../audit/write.ts'
import type { FaultItem } from '../../catalog/import/read/item.ts'
import { removePieces } from './pieces.ts'

/** The options of an import, the size of its file, and who sent it: null for imports from before this was stored. */
export type Import = Pick<Row<typeof imports>, 'id' | 'name' | 'publish' | 'parallels'> & {
  bytes: number
  agent: Agent | null
}

/** Starts an import before its file arrives. One that never gets a job is swept. */
export const beginImport = async (db: Queryable, wanted: Omit<Import, 'bytes'>, now: Date) => {
  await db.orm.insert(imports).values({ ...wanted, created_at: now.toISOString() })
}

/** Hands the complete file to a job; false if the upload took so long that it was swept. */
export const settleImport = async (tx: Transaction, id: string, jobId: string, bytes: number): Promise<boolean> => {
  const settled = await tx.orm
    .update(imports)
    .set({ job_id: jobId, bytes: String(bytes) })
    .where(eq(imports.id, id))
  return settled.count > 0
}

/** The import of a job; undefined if it was swept. */
export const findImport = async (db: Queryable, jobId: string): Promise<Import | undefined> => {
  const { id, name, publish, parallels, bytes, agent, job_id } = imports
  const [row] = await db.orm
    .select({ id, name, publish, parallels, bytes, agent })
    .from(imports)
    .where(eq(job_id, jobId))
  return row && { ...row, bytes: Number(row.bytes), agent: row.agent as Agent | null }
}

/** Removes an import whose upload failed, unless it has a job after all (the connection may break at the very end). */
export const abandonImport = async (db: Database, id: string) => {
  const isAbandoned = and(eq(imports.id, id), isNull(imports.job_id))
  const rows = await db.orm.select({ id: imports.id }).from(imports).where(isAbandoned)
  if (rows.length > 0) await removeImport(db, id)
}

/** Removes an import with its file and its bad rows. */
const removeImport = async (db: Database, id: string) => {
  await removePieces(db, id)
  await db.orm.delete(imports).where(eq(imports.id, id))
}

/** An upload that takes longer than this never ends. */
const uploadHours = 6

/** Removes imports whose upload broke off without a cleanup, and those whose job is gone. */
export const sweepImports = async (db: Database, now: Date, signal: AbortSignal) => {
  const rows = await db.sql<{ id: string }[]>`
    select i.id from imports i left join jobs j on j.id = i.job_id
    where case when i.job_id is null
      then i.created_at <= ${now.toISOString()}::timestamptz - make_interval(hours => ${uploadHours})
      else j.id is null end`
  for (const { id } of rows) {
    signal.throwIfAborted()
    await removeImport(db, id)
  }
}

/** Stores bad rows by their position in the report; those stored already stay. */
export const keepFaults = async ({ sql }: Queryable, id: string, first: number, faults: FaultItem[]) => {
  if (faults.length === 0) return
  const rows = faults.map(({ file, line, reason }, at) => ({ no: first + at, file, line, reason }))
  await sql`
    insert into import_faults (import_id, no, file, line, reason)
    select ${id}, no, file, line, reason
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as f (no int, file text, line int, reason text)
    on conflict do nothing`
}

/** The stored bad rows, in the order of the file. */
export const listFaults = async (db: Queryable, id: string): Promise<FaultItem[]> => {
  const { import_id, no, file, line, reason } = importFaults
  const rows = await db.orm.select({ file, line, reason }).from(importFaults).where(eq(import_id, id)).orderBy(asc(no))
  return rows.map((row) => ({ kind: 'fault', ...row }))
}
