import type { Log } from '../src/lib/log.ts'
import type { Database } from './database.ts'

/**
 * What a PostgreSQL server does in the background and the embedded database doesn't: checkpoints, reclaims the space of deleted
 * rows, and gathers statistics for the planner. Each statement is short, and other work runs between them. Worth a call after
 * an import. Does nothing on a server.
 */
export const upkeep = async (db: Database): Promise<void> => {
  if (db.kind !== 'embedded' || resting.has(db.sql)) return
  await db.sql`select pg_stat_force_next_flush()`
  const tables = await db.sql<{ name: string; is_worn: boolean; is_stale: boolean }[]>`
    select s.relid::regclass::text as name, worn.is_worn, stale.is_stale
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    cross join lateral (
      select s.n_dead_tup > 50 + 0.2 * c.reltuples
        or s.n_ins_since_vacuum > least(${mostNewRows}::int, 1000 + 0.2 * c.reltuples)
    ) worn (is_worn)
    cross join lateral (select s.n_mod_since_analyze > 50 + 0.3 * c.reltuples) stale (is_stale)
    where is_worn or is_stale`
  for (const { name, is_worn, is_stale } of tables) {
    if (is_worn) await db.sql.unsafe(`vacuum ${name}`)
    if (is_stale) await db.sql.unsafe(`analyze ${name}`)
  }
  if ((await unwrittenBytes(db)) > mostUnwrittenBytes) await db.sql.unsafe('checkpoint')
}

/** Everyone waits while a table's new pages are scanned, so this is done while there are few. */
const mostNewRows = 4000

const resting = new WeakSet<object>()

/** Runs work while upkeep is paused, so that no part of the log is removed. */
export const withoutUpkeep = async <T>(db: Database, work: () => Promise<T>): Promise<T> => {
  resting.add(db.sql)
  try {
    return await work()
  } finally {
    resting.delete(db.sql)
  }
}

/** How large the log may grow. After a crash, it is read again at the start. */
const mostUnwrittenBytes = 64 * 1024 * 1024

const unwrittenBytes = async (db: Database) => {
  const [row] = await db.sql<{ bytes: string }[]>`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::bigint as bytes from pg_control_checkpoint()`
  return Number(row?.bytes ?? 0)
}

const restSeconds = 30

/** Does the upkeep of an embedded database for as long as it is open. Returns a function that stops it. */
export const keepUp = (db: Database, log?: Log): (() => Promise<void>) => {
  let running: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    running = running
      .then(() => upkeep(db))
      .catch((error: unknown) => log?.warn('upkeep of the embedded database failed', { error: String(error) }))
  }, restSeconds * 1000)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}

const logDelayMilliseconds = 500

const awaited = new WeakSet<object>()

/**
 * Makes asynchronous commits reach the disk within half a second, as a server's own process does. The embedded database would
 * keep them in memory until somebody waits for a commit. Does nothing on a server.
 */
export const syncLogSoon = (db: Database): void => {
  if (db.kind !== 'embedded' || awaited.has(db.sql)) return
  awaited.add(db.sql)
  const sync = async () => {
    awaited.delete(db.sql)
    // If it fails, the database was either closed, which synced it, or lost, so that there is nothing to sync.
    await db.sql`select pg_logical_emit_message(false, '', '', true)`.catch(() => {})
  }
  setTimeout(sync, logDelayMilliseconds).unref()
}
