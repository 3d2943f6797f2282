import { eq } from 'drizzle-orm'
import type { Database, Queryable } from '../../../db/client.ts'
import { importRuns } from '../../../db/schema/index.ts'
import type { Agent } from '../../audit/write.ts'
import { type Clock, secondsAfter } from '../../lib/clock.ts'
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

const signEverySeconds = 5
const signOfLifeSeconds = 30

/** Lists show a command's import as running while its last sign of life is younger than this. */
export const aliveSince = (now: Date) => secondsAfter(now, -signOfLifeSeconds).toISOString()

/** Gives signs of life for the import of a command until its end; a sign that does not get through is no reason to stop. */
export const showAlive = async (db: Queryable, id: string, clock: Clock): Promise<() => void> => {
  const sign = () =>
    db.orm.update(importRuns).set({ alive_at: clock.now().toISOString() }).where(eq(importRuns.id, id)).then()
  await sign()
  const timer = setInterval(() => sign().catch(() => {}), signEverySeconds * 1000)
  return () => clearInterval(timer)
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
