import type { Log } from '../src/lib/log.ts'
import type { Database } from './database.ts'
import { openEmbedded } from './embedded/open.ts'
import { openProbed } from './open-probed.ts'
import type { Deadlines } from './turns.ts'
import type { Watch } from './watch.ts'

export type { Database, Orm, Queryable, Sql, Transaction } from './database.ts'

type DatabaseOptions = {
  /** Undefined for the embedded database in `dataDir`. */
  databaseUrl?: string
  databaseDirectUrl?: string
  databaseReplicaUrls?: readonly string[]
  dataDir: string
  prepare?: boolean
  poolSize?: number
  deadlines?: Deadlines
  /** Whether it is for one command, which needs only a few connections, or one if a pooler gives no more. */
  isBrief?: boolean
  log?: Log
  watch?: Watch
}

/**
 * Opens the database in the settings, without migrating it. Throws UnfitDatabase for a server that can't serve or gives no
 * connection within ten seconds, and FolderInUse if another process works in `dataDir`.
 */
export const openDatabase = async (options: DatabaseOptions): Promise<Database> => {
  const {
    databaseUrl: url,
    databaseDirectUrl: directUrl,
    databaseReplicaUrls,
    dataDir,
    isBrief,
    log,
    ...pool
  } = options
  if (!url) return openEmbedded(dataDir, { log, deadlines: pool.deadlines, watch: pool.watch })
  const replicaUrls = isBrief ? [] : databaseReplicaUrls
  return openProbed({ url, directUrl, replicaUrls, log, ...pool }, { isBrief, log })
}
