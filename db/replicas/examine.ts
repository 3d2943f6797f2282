import { readPostgresUrl, sayAddress } from '../../src/lib/postgres-url.ts'
import type { Database } from '../database.ts'
import { clientOf } from '../postgres.ts'
import { numberOf } from './position.ts'
import { findForeign, readPrimary, readSeen } from './probe.ts'

/** What somebody should know about a replica. `fault`: no reads go there. */
export type Examined = { server: string; fault?: string; bytesBehind?: number; hasFeedback?: boolean }

/** Compares a replica with its primary, over a connection of its own. */
export const examineReplica = async ({ sql }: Database, url: string): Promise<Examined> => {
  const server = sayAddress(readPostgresUrl(url))
  const replica = clientOf(url, { max: 1, connect_timeout: 2, onnotice: () => {} })
  try {
    const { database, flushed, timeline } = await readPrimary(sql)
    const mark = { needed: { lsn: flushed, timeline }, flushed }
    const { replayed, feedback, ...seen } = await readSeen(replica, mark)
    const fault = findForeign({ replayed, feedback, ...seen }, database, mark)
    if (fault) return { server, fault }
    const [own, there] = [await migrationsIn(sql), await migrationsIn(replica)]
    if (own !== there) return { server, fault: 'it does not have the same migrations yet' }
    const bytesBehind = Math.max(0, numberOf(flushed) - numberOf(replayed))
    return { server, bytesBehind, hasFeedback: feedback === 'on' }
  } catch (error) {
    return { server, fault: (error as Error).message }
  } finally {
    await replica.end({ timeout: 1 })
  }
}

const migrationsIn = async ({ unsafe }: Pick<Database['sql'], 'unsafe'>) => {
  const [row] = await unsafe<{ names: string }[]>(
    `select string_agg(name, ' ' order by name) as names from migrations where finished_at is not null`,
  )
  return row?.names
}
