import type { Log } from '../src/lib/log.ts'
import type { Database } from './database.ts'
import { openEmbedded } from './embedded/open.ts'
import { hasCode } from './faults.ts'
import { openPostgres, type PostgresOptions } from './postgres.ts'
import { probe } from './probe.ts'
import type { Deadlines } from './turns.ts'

export type { Database, Orm, Queryable, Sql, Transaction } from './database.ts'

export type DatabaseOptions = {
  /** None: the embedded database in `dataDir`. */
  databaseUrl?: string
  databaseDirectUrl?: string
  dataDir: string
  prepare?: boolean
  poolSize?: number
  deadlines?: Deadlines
  log?: Log
}

/**
 * Opens the database that the settings name; migrates nothing. Throws UnfitDatabase for a server that cannot serve, and
 * FolderInUse where another process works in `dataDir`.
 */
export const openDatabase = async (options: DatabaseOptions): Promise<Database> => {
  const { databaseUrl, databaseDirectUrl, dataDir, prepare = true, poolSize = 8, deadlines, log } = options
  if (!databaseUrl) return openEmbedded(dataDir, { log, deadlines })
  const server = { url: databaseUrl, directUrl: databaseDirectUrl, prepare, poolSize, deadlines }
  try {
    return await openProbed(server)
  } catch (error) {
    if (!refusesSettings(error)) throw error
    log?.warn('planner settings refused', { mend: "alter role … set plan_cache_mode = 'force_generic_plan'" })
    return openProbed({ ...server, planner: false })
  }
}

const openProbed = async (server: PostgresOptions): Promise<Database> => {
  const db = openPostgres(server)
  const lone = server.prepare ? openPostgres({ ...server, poolSize: 1 }) : undefined
  try {
    await probe(db, { lone })
    return db
  } catch (error) {
    await db.close()
    throw error
  } finally {
    void lone?.close()
  }
}

/** A pooler that does not know a startup parameter: PgBouncer says so with a protocol violation. */
const refusesSettings = (error: unknown) => hasCode(error, '08P01')
