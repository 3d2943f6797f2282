import type { Context } from '../../src/context.ts'

/**
 * Lets whoever writes the card of this number come no further, until `lift`: however fast it is, its process can be killed in
 * the middle of what it does. Where the embedded database is in the process, that answers nothing more.
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
        // A server's session does not know that its client was killed.
        if (db.kind === 'postgres')
          await db.sql`
            select pg_terminate_backend(pid, 30000) from pg_stat_activity
            where datname = current_database() and wait_event = 'PgSleep'`
        await db.sql.unsafe('drop function stall() cascade')
      }),
  }
}
