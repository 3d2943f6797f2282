import type { Context } from '../../src/context.ts'

/**
 * Blocks whoever writes the card with this number, until `lift`, so that a process can be killed in the middle of its work,
 * however fast it is. If the embedded database is in that process, it stops answering.
 */
export const stallAt = async (
  withContext: <T>(work: (context: Context) => Promise<T>) => Promise<T>,
  number: string,
): Promise<{ lift: () => Promise<void> }> => {
  await withContext(async ({ db }) => {
    await db.sql.unsafe(`
      create function stall() returns trigger language plpgsql as $$ begin perform pg_sleep(3600); return null; end $$`)
    await db.sql.unsafe(`
      create trigger stalled after insert on cards for each row when (new.number = '${number}') execute function stall()`)
  })
  return {
    lift: () =>
      withContext(async ({ db }) => {
        // A server's session doesn't notice that its client was killed.
        if (db.kind === 'postgres')
          await db.sql`
            select pg_terminate_backend(pid, 30000) from pg_stat_activity
            where datname = current_database() and wait_event = 'PgSleep'`
        await db.sql.unsafe('drop function stall() cascade')
      }),
  }
}
