import { and, asc, eq, isNull, type SQL } from 'drizzle-orm'
import type { Database, Queryable, Transaction } from '../../../db/client.ts'
import { importFaults, imports, type Row } from '../../../db/schema/index.ts'
import type { Agent } from '../../audit/write.ts'
import type { Cells, FaultItem } from '../../catalog/import/read/item.ts'
import type { HeadingMap } from '../../catalog/import/read/rows/row.ts'
import { lettersOf } from '../../catalog/import/write/report.ts'
import { turn } from '../../lib/yield-to-event-loop.ts'
import { sizes } from '../../limits.ts'
import { removePieces } from './pieces.ts'
import { sweepRuns } from './runs.ts'

const columns = {
  id: imports.id,
  name: imports.name,
  publish: imports.publish,
  parallels: imports.parallels,
  overwrite: imports.overwrite,
  prune: imports.prune,
  dry_run: imports.dry_run,
  agent: imports.agent,
  clear_missing: imports.clear_missing,
  applies: imports.applies,
  undoes: imports.undoes,
  job_id: imports.job_id,
  bytes: imports.bytes,
  reading: imports.reading,
}

/**
 * An import: its options, the size of its file, and who sent it (null for imports from before this was stored). `applies` is the
 * dry run whose file it reads. `undoes` is the import that it undoes.
 */
export type Import = Pick<Row<typeof imports>, Exclude<keyof typeof columns, 'bytes' | 'agent' | 'reading'>> & {
  bytes: number
  agent: Agent | null
  reading: Reading | null
}

/** How to read a file, if its sender specified that. */
export type Reading = { map?: HeadingMap; encoding?: string; hidden?: boolean }

/** What an import starts with. */
type Wanted = Pick<Import, 'id' | 'name' | 'publish' | 'parallels'> &
  Partial<
    Pick<Import, 'overwrite' | 'prune' | 'clear_missing' | 'dry_run' | 'applies' | 'undoes' | 'agent' | 'reading'>
  >

/** Starts an import before its file arrives. False if another one already undoes the same import. Without a job, it is swept. */
export const beginImport = async (db: Queryable, wanted: Wanted, now: Date): Promise<boolean> => {
  const begun = await db.orm
    .insert(imports)
    .values({ ...wanted, created_at: now.toISOString() })
    .onConflictDoNothing()
  return begun.count > 0
}

/** Hands the complete file to a job. False if the upload took so long that the import was swept. */
export const settleImport = async (tx: Transaction, id: string, jobId: string, bytes: number): Promise<boolean> => {
  const settled = await tx.orm
    .update(imports)
    .set({ job_id: jobId, bytes: String(bytes) })
    .where(eq(imports.id, id))
  return settled.count > 0
}

/** A job's import. Undefined if it was swept. */
export const findImport = (db: Queryable, jobId: string) => findWhere(db, eq(imports.job_id, jobId))

/** The import that undoes another. */
export const findUndo = (db: Queryable, id: string) => findWhere(db, eq(imports.undoes, id))

const findWhere = async (db: Queryable, condition: SQL | undefined): Promise<Import | undefined> => {
  const [row] = await db.orm.select(columns).from(imports).where(condition)
  return (
    row && {
      ...row,
      bytes: Number(row.bytes),
      agent: row.agent as Agent | null,
      reading: row.reading as Reading | null,
    }
  )
}

/** Removes an import whose upload failed, unless it has a job after all (the connection may break at the very end). */
export const abandonImport = async (db: Database, id: string) => {
  const isAbandoned = and(eq(imports.id, id), isNull(imports.job_id))
  const rows = await db.orm.select({ id: imports.id }).from(imports).where(isAbandoned)
  if (rows.length > 0) await removeImport(db, id)
}

/** Removes an import, including its file and its report. */
const removeImport = async (db: Database, id: string) => {
  await removePieces(db, id)
  await db.sql`delete from import_seen where import_id = ${id}`
  await db.orm.delete(imports).where(eq(imports.id, id))
}

/** An upload that takes longer than this is considered dead. */
const uploadHours = 6

/**
 * Removes imports whose upload was interrupted without cleanup or whose job is gone, and the records of imports that can no longer
 * be undone. A dry run stays while an import of its file isn't done.
 */
export const sweepImports = async (db: Database, now: Date, signal: AbortSignal) => {
  const rows = await db.sql<{ id: string }[]>`
    select i.id from imports i left join jobs j on j.id = i.job_id
    where case when i.job_id is null
      then i.created_at <= ${now.toISOString()}::timestamptz - make_interval(hours => ${uploadHours})
      else j.id is null and not exists (
        select from imports a join jobs k on k.id = a.job_id where a.applies = i.id and k.status <> 'completed'
      ) end`
  for (const { id } of rows) {
    signal.throwIfAborted()
    await removeImport(db, id)
  }
  await sweepRuns(db, now)
}

/**
 * How many bad rows one statement stores, and how many letters of their cells, but for the last of them. Nobody else gets a turn while
 * its text is made, and the embedded database never gives back the memory that it took.
 */
const faultsInOne = 1000
const lettersInOne = 500_000

/** Stores bad rows by their position in the report. Those already stored stay. */
export const keepFaults = async (db: Queryable, id: string, first: number, faults: FaultItem[]) => {
  let waiting: FaultItem[] = []
  let kept = first
  let letters = 0
  for (const [at, fault] of faults.entries()) {
    waiting.push(fault)
    letters += lettersOf(fault.cells)
    if (waiting.length < faultsInOne && letters < lettersInOne && at < faults.length - 1) continue
    await keepSomeFaults(db, id, kept, waiting)
    await turn()
    kept += waiting.length
    ;[waiting, letters] = [[], 0]
  }
}

const keepSomeFaults = async ({ sql }: Queryable, id: string, first: number, faults: FaultItem[]) => {
  const rows = faults.map(({ file, line, reason, cells }, at) => ({ no: first + at, file, line, reason, cells }))
  await sql`
    insert into import_faults (import_id, no, file, line, reason, cells)
    select ${id}, no, file, line, reason, cells
    from json_to_recordset(${JSON.stringify(rows)}::text::json)
      as f (no int, file text, line int, reason text, cells json)
    on conflict do nothing`
}

/** The stored bad rows, in the order of the file. */
export const listFaults = async (
  db: Queryable,
  id: string,
  most: number = sizes.refusedRows.most,
): Promise<FaultItem[]> => {
  const { import_id, no, file, line, reason, cells } = importFaults
  const rows = await db.orm
    .select({ file, line, reason, cells })
    .from(importFaults)
    .where(eq(import_id, id))
    .orderBy(asc(no))
    .limit(most)
  return rows.map(({ cells, ...row }) => ({ kind: 'fault', ...row, ...(cells ? { cells: cells as Cells } : {}) }))
}
