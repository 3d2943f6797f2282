import type { Log } from '../src/lib/log.ts'
import { refuseBalancedPool } from './balanced.ts'
import type { Database } from './database.ts'
import { openPostgres, type PostgresOptions } from './postgres.ts'
import { keepsPrepared, probe } from './probe.ts'
import { firstAnswer, givesSecond, refusesSettings } from './reach.ts'
import { UnfitDatabase } from './unfit.ts'

type Use = { isBrief?: boolean; log?: Log }

/** An import writes two chunks at once. No other command does more than one thing at a time. */
const briefPoolSize = 2

/**
 * Opens a PostgreSQL server and checks that it can serve, before anything relies on it. That takes two connections, or one if
 * there is no second: a pooler may have few, and keep each for as long as its client stays.
 */
export const openProbed = async (server: PostgresOptions, use: Use): Promise<Database> => {
  const { poolSize = 8 } = server
  const sized = { ...server, poolSize: use.isBrief ? Math.min(poolSize, briefPoolSize) : poolSize }
  try {
    return await openWith(sized, use)
  } catch (error) {
    if (!refusesSettings(error)) throw error
    use.log?.warn('planner settings refused', { mend: "alter role … set plan_cache_mode = 'force_generic_plan'" })
    return openWith({ ...sized, planner: false }, use)
  }
}

const openWith = async (server: PostgresOptions, { isBrief, log }: Use): Promise<Database> => {
  const { prepare = true } = server
  const lone = openPostgres({ ...server, poolSize: 1, replicaUrls: [] })
  try {
    await firstAnswer(probe(lone), server.url)
  } catch (error) {
    void lone.close()
    throw error
  }
  const pool = openPostgres(server)
  try {
    const hasSecond = await givesSecond(pool)
    if (!hasSecond && isBrief) {
      void pool.close()
      return lone
    }
    if (!hasSecond)
      log?.warn('one connection to the database', { wanted: server.poolSize, limit: 'a pooler in front of it' })
    // A pooler that gives no second while the first rests leaves each to its client, with all that it has prepared.
    else if (prepare && !(await keepsPrepared(pool, lone)))
      throw new UnfitDatabase(
        'The database does not keep prepared statements: there is a pooler such as PgBouncer before 1.21 in front of it. Set DATABASE_PREPARE=false, or update the pooler.',
      )
    if (hasSecond && !isBrief) await refuseBalancedPool(pool)
    await lone.close()
    return pool
  } catch (error) {
    void lone.close()
    void pool.close()
    throw error
  }
}
