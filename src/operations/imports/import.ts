import type { Database, Queryable, Transaction } from '../../../db/client.ts'
import type { Agent } from '../../audit/write.ts'
import type { FaultItem } from '../../catalog/import/read/item.ts'
import { removePieces } from './pieces.ts'

/** What an import was asked to do, how long its file is, and who sent it. */
export type Import = {
  id: string
  name: string
  publish: boolean
  parallels: boolean
  bytes: number
  /** Null for one that began before this was kept. */
  agent: Agent | null
}

/** Begins an import whose file is about to come. One that no job takes on is swept. */
export const beginImport = async ({ sql }: Queryable, wanted: Omit<Import, 'bytes'>, now: Date) => {
  await sql`
    insert into imports (id, name, publish, parallels, agent, created_at)
    values (${wanted.id}, ${wanted.name}, ${wanted.publish}, ${wanted.parallels}, ${wanted.agent}, ${now.toISOString()}::timestamptz)`
}

/** Gives a whole file to its job; false where it took so long that it was swept. */
export const settleImport = async (tx: Transaction, id: string, jobId: string, bytes: number): Promise<boolean> => {
  const settled = await tx.sql`update imports set job_id = ${jobId}, bytes = ${bytes}::bigint where id = ${id}`
  return settled.count > 0
}

/** The import of a job; undefined where it was swept. */
export const findImport = async ({ sql }: Queryable, jobId: string): Promise<Import | undefined> => {
  const [row] = await sql<Import[]>`
    select id, name, publish, parallels, bytes::float8 as bytes, agent from imports where job_id = ${jobId}`
  return row
}

/** Removes an import whose upload failed; one that has its job after all, as where the connection broke at the end, stays. */
export const abandonImport = async (db: Database, id: string) => {
  const rows = await db.sql`select 1 from imports where id = ${id} and job_id is null`
  if (rows.length > 0) await removeImport(db, id)
}

/** Removes an import with its file and its bad rows. */
const removeImport = async (db: Database, id: string) => {
  await removePieces(db, id)
  await db.sql`delete from imports where id = ${id}`
}

/** An upload that has not come to its end within this time never will. */
const uploadHours = 6

/** Removes imports whose upload broke off where nobody could clean up, and those whose job is gone. */
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

/** Keeps bad rows under their places in the report; those that are kept already stay. */
export const keepFaults = async ({ sql }: Queryable, id: string, first: number, faults: FaultItem[]) => {
  if (faults.length === 0) return
  const rows = faults.map(({ file, line, reason }, at) => ({ no: first + at, file, line, reason }))
  await sql`
    insert into import_faults (import_id, no, file, line, reason)
    select ${id}, no, file, line, reason
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as f (no int, file text, line int, reason text)
    on conflict do nothing`
}

/** The bad rows that are kept, in the order in which they were met. */
export const listFaults = async ({ sql }: Queryable, id: string): Promise<FaultItem[]> => {
  const rows = await sql<Omit<FaultItem, 'kind'>[]>`
    select file, line, reason from import_faults where import_id = ${id} order by no`
  return rows.map((row) => ({ kind: 'fault', ...row }))
}
