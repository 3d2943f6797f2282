import { eq } from 'drizzle-orm'
import type { Database, Queryable } from '../../../db/client.ts'
import { importRuns } from '../../../db/schema/index.ts'
import type { Agent } from '../../audit/write.ts'
import { secondsAfter } from '../../lib/clock.ts'
import { lifetimes } from '../../limits.ts'

/** Notes that an import begins to write the catalog; one that goes on is noted already. */
export const beginRun = async (
  { orm }: Queryable,
  { id, name, agent }: { id: string; name: string; agent: Agent | null },
  now: Date,
) => {
  await orm.insert(importRuns).values({ id, name, agent, created_at: now.toISOString() }).onConflictDoNothing()
}

/** Notes that an import is done: from now on it can be undone. */
export const endRun = async (db: Queryable, id: string, now: Date) => {
  await db.orm.update(importRuns).set({ finished_at: now.toISOString() }).where(eq(importRuns.id, id))
  await db.sql`delete from import_seen where import_id = ${id}`
}

/** An import that wrote the catalog, and whether it is done; undefined once it can be undone no longer. */
export const findRun = async ({ sql }: Queryable, id: string, now: Date) => {
  const [run] = await sql<{ id: string; name: string; isDone: boolean }[]>`
    select id, name, finished_at is not null as "isDone" from import_runs
    where id = ${id} and created_at > ${endOfUndo(now)}::timestamptz`
  return run
}

/**
 * Ends an import that broke off, so that it can be undone; false where a job may still go on with it. One that a command runs
 * right now stops there: nothing of it is written anymore.
 */
export const endBroken = async ({ sql }: Queryable, id: string, now: Date): Promise<boolean> => {
  const ended = await sql`
    update import_runs r set finished_at = ${now.toISOString()}::timestamptz
    where r.id = ${id} and r.finished_at is null and not exists (
      select from imports i join jobs j on j.id = i.job_id where i.id = r.id and j.finished_at is null
    )`
  return ended.count > 0
}

/** Forgets imports that can be undone no longer. */
export const sweepRuns = async ({ sql }: Database, now: Date) => {
  await sql`
    with old as (delete from import_runs where created_at <= ${endOfUndo(now)}::timestamptz returning id)
    delete from import_made m using old where m.import_id = old.id`
}

const endOfUndo = (now: Date) => secondsAfter(now, -lifetimes.importUndo.seconds).toISOString()
