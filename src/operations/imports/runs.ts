import { eq } from 'drizzle-orm'
import type { Database, Queryable, Transaction } from '../../../db/client.ts'
import { importRuns } from '../../../db/schema/index.ts'
import { type Act, type Agent, writeAudit } from '../../audit/write.ts'
import type { ImportReport } from '../../catalog/import/write/report.ts'
import { noteEvent } from '../../catalog/write/counts/changes.ts'
import { type Clock, secondsAfter } from '../../lib/clock.ts'
import { lifetimes } from '../../limits.ts'

/** Records that an import starts to write to the catalog, unless that is recorded already. */
export const beginRun = async (
  { orm }: Queryable,
  { id, name, agent }: { id: string; name: string; agent: Agent | null },
  now: Date,
) => {
  await orm.insert(importRuns).values({ id, name, agent, created_at: now.toISOString() }).onConflictDoNothing()
}

/** Records that an import is done, in the audit log, too. From then on it can be undone. */
export const endRun = async (db: Transaction, id: string, report: ImportReport, now: Date) => {
  const [run] = await db.orm
    .update(importRuns)
    .set({ finished_at: now.toISOString() })
    .where(eq(importRuns.id, id))
    .returning()
  const { cards, sets, records, pruned, keptCount: kept } = report
  const data = { name: run?.name ?? null, cards, sets, records, pruned, kept }
  await logImport(db, 'import.finished', id, data, { agent: run?.agent ?? null, now })
  await noteEvent(db, 'imports', id, now)
  await db.sql`delete from import_seen where import_id = ${id}`
}

/** Records in the audit log that an import was undone. */
export const logUndone = (db: Transaction, id: string, { deleted, putBack, leftCount: left }: ImportReport, by: Act) =>
  logImport(db, 'import.undone', id, { deleted, put_back: putBack, left }, by)

const logImport = (db: Transaction, eventType: string, id: string, data: object, by: Act) =>
  writeAudit(db, by, { eventType, auditableType: 'import', auditableId: id, data })

const signEverySeconds = 5
const signOfLifeSeconds = 30

/** A command's import counts as running if its last sign of life is more recent than this. */
export const aliveSince = (now: Date) => secondsAfter(now, -signOfLifeSeconds).toISOString()

/** Records signs of life for a command's import until it ends. If one can't be recorded, the import continues. */
export const showAlive = async (db: Queryable, id: string, clock: Clock): Promise<() => void> => {
  const sign = () =>
    db.orm.update(importRuns).set({ alive_at: clock.now().toISOString() }).where(eq(importRuns.id, id)).then()
  await sign()
  const timer = setInterval(() => sign().catch(() => {}), signEverySeconds * 1000)
  return () => clearInterval(timer)
}

/** An import that wrote to the catalog, and whether it is done. Undefined once it can no longer be undone. */
export const findRun = async ({ sql }: Queryable, id: string, now: Date) => {
  const [run] = await sql<{ id: string; name: string; isDone: boolean }[]>`
    select id, name, finished_at is not null as "isDone" from import_runs
    where id = ${id} and created_at > ${endOfUndo(now)}::timestamptz`
  return run
}

/**
 * Ends an interrupted import, so that it can be undone. False if a job may still continue it. If a command is running it right now,
 * it stops and writes nothing more.
 */
export const endBroken = async ({ sql }: Queryable, id: string, now: Date): Promise<boolean> => {
  const ended = await sql`
    update import_runs r set finished_at = ${now.toISOString()}::timestamptz
    where r.id = ${id} and r.finished_at is null and not exists (
      select from imports i join jobs j on j.id = i.job_id where i.id = r.id and j.finished_at is null
    )`
  return ended.count > 0
}

/** Deletes the records of imports that can no longer be undone. */
export const sweepRuns = async ({ sql }: Database, now: Date) => {
  await sql`
    with old as (delete from import_runs where created_at <= ${endOfUndo(now)}::timestamptz returning id)
    delete from import_made m using old where m.import_id = old.id`
}

const endOfUndo = (now: Date) => secondsAfter(now, -lifetimes.importUndo.seconds).toISOString()
